// Noise that is the same on every machine and in every run. It serves as probes, and in place of
// learned values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ropescope::systems {

/// `count` values of mean 0 and variance 1, from the sum of four uniform numbers (|value| < 3.5),
/// so that no library's normal distribution is involved.
std::vector<double> fixed_noise(std::uint64_t seed, std::size_t count);

}  // namespace ropescope::systems
