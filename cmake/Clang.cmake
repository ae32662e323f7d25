# The toolchain of the presets asan and tidy: the Clang that tools/packages.txt names for a release of
# Debian. Clang compiles a sanitized source in a third of GCC's time.
find_program(CMAKE_CXX_COMPILER NAMES clang++-16 clang++-19 clang++ REQUIRED)
