# One interface target carries what every target of ours is compiled with.
add_library(ropescope_options INTERFACE)
target_compile_options(ropescope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast
  # Where the sources of a folder are one, Clang takes a local name for a shadow of one that another source of the folder
  # has at its top.
  $<$<NOT:$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:${ROPESCOPE_TOGETHER}>>>:-Wshadow>
  # Clang's -Wconversion has this in it, GCC's has not.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  # GCC 12 raises these falsely in its own std::string (its bugs 105329 and 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # GCC 13 takes every reference that a function with a temporary argument returns for one to it.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-array-bounds;-Wno-stringop-overflow>
  $<$<BOOL:${ROPESCOPE_WERROR}>:-Werror>)
if(ROPESCOPE_SANITIZE)
  # GCC 12 raises maybe-uninitialized falsely in instrumented library headers (std::regex).
  target_compile_options(ropescope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    -fsanitize=${ROPESCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ropescope_options INTERFACE -fsanitize=${ROPESCOPE_SANITIZE})
  target_compile_definitions(ropescope_options INTERFACE ROPESCOPE_SANITIZED=1)
endif()
if(ROPESCOPE_SANITIZE MATCHES address)
  # Frames kept after their functions have returned take a third of the time of the tests; GCC keeps none.
  # A program at a random address begins by writing three million addresses of sanitized code: at a
  # fixed one the tests, each of which is a process, start in a tenth of the time.
  target_compile_options(ropescope_options INTERFACE
    $<$<CXX_COMPILER_ID:Clang>:-fsanitize-address-use-after-return=never>)
  target_link_options(ropescope_options INTERFACE
    $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()
