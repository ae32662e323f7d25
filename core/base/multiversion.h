// One portable binary that still uses the vector units of the machine it runs on.
#pragma once

/// Before a function: compiled for the baseline, AVX2 and AVX-512, chosen when the program is
/// loaded. The choice never changes a bit of the result, because ropescope_core is compiled with
/// -ffp-contract=off (the compiler does not fuse multiplications and additions, except in the files
/// that core/CMakeLists.txt names). Empty under sanitizers, whose runtime is not ready when the
/// choice is made, and where compiler or C library lack the feature.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(ROPESCOPE_SANITIZED)
#define ROPESCOPE_MULTIVERSION \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define ROPESCOPE_MULTIVERSION
#endif

/// Before a loop: no iteration reads what another writes, whatever the pointers look like.
#if defined(__clang__)
#define ROPESCOPE_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define ROPESCOPE_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif
