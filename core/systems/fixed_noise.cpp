// A small generator of fixed noise.
#include "core/systems/fixed_noise.h"

#include <cmath>

namespace ropescope::systems {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t next_bits(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

}  // namespace

std::vector<double> fixed_noise(std::uint64_t seed, std::size_t count) {
    std::vector<double> values(count);
    std::uint64_t state = seed;
    for (double& value : values) {
        const std::uint64_t bits = next_bits(state);
        double sum = 0.0;
        for (unsigned shift = 0; shift < 64; shift += 16) {
            sum += (static_cast<double>((bits >> shift) & 0xffffU) + 0.5) / 65536.0;
        }
        value = (sum - 2.0) * std::sqrt(3.0);  // four uniforms: mean 2, variance 4/12
    }
    return values;
}

}  // namespace ropescope::systems
