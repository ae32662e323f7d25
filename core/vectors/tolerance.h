// Numbers that go into a rotation, and how exactly the result can be told.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/formats/tensor.h"
#include "core/vectors/rotation_plan.h"

namespace ropescope::vectors {

/// Numbers from -127/64 to 127/64 other than 0: at most 7 significant bits, exact in every format.
/// The same for the same seed on every machine.
std::vector<double> input_numbers(const std::string& seed, Index count);

/// How exactly an implementation computes.
struct Exactness {
    double rounding = 0;  ///< of a result, as a share of the length of its pair
    /// [pairs]: relative error of an angle before it is reduced.
    std::vector<double> angle = {};
};

/// How far each number of rotated(plan, x) may lie from the exact one. 0 for channels of no pair.
std::vector<double> tolerances(const RotationPlan& plan, std::span<const double> x,
                               const Exactness& exactness);

/// Whether each number lies within the tolerance of the wanted one. NaN does not.
bool within(std::span<const double> result, std::span<const double> wanted,
            std::span<const double> tolerance);

}  // namespace ropescope::vectors
