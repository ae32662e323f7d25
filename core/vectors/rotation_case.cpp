// Makes cases: inputs from the id, expected numbers, tolerances and wrong answers from the plan.
#include "core/vectors/rotation_case.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

namespace ropescope::vectors {
namespace {

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

// Chooses numbers and bounds their rounding.

namespace {

/// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
std::uint64_t next_bits(std::uint64_t& state) {
    std::uint64_t bits = state += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
}

}  // namespace

std::vector<double> input_numbers(const std::string& seed, Index count) {
    std::uint64_t state = 0;
    for (const char c : seed) {
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

double unit_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f64:
            return 0x1p-53;
        case Dtype::f32:
            return 0x1p-24;
        case Dtype::f16:
            return 0x1p-11;
        case Dtype::bf16:
            return 0x1p-8;
        default:
            return 0;
    }
}

std::vector<double> angle_errors(const faults::RotationPlan& plan, double unit) {
    const bool whole = std::ranges::all_of(
        plan.positions, [](double position) { return position == std::round(position); });
    const Index heads =
        std::ssize(plan.omega_rad) / std::max<Index>(1, std::ssize(plan.pairs) * plan.axes);
    std::vector<double> errors;
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        double units = whole ? 0.0 : 1.0;
        for (Index entry = 0; entry < heads * plan.axes; ++entry) {
            const Index at = plan.omega_at(entry / plan.axes, i) + entry % plan.axes;
            const long double omega = std::abs(plan.omega_rad[at]);
            if (omega != 0 && omega != 1) {
                // In long double, so that every processor gives the same bits.
                const auto exponent = static_cast<double>(std::abs(std::log(omega)));
                units = std::max(units, exponent + 4.0 + 3.0 * to_double(i));
            }
        }
        errors.push_back(units * unit);
    }
    return errors;
}

// Of x' = x cos - y sin with |x|, |y| at most the pair's length A: cos and sin round by a unit
// each, both products, their sum and the result by another, on numbers below sqrt(2) A: 6 units of
// A are more.
Exactness exactness_of(Dtype result, const faults::RotationPlan& plan) {
    const double unit = unit_of(result);
    return {6 * unit, angle_errors(plan, result == Dtype::f64 ? unit : unit_of(Dtype::f32))};
}

namespace {

/// The absolute error of the angles that turn a pair, at most 2: the diameter of the circle.
double angle_error(const faults::RotationPlan& plan, const Exactness& exactness, Index pair,
                   Index b, Index h, Index l) {
    const auto error_of = [&](const std::vector<Index>& entries) {
        const Index entry = entries.empty() ? pair : entries[static_cast<std::size_t>(pair)];
        return planned_angle(plan, entry, b, h, l).magnitude_rad * exactness.angle[entry];
    };
    const double first = error_of(plan.first_entry);
    const double second = plan.second_entry.empty() ? first : error_of(plan.second_entry);
    const double sine = plan.sine_entry.empty() ? first : error_of(plan.sine_entry);
    return std::min(2.0, std::max({first, second, sine}));
}

}  // namespace

// The angle's error moves a result by at most as much times the length of the pair.
std::vector<double> tolerances(const faults::RotationPlan& plan, std::span<const double> x,
                               const Exactness& exactness) {
    const faults::HeadShape& shape = plan.shape;
    const Index own_heads = plan.heads_differ() ? shape.heads : 1;
    std::vector<double> result(x.size());
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        for (Index b = 0; b < shape.batch; ++b) {
            for (Index l = 0; l < shape.length; ++l) {
                for (Index h = 0; h < own_heads; ++h) {
                    const double angle = angle_error(plan, exactness, i, b, h, l);
                    for (Index head = h; head < shape.heads; head += own_heads) {
                        const Index row = plan.row(b, head, l);
                        const double first = x[row + plan.pairs[i].first];
                        const double second = x[row + plan.pairs[i].second];
                        // Not hypot, whose last bit depends on the processor.
                        const double length =
                            std::abs(plan.gain) * std::sqrt(first * first + second * second);
                        const double share =
                            std::abs(plan.factor) * plan.longest * (exactness.rounding + angle);
                        result[row + plan.written[i].first] = result[row + plan.written[i].second] =
                            length * share;
                    }
                }
            }
        }
    }
    return result;
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

double width_of_wrong(double tolerance, double tolerances, double unit) {
    return std::max(tolerances * tolerance, 32 * std::max(unit, 0x1p-24));
}

}  // namespace ropescope::vectors
