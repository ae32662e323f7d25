#include "tests/bench/fma_peak.h"

#include <benchmark/benchmark.h>
#include <cmath>

#include "core/base/parallel.h"

namespace ropescope::bench {
namespace {

/// Independent sums: as many as hide the latency of a multiply-add on two units.
constexpr int kSums = 10;

/// `rounds` times kSums multiply-adds of vectors V.
template <typename V>
[[gnu::always_inline]] inline void multiply_adds(std::int64_t rounds) {
    V sums[kSums];
    for (V& sum : sums) {
        sum = V{} + 1.0F;
    }
    V factor = V{} + 0.999F;
    V addend = V{} + 0.001F;
    benchmark::DoNotOptimize(factor);
    benchmark::DoNotOptimize(addend);
    for (std::int64_t i = 0; i < rounds; ++i) {
        for (V& sum : sums) {
            sum = sum * factor + addend;  // contracted to one instruction where there is one
        }
    }
    for (V& sum : sums) {
        benchmark::DoNotOptimize(sum);
    }
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
