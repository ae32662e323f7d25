// Makes cases: inputs from the id, expected numbers, tolerances and wrong answers from the plan.
#include "core/vectors/rotation_case.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace ropescope::vectors {
namespace {

/// fp64 throughout, or angles in fp32 and the rest in the dtype of the result.
///
/// Of x' = x cos - y sin with |x|, |y| at most the pair's length A: cos and sin round by a unit
/// each, both products, their sum and the result by another, on numbers below sqrt(2) A: 6 units of
/// A are more.
Exactness exactness_of(Dtype dtype, const faults::RotationPlan& plan) {
    const double unit = unit_of(dtype);
    return {6 * unit, angle_errors(plan, dtype == Dtype::f64 ? unit : unit_of(Dtype::f32))};
}

constexpr std::size_t kOfFp32 = 1;  // in kResultDtypes

/// What comes out of a fault in fp32. Its angles may be larger than the right ones, and then they
/// round more: a number that costs more than `kMost` tolerances of the right answer is not told.
WrongAnswer wrong_answer(const faults::RotationFault& fault, const faults::RotationPlan& plan,
                         const RotationCase& made) {
    constexpr double kMost = 4;
    WrongAnswer wrong{std::string(fault.code), std::string(fault.text), rotated(plan, made.input)};
    const std::vector<double>& right = made.tolerance[kOfFp32];
    const std::vector<double> own = tolerances(plan, made.input, exactness_of(Dtype::f32, plan));
    for (std::size_t i = 0; i < right.size(); ++i) {
        const double ratio = own[i] / width_of_wrong(right[i], 1, unit_of(Dtype::f32));
        if (ratio > kMost || !std::isfinite(wrong.values[i])) {
            wrong.values[i] = std::numeric_limits<double>::quiet_NaN();
        } else {
            wrong.tolerances = std::max(wrong.tolerances, ratio);
        }
    }
    return wrong;
}

/// Whether the answer differs from the right one somewhere by more than three times what it is
/// compared with. NaN does not.
bool is_told(const WrongAnswer& wrong, const RotationCase& made) {
    const std::vector<double>& tolerance = made.tolerance[kOfFp32];
    for (std::size_t i = 0; i < tolerance.size(); ++i) {
        if (std::abs(wrong.values[i] - made.expected[i]) >
            3 * width_of_wrong(tolerance[i], wrong.tolerances, unit_of(Dtype::f32))) {
            return true;
        }
    }
    return false;
}

}  // namespace

RotationCase make_case(const std::string& id, const RotaryScheme& scheme, const RopeSpec* spec,
                       faults::HeadShape shape, std::vector<double> positions, Wrongs wrongs) {
    RotationCase made;
    made.id = id;
    made.axes = scheme.axes;
    made.layout = layout_name(scheme.pairs);
    made.plan = plan_of(scheme, shape, std::move(positions));
    made.input = input_numbers(id, shape.size());
    made.expected = rotated(made.plan, made.input);
    for (std::size_t i = 0; i < kResultDtypes.size(); ++i) {
        made.tolerance[i] =
            tolerances(made.plan, made.input, exactness_of(kResultDtypes[i], made.plan));
    }
    std::set<std::pair<std::string_view, std::string_view>> kinds;  // code and flag
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        const std::optional<faults::RotationPlan> plan = plan_with(fault, {made.plan, spec});
        if (!plan) {
            continue;
        }
        WrongAnswer wrong = wrong_answer(fault, *plan, made);
        if (!is_told(wrong, made)) {
            continue;
        }
        const bool is_first = kinds.insert({fault.code, fault.flag}).second;
        if (!is_first && wrongs == Wrongs::one_of_a_kind) {
            continue;
        }
        made.wrong.push_back(std::move(wrong));
        if (std::ranges::find(made.flags, fault.flag) == made.flags.end()) {
            made.flags.emplace_back(fault.flag);
        }
    }
    return made;
}

}  // namespace ropescope::vectors
