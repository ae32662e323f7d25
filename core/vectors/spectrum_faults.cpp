// Faults in the frequencies and in the precision of a table.
#include <algorithm>
#include <cmath>

#include "core/base/wide_math.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"
#include "core/vectors/rotation_fault.h"

namespace ropescope::vectors {
namespace {

using Changed = std::optional<RotationPlan>;

/// The plan of another spec for the same tensor.
Changed with_spec(const Subject& subject, const RopeSpec& spec) {
    return plan_of(scheme_of(spec), subject.right.shape, subject.right.positions);
}

Changed scaling_not_applied(const Subject& subject) {
    if (subject.spec == nullptr || subject.spec->scaling == Scaling{}) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    spec.scaling = {};
    return with_spec(subject, spec);
}

Changed usual_base(const Subject& subject) {
    if (subject.spec == nullptr || subject.spec->base == RopeSpec{}.base) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    spec.base = RopeSpec{}.base;
    return with_spec(subject, spec);
}

/// The ramp of YaRN between pairs rounded to whole ones where the right one is not, or the reverse.
Changed other_truncation(const Subject& subject) {
    if (subject.spec == nullptr || !std::holds_alternative<YarnScaling>(subject.spec->scaling)) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    bool& truncate = std::get<YarnScaling>(spec.scaling).truncate;
    truncate = !truncate;
    return with_spec(subject, spec);
}

/// The frequencies of the other side of the length at which they change.
Changed of_another_length(const Subject& subject) {
    if (subject.spec == nullptr) {
        return {};
    }
    for (const Index length : {Index{1}, kMaxPosition}) {
        RopeSpec spec = *subject.spec;
        spec.seq_len = length;
        if (make_spectrum(spec).inv_freq_rad != subject.right.omega_rad) {
            return with_spec(subject, spec);
        }
    }
    return {};
}

/// Every scaling as if it were linear.
Changed scaled_linearly(const Subject& subject) {
    if (subject.spec == nullptr) {
        return {};
    }
    const double factor = extension_factor(subject.spec->scaling);
    if (factor == 1 || std::holds_alternative<LinearScaling>(subject.spec->scaling)) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    spec.scaling = LinearScaling{.factor = factor};
    return with_spec(subject, spec);
}

/// In long double and rounded once, as the right frequencies are.
double power(double base, double exponent) {
    return static_cast<double>(wide_power(base, exponent));
}

/// The frequencies of one axis, unscaled, by a formula of the pair's number.
template <typename Formula>
Changed with_formula(const Subject& subject, Formula formula) {
    if (subject.spec == nullptr) {
        return {};
    }
    RotationPlan plan = subject.right;
    const auto pairs = static_cast<double>(plan.pairs.size());
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        plan.omega_rad[i] = formula(static_cast<double>(i), pairs, subject.spec->base);
    }
    return plan;
}

Changed exponent_from_one(const Subject& subject) {
    return with_formula(
        subject, [](double i, double pairs, double base) { return power(base, -(i + 1) / pairs); });
}
Changed exponent_to_one(const Subject& subject) {
    if (subject.right.pairs.size() < 2) {
        return {};
    }
    return with_formula(
        subject, [](double i, double pairs, double base) { return power(base, -i / (pairs - 1)); });
}
Changed exponent_from_half(const Subject& subject) {
    return with_formula(subject, [](double i, double pairs, double base) {
        return power(base, -(2 * i + 1) / (2 * pairs));
    });
}
/// The exponent of a partial rotation is counted over the whole head.
Changed exponent_of_the_head(const Subject& subject) {
    const auto half = to_double(subject.right.shape.head_dim) / 2;
    return half == to_double(std::ssize(subject.right.pairs))
               ? Changed{}
               : with_formula(subject, [half](double i, double, double base) {
                     return power(base, -i / half);
                 });
}
Changed exponent_without_two(const Subject& subject) {
    return with_formula(
        subject, [](double i, double pairs, double base) { return power(base, -i / (2 * pairs)); });
}
Changed inverted(const Subject& subject) {
    return with_formula(subject,
                        [](double i, double pairs, double base) { return power(base, i / pairs); });
}
Changed in_reverse(const Subject& subject) {
    RotationPlan plan = subject.right;
    if (subject.spec == nullptr) {
        return {};
    }
    std::ranges::reverse(plan.omega_rad);
    return plan;
}
Changed flat(const Subject& subject) {
    return with_formula(subject, [](double, double, double) { return 1.0; });
}

Changed without_gain(const Subject& subject) {
    RotationPlan plan = subject.right;
    if (plan.gain == 1) {
        return {};
    }
    plan.gain = 1;
    return plan;
}
Changed gain_twice(const Subject& subject) {
    RotationPlan plan = subject.right;
    if (plan.gain == 1) {
        return {};
    }
    plan.gain *= plan.gain;
    return plan;
}

Changed with_table(const Subject& subject, Rounded format) {
    RotationPlan plan = subject.right;
    plan.table = format;
    return plan;
}
Changed f16_table(const Subject& subject) {
    return with_table(subject, Rounded::f16);
}
Changed bf16_table(const Subject& subject) {
    return with_table(subject, Rounded::bf16);
}
Changed bf16_inv_freq(const Subject& subject) {
    RotationPlan plan = subject.right;
    plan.inv_freq = Rounded::bf16;
    return plan;
}
Changed f16_inv_freq(const Subject& subject) {
    RotationPlan plan = subject.right;
    plan.inv_freq = Rounded::f16;
    return plan;
}
Changed bf16_angles(const Subject& subject) {
    RotationPlan plan = subject.right;
    plan.angle = Rounded::bf16;
    return plan;
}
Changed f16_angles(const Subject& subject) {
    RotationPlan plan = subject.right;
    plan.angle = Rounded::f16;
    return plan;
}
/// The way of code that takes the model's dtype for everything.
Changed bf16_throughout(const Subject& subject) {
    RotationPlan plan = subject.right;
    plan.inv_freq = plan.position = plan.angle = plan.table = Rounded::bf16;
    return plan;
}
Changed bf16_positions(const Subject& subject) {
    RotationPlan plan = subject.right;
    plan.position = Rounded::bf16;
    return plan;
}

}  // namespace

