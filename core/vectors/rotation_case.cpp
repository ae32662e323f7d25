// Makes cases: inputs from the id, expected numbers, tolerances and wrong answers from the plan.
#include "core/vectors/rotation_case.h"

#include <algorithm>
#include <cmath>

namespace ropescope::vectors {
namespace {

/// fp64 throughout, or angles in fp32 and the rest in the dtype of the result. An angle carries the
/// rounding of inv_freq (a power within 4 units, and as much for a scaling) and of its product with
/// the position: 8 units of its own format, 2^-21 in fp32 and 2^-50 in fp64.
///
/// Of x' = x cos - y sin with |x|, |y| at most the pair's length A: cos and sin round by a unit
/// each, both products, their sum and the result by another, on numbers below sqrt(2) A: 6 units of
/// A are more.
Exactness exactness_of(Dtype dtype, std::size_t pairs) {
    const auto units = [&](double rounding, double angle) {
        return Exactness{6 * rounding, std::vector<double>(pairs, angle)};
    };
    switch (dtype) {
        case Dtype::f64:
            return units(0x1p-53, 0x1p-50);
        case Dtype::f16:
            return units(0x1p-11, 0x1p-21);
        case Dtype::bf16:
            return units(0x1p-8, 0x1p-21);
        default:
            return units(0x1p-24, 0x1p-21);
    }
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
        made.tolerance[i] = tolerances(made.plan, made.input,
                                       exactness_of(kResultDtypes[i], made.plan.pairs.size()));
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

}  // namespace ropescope::vectors
