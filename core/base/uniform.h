// Random numbers as a function of a seed and a counter. They are the same on every platform; the
// distributions of <random> are not.
#pragma once

#include <cstdint>

namespace ropescope {

/// The finaliser of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): 64 bits of which each depends on all bits of the argument.
constexpr std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
}

/// Returns a multiple of 2^-53 in [0, 1).
constexpr double uniform(std::uint64_t seed, std::uint64_t counter) {
    const std::uint64_t bits = seed * 0x9e3779b97f4a7c15U + counter * 0xd1b54a32d192ed03U;
    return static_cast<double>(mixed(bits) >> 11U) * 0x1p-53;
}

}  // namespace ropescope
