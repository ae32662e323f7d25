// Random numbers as a function of a seed and a counter. They are the same on every platform; the
// distributions of <random> are not.
#pragma once

#include <cstdint>

namespace ropescope {

/// Returns a multiple of 2^-53 in [0, 1), by the finaliser of splitmix64 (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014).
double uniform(std::uint64_t seed, std::uint64_t counter);

}  // namespace ropescope