std::vector<RotationFault> spectrum_faults() {
    return {
        {faults::code("spectrum.default"), "scaling",
         "the scaling of the configuration was not applied", scaling_not_applied},
        {faults::code("spectrum.default"), "base", "the base was 10000", usual_base},
        {faults::code("spectrum.scaled"), "yarn_truncate",
         "the ends of YaRN's ramp were rounded to whole pairs, or were not, against the "
         "configuration",
         other_truncation},
        {faults::code("spectrum.scaled"), "scaling", "all frequencies were divided by the factor",
         scaled_linearly},
        {faults::code("spectrum.changes_at"), "longrope_boundary",
         "the frequencies were those of another length of the sequence", of_another_length},
        {faults::code("spectrum.exponent_off_by_one"), "base",
         "the exponent was 2 (i + 1) / rotary_dim", exponent_from_one},
        {faults::code("spectrum.exponent_off_by_one"), "base",
         "the exponent was i / (rotary_dim / 2 - 1)", exponent_to_one},
        {faults::code("spectrum.exponent_off_by_one"), "base", "the exponent was i / rotary_dim",
         exponent_without_two},
        {faults::code("spectrum.exponent_off_by_one"), "base",
         "the exponent was (2 i + 1) / rotary_dim", exponent_from_half},
        {faults::code("spectrum.default"), "partial", "the exponent was 2 i / head_dim",
         exponent_of_the_head},
        {faults::code("spectrum.inverted"), "base", "the exponent had the other sign", inverted},
        {faults::code("spectrum.inverted"), "base", "the frequencies were in reverse order",
         in_reverse},
        {faults::code("spectrum.flat"), "base", "all pairs turned by 1 radian for each position",
         flat},
        {faults::code("gain"), "gain", "the attention factor was left out", without_gain},
        {faults::code("gain"), "gain", "the attention factor was applied twice", gain_twice},
        {faults::code("spectrum.low_precision"), "far", "the frequencies were rounded to bf16",
         bf16_inv_freq},
        {faults::code("spectrum.low_precision"), "far", "the frequencies were rounded to fp16",
         f16_inv_freq},
        {faults::code("spectrum.low_precision"), "far", "the angles were rounded to bf16",
         bf16_angles},
        {faults::code("spectrum.low_precision"), "far", "the angles were rounded to fp16",
         f16_angles},
        {faults::code("spectrum.low_precision"), "far",
         "positions, frequencies and angles were rounded to bf16, and perhaps cos and sin",
         bf16_throughout},
        {faults::code("positions.low_precision"), "far", "the positions were rounded to bf16",
         bf16_positions},
        {faults::code("table.fp16"), "precision", "cos and sin were rounded to fp16", f16_table},
        {faults::code("table.bf16"), "precision", "cos and sin were rounded to bf16", bf16_table},
    };
}

}  // namespace ropescope::vectors
