# ropescope_precompile(target headers...): parses what most sources of a target include once for all of
# them: the standard library, fmt, and the headers given. nlohmann/json.hpp and CLI11 are not among them,
# because every source would compile their inline functions again. The presets dev and tidy build
# without, so that a source that does not include what it uses fails there.
function(ropescope_precompile target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <charconv> <cmath> <complex> <cstdint> <cstring> <filesystem> <functional>
    <limits> <map> <memory> <numbers> <numeric> <optional> <ranges> <set> <span> <sstream> <stdexcept>
    <string> <string_view> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h> ${ARGN})
endfunction()

# ccache sees through GCC's precompiled headers only with this, and with the CCACHE_SLOPPINESS of the
# build presets.
if(CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  add_compile_options(-fpch-preprocess)
endif()

# ropescope_compile_lightly(sources...): at -O1, for what runs once for a command. On x86, GCC 13 and later
# unroll small loops at -O2, and take a precompiled header only where this setting is the same.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-munroll-only-small-loops ROPESCOPE_UNROLLS_SMALL_LOOPS)
function(ropescope_compile_lightly)
  set(options -O1)
  if(ROPESCOPE_UNROLLS_SMALL_LOOPS)
    list(APPEND options -munroll-only-small-loops)
  endif()
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:${options}>")
endfunction()
