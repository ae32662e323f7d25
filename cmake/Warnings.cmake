# One interface target carries what every target of ours is compiled with.
add_library(ropescope_options INTERFACE)
target_compile_options(ropescope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  # GCC 12 raises these falsely in its own std::string (its bugs 105329 and 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-array-bounds;-Wno-stringop-overflow>
  $<$<BOOL:${ROPESCOPE_WERROR}>:-Werror>)
if(ROPESCOPE_SANITIZE)
  # GCC 12 raises maybe-uninitialized falsely in instrumented library headers (std::regex).
  target_compile_options(ropescope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    -fsanitize=${ROPESCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ropescope_options INTERFACE -fsanitize=${ROPESCOPE_SANITIZE})
  target_compile_definitions(ropescope_options INTERFACE ROPESCOPE_SANITIZED=1)
endif()
