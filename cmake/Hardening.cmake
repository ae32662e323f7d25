# Debian's protections against memory errors, for what users get: programs at random addresses with
# read-only tables of functions, checked copies and guarded stacks. Sanitizers check the same in their
# own way. tests/cli/hardening_test.cpp reads the protections from the program.
include(CheckPIESupported)
check_pie_supported()

if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT ROPESCOPE_SANITIZE)
  target_compile_options(ropescope_options INTERFACE
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection
    -Wformat -Werror=format-security)
  target_compile_definitions(ropescope_options INTERFACE ROPESCOPE_HARDENED=1)
  target_link_options(ropescope_options INTERFACE -Wl,-z,relro,-z,now)
endif()

# ropescope_position_independent(targets...): the targets can be linked into a program at a random
# address, a shared library or a module. Their own functions still call each other directly.
function(ropescope_position_independent)
  set_target_properties(${ARGN} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  endforeach()
endfunction()
