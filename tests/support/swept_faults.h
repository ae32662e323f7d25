// Faults and right arithmetic with random numbers, for test vectors and probes.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/support/call_changes.h"
#include "tests/support/planted_rotations.h"

namespace ropescope::test {

/// Models in one axis and in several, with and without scaling, whole and partial heads.
const std::vector<std::string>& swept_models();

/// A fault whose numbers come from a seed.
struct SweptFault {
    std::string name = {};
    std::set<std::string> codes = {};  ///< of which one names it; empty if every name is wrong
    Fits fits = {};
    ChangeCall change = {};
};
std::vector<SweptFault> swept_faults(std::uint64_t seed);

/// right_rotations(), and frequencies and sines that are off by as much as fp32 may be.
std::vector<RightRotation> swept_right_rotations(std::uint64_t seed);

/// The right answer, one number of it or all of them off by 1.5 to 30 tolerances.
Tensor near_answer(const vectors::RotationCase& made, Dtype dtype,
                   const std::vector<double>& tolerance, std::uint64_t seed);

/// An implementation that a probe may ask.
struct SweptProbe {
    std::string name = {};
    Part subject = {};
    probe::Settings settings = {};
    std::set<std::string> codes = {};  ///< that may be said; empty for a right implementation
    std::string words = {};            ///< that the finding must have; empty: any
    probe::Ask ask = {};
};
std::vector<SweptProbe> swept_probes(const std::string& model, std::uint64_t seed);

}  // namespace ropescope::test
