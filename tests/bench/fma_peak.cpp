#include "tests/bench/fma_peak.h"

#include <benchmark/benchmark.h>
#include <cmath>

#include "core/base/parallel.h"

namespace ropescope::bench {
namespace {

/// Independent sums: as many as hide the latency of a multiply-add on two units.
constexpr int kSums = 10;

/// `rounds` times kSums multiply-adds of vectors V. The loops over the sums are unrolled for good:
/// only then does each sum live in a register.
template <typename V>
[[gnu::always_inline]] inline void multiply_adds(std::int64_t rounds) {
    // Known to nobody until it runs, and each another: nothing can be worked out beforehand.
    float numbers[kSums] = {0.0F, 0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F};
    benchmark::DoNotOptimize(numbers);
    const V factor = V{} + numbers[9];
    const V addend = V{} + numbers[1];
    V sums[kSums];
#pragma GCC unroll 16
    for (int j = 0; j < kSums; ++j) {
        sums[j] = V{} + numbers[j];
    }
    for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 16
        for (int j = 0; j < kSums; ++j) {
            sums[j] = sums[j] * factor + addend;  // one instruction where there is one
        }
    }
    V total{};
#pragma GCC unroll 16
    for (int j = 0; j < kSums; ++j) {
        total += sums[j];
    }
    benchmark::DoNotOptimize(total);
}

using Vector4 = float __attribute__((vector_size(16)));
#if defined(__x86_64__)
using Vector8 = float __attribute__((vector_size(32)));
using Vector16 = float __attribute__((vector_size(64)));

[[gnu::target("avx512f")]] void multiply_adds_512(std::int64_t rounds) {
    multiply_adds<Vector16>(rounds);
}
[[gnu::target("avx2,fma")]] void multiply_adds_256(std::int64_t rounds) {
    multiply_adds<Vector8>(rounds);
}
#endif
void multiply_adds_128(std::int64_t rounds) {
    multiply_adds<Vector4>(rounds);
}

struct Variant {
    void (*run)(std::int64_t rounds);
    int lanes;
};

Variant widest() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) {
        return {multiply_adds_512, 16};
    }
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
        return {multiply_adds_256, 8};
    }
#endif
    return {multiply_adds_128, 4};
}

}  // namespace

void run_multiply_adds(double flops, int threads) {
    const Variant variant = widest();
    const double a_round = 2.0 * kSums * variant.lanes;
    parallel_for(std::llround(flops / a_round), 1, threads,
                 [&](std::int64_t begin, std::int64_t end) { variant.run(end - begin); });
}

}  // namespace ropescope::bench
