# The toolchain of the preset tidy: Clang and the clang-tidy of the same version.
include(${CMAKE_CURRENT_LIST_DIR}/Clang.cmake)
find_program(CMAKE_CXX_CLANG_TIDY NAMES clang-tidy-16 clang-tidy-19 clang-tidy REQUIRED)
