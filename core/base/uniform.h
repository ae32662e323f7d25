// Random numbers as a function of a seed and a place, the same on every platform, which the
// distributions of <random> are not.
#pragma once

#include <cstdint>

namespace ropescope {

/// In [0, 1), a multiple of 2^-53 (splitmix64's finaliser, Steele, Lea, Flood 2014).
double uniform(std::uint64_t seed, std::uint64_t counter);

}  // namespace ropescope
