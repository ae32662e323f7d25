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

# ropescope_compile_lightly(sources...): at -O1, for what runs once for a command. GCC takes a precompiled header
# only where these settings are the same; on x86 GCC 13 and GCC 14 set them by the level of optimisation.
include(CheckCXXCompilerFlag)
set(ROPESCOPE_LIGHTLY -O1)
if(EMSCRIPTEN)
  set(ROPESCOPE_LIGHTLY -Oz)  # a page is to be small
endif()
foreach(setting munroll-only-small-loops mvzeroupper)
  check_cxx_compiler_flag(-${setting} ROPESCOPE_HAS_${setting})
  if(ROPESCOPE_HAS_${setting})
    list(APPEND ROPESCOPE_LIGHTLY -${setting})
  endif()
endforeach()
function(ropescope_compile_lightly)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:${ROPESCOPE_LIGHTLY}>")
endfunction()
