// Numbers that go into a rotation, and how exactly the result can be told.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/faults/rotation/plan.h"
#include "core/formats/tensor.h"

namespace ropescope::vectors {

/// Numbers from -127/64 to 127/64 other than 0: at most 7 significant bits, exact in every format.
/// The same for the same seed on every machine.
std::vector<double> input_numbers(const std::string& seed, Index count);

/// Half the distance of 1 to the next number: F64, F32, F16, BF16. 0 for integers.
double unit_of(Dtype dtype);

/// How exactly an implementation computes.
struct Exactness {
    double rounding = 0;  ///< of a result, as a share of the length of its pair
    /// [pairs]: relative error of an angle before it is reduced.
    std::vector<double> angle = {};
};

/// [pairs]: the relative error of an angle that is formed in a format of that unit, 2^-24 for fp32.
/// A frequency that is exactly 1 costs only the rounding of the position, and nothing if that is
/// whole: fp32 has every whole number up to 2^24. Any other is a power whose exponent, at most
/// |ln omega|, was rounded (as many units), and 4 roundings more (power, reciprocal, product, and
/// scaling), or the product of as many factors as the pair's number says, each of which rounds and
/// carries 2 units itself (ggml).
std::vector<double> angle_errors(const faults::RotationPlan& plan, double unit);

/// How far each number of rotated(plan, x) may lie from the exact one. 0 for channels of no pair.
std::vector<double> tolerances(const faults::RotationPlan& plan, std::span<const double> x,
                               const Exactness& exactness);

/// Whether each number lies within the tolerance of the wanted one. NaN does not.
bool within(std::span<const double> result, std::span<const double> wanted,
            std::span<const double> tolerance);

/// How far a number may lie from a wrong answer and still be that: `tolerances` times the tolerance
/// of the right one, and at least 32 units of `unit` or of fp32, in which wrong answers are stored;
/// a pair is at most 2.9 long, and 6 units of that times an attention factor are less.
double width_of_wrong(double tolerance, double tolerances, double unit);

}  // namespace ropescope::vectors
