// Makes cases: inputs from the id, expected numbers, tolerances and wrong answers from the plan.
#include "core/vectors/rotation_case.h"

#include <algorithm>
#include <cmath>

namespace ropescope::vectors {
namespace {

/// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
std::uint64_t next_bits(std::uint64_t& state) {
    std::uint64_t bits = state += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
}

/// Numbers from -127/64 to 127/64 other than 0: at most 7 significant bits, exact in every format.
std::vector<double> input_numbers(const std::string& id, Index count) {
    std::uint64_t state = 0;
    for (const char c : id) {
        state = state * 31 + static_cast<unsigned char>(c);
    }
    std::vector<double> numbers;
    for (Index i = 0; i < count; ++i) {
        const std::uint64_t bits = next_bits(state);
        const auto size = static_cast<double>(1 + bits % 127) / 64;
        numbers.push_back((bits >> 63U) != 0 ? -size : size);
    }
    return numbers;
}

/// How exactly an implementation whose results have a dtype computes.
struct Exactness {
    double rounding;  ///< unit roundoff of the results
    double angle;     ///< relative error of an angle before it is reduced
};

/// fp64 throughout, or angles in fp32 and the rest in the dtype of the result. An angle carries the
/// rounding of inv_freq (a power within 4 units, and as much for a scaling) and of its product with
/// the position: 8 units of its own format, 2^-21 in fp32 and 2^-50 in fp64.
Exactness exactness_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f64:
            return {0x1p-53, 0x1p-50};
        case Dtype::f16:
            return {0x1p-11, 0x1p-21};
        case Dtype::bf16:
            return {0x1p-8, 0x1p-21};
        default:
            return {0x1p-24, 0x1p-21};
    }
}

/// Of x' = x cos - y sin with |x|, |y| at most the pair's length A: cos and sin round by a unit
/// each, both products, their sum and the result by another, on numbers below sqrt(2) A: 6 units of
/// A are more. The angle's error moves the result by at most as much times A.
std::vector<double> tolerances(const RotationPlan& plan, std::span<const double> x, Dtype dtype) {
    const HeadShape& shape = plan.shape;
    const Exactness exactness = exactness_of(dtype);
    std::vector<double> result(x.size());  // 0 for channels of no pair, which stay as they are
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        for (Index b = 0; b < shape.batch; ++b) {
            for (Index h = 0; h < shape.heads; ++h) {
                for (Index l = 0; l < shape.length; ++l) {
                    const double angle =
                        planned_angle(plan, i, b, h, l).magnitude_rad * exactness.angle;
                    const Index row = ((b * shape.heads + h) * shape.length + l) * shape.head_dim;
                    const Index first = row + plan.pairs[i].first;
                    const Index second = row + plan.pairs[i].second;
                    // Not hypot, whose last bit depends on the processor.
                    const double length = std::abs(plan.gain) *
                                          std::sqrt(x[first] * x[first] + x[second] * x[second]);
                    result[first] = result[second] =
                        length * (6 * exactness.rounding + std::min(angle, 2.0));
                }
            }
        }
    }
    return result;
}

bool is_right(std::span<const double> values, const RotationCase& made) {
    const std::vector<double>& tolerance = made.tolerance[1];  // of fp32
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::abs(values[i] - made.expected[i]) > 3 * tolerance[i]) {
            return false;
        }
    }
    return true;
}

}  // namespace

RotationCase make_case(const std::string& id, const RotaryScheme& scheme, const RopeSpec* spec,
                       HeadShape shape, std::vector<double> positions) {
    RotationCase made;
    made.id = id;
    made.axes = scheme.axes;
    made.layout = layout_name(scheme.pairs);
    made.plan = plan_of(scheme, shape, std::move(positions));
    made.input = input_numbers(id, shape.size());
    made.expected = rotated(made.plan, made.input);
    for (std::size_t i = 0; i < kResultDtypes.size(); ++i) {
        made.tolerance[i] = tolerances(made.plan, made.input, kResultDtypes[i]);
    }
    for (const RotationFault& fault : rotation_faults()) {
        const std::optional<RotationPlan> plan = fault.make({made.plan, spec});
        if (!plan) {
            continue;
        }
        std::vector<double> values = rotated(*plan, made.input);
        if (is_right(values, made)) {
            continue;
        }
        made.wrong.push_back({std::string(fault.code), std::string(fault.text), std::move(values)});
        if (std::ranges::find(made.flags, fault.flag) == made.flags.end()) {
            made.flags.emplace_back(fault.flag);
        }
    }
    return made;
}

bool within(std::span<const double> result, std::span<const double> wanted,
            std::span<const double> tolerance) {
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (!(std::abs(result[i] - wanted[i]) <= tolerance[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace ropescope::vectors
