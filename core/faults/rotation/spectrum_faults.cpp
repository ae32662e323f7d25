// Faults in the frequencies and in the precision of a table.
#include <algorithm>
#include <cmath>

#include "core/base/wide_math.h"
#include "core/faults/codes.h"
#include "core/faults/rotation/catalogue.h"
#include "core/faults/rotation/spectra.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"

namespace ropescope::faults {
namespace {

using Changed = std::optional<RotationPlan>;

/// The plan of another spec for the same tensor.
Changed with_spec(const FaultSubject& subject, const RopeSpec& spec) {
    return plan_of(scheme_of(spec), subject.right.shape, subject.right.positions);
}

Changed scaling_not_applied(const FaultSubject& subject) {
    if (subject.spec == nullptr || subject.spec->scaling == Scaling{}) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    spec.scaling = {};
    return with_spec(subject, spec);
}

Changed usual_base(const FaultSubject& subject) {
    if (subject.spec == nullptr || subject.spec->base == RopeSpec{}.base) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    spec.base = RopeSpec{}.base;
    return with_spec(subject, spec);
}

/// The ramp of YaRN between pairs rounded to whole ones where the right one is not, or the reverse.
Changed other_truncation(const FaultSubject& subject) {
    if (subject.spec == nullptr || !std::holds_alternative<YarnScaling>(subject.spec->scaling)) {
        return {};
    }
    RopeSpec spec = *subject.spec;
    bool& truncate = std::get<YarnScaling>(spec.scaling).truncate;
    truncate = !truncate;
    return with_spec(subject, spec);
}

/// The frequencies of the other side of the length at which they change.
Changed of_another_length(const FaultSubject& subject) {
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
Changed scaled_linearly(const FaultSubject& subject) {
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

/// The frequencies of one axis, unscaled, with other exponents, in long double and rounded once, as
/// the right frequencies are.
Changed with_exponents(const FaultSubject& subject, const Exponents& exponents) {
    if (subject.spec == nullptr) {
        return {};
    }
    RotationPlan plan = subject.right;
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        plan.omega_rad[i] =
            static_cast<double>(wide_power(subject.spec->base, -exponents.of(to_double(i))));
    }
    return plan;
}

double rotary_dim_of(const FaultSubject& subject) {
    return 2.0 * to_double(std::ssize(subject.right.pairs));
}

Changed exponent_from_one(const FaultSubject& subject) {
    return with_exponents(subject, exponents_from_one(rotary_dim_of(subject)));
}
Changed exponent_to_one(const FaultSubject& subject) {
    return subject.right.pairs.size() < 2
               ? Changed{}
               : with_exponents(subject, exponents_to_one(rotary_dim_of(subject)));
}
Changed exponent_from_half(const FaultSubject& subject) {
    return with_exponents(subject, exponents_from_half(rotary_dim_of(subject)));
}
/// The exponent of a partial rotation is counted over the whole head.
Changed exponent_of_the_head(const FaultSubject& subject) {
    const double head_dim = to_double(subject.right.shape.head_dim);
    return head_dim == rotary_dim_of(subject) ? Changed{}
                                              : with_exponents(subject, {0.0, head_dim});
}
Changed exponent_without_two(const FaultSubject& subject) {
    return with_exponents(subject, exponents_without_two(rotary_dim_of(subject)));
}
Changed inverted(const FaultSubject& subject) {
    return with_exponents(subject, exponents_of_other_sign(rotary_dim_of(subject)));
}
Changed in_reverse(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    if (subject.spec == nullptr) {
        return {};
    }
    std::ranges::reverse(plan.omega_rad);
    return plan;
}
Changed flat(const FaultSubject& subject) {
    if (subject.spec == nullptr) {
        return {};
    }
    RotationPlan plan = subject.right;
    std::ranges::fill(plan.omega_rad, 1.0);
    return plan;
}

Changed without_gain(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    if (plan.gain == 1) {
        return {};
    }
    plan.gain = 1;
    return plan;
}
Changed gain_twice(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    if (plan.gain == 1) {
        return {};
    }
    plan.gain *= plan.gain;
    return plan;
}

Changed with_table(const FaultSubject& subject, NumberFormat format) {
    RotationPlan plan = subject.right;
    plan.table = format;
    return plan;
}
Changed f16_table(const FaultSubject& subject) {
    return with_table(subject, NumberFormat::fp16);
}
Changed bf16_table(const FaultSubject& subject) {
    return with_table(subject, NumberFormat::bf16);
}
Changed bf16_inv_freq(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.inv_freq = NumberFormat::bf16;
    return plan;
}
Changed f16_inv_freq(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.inv_freq = NumberFormat::fp16;
    return plan;
}
Changed bf16_angles(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.angle = NumberFormat::bf16;
    return plan;
}
Changed f16_angles(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.angle = NumberFormat::fp16;
    return plan;
}
/// The way of code that takes the model's dtype for everything.
Changed bf16_throughout(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.inv_freq = plan.position = plan.angle = plan.table = NumberFormat::bf16;
    return plan;
}
Changed bf16_positions(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.position = NumberFormat::bf16;
    return plan;
}
Changed f16_positions(const FaultSubject& subject) {
    RotationPlan plan = subject.right;
    plan.position = NumberFormat::fp16;
    return plan;
}

}  // namespace

std::vector<RotationFault> spectrum_faults() {
    return {
        {code("spectrum.default"), "scaling", "the scaling of the configuration was not applied",
         scaling_not_applied},
        {code("spectrum.default"), "base", "the base was 10000", usual_base},
        {code("spectrum.scaled"), "yarn_truncate",
         "the ends of YaRN's ramp were rounded to whole pairs, or were not, against the "
         "configuration",
         other_truncation},
        {code("spectrum.scaled"), "scaling", "all frequencies were divided by the factor",
         scaled_linearly},
        {code("spectrum.changes_at"), "longrope_boundary",
         "the frequencies were those of another length of the sequence", of_another_length},
        {code("spectrum.exponent_off_by_one"), "base", "the exponent was 2 (i + 1) / rotary_dim",
         exponent_from_one},
        {code("spectrum.exponent_off_by_one"), "base", "the exponent was i / (rotary_dim / 2 - 1)",
         exponent_to_one},
        {code("spectrum.exponent_off_by_one"), "base", "the exponent was i / rotary_dim",
         exponent_without_two},
        {code("spectrum.exponent_off_by_one"), "base", "the exponent was (2 i + 1) / rotary_dim",
         exponent_from_half},
        {code("spectrum.default"), "partial", "the exponent was 2 i / head_dim",
         exponent_of_the_head},
        {code("spectrum.inverted"), "base", "the exponent had the other sign", inverted},
        {code("spectrum.inverted"), "base", "the frequencies were in reverse order", in_reverse},
        {code("spectrum.flat"), "base", "all pairs turned by 1 radian for each position", flat},
        {code("gain"), "gain", "the attention factor was left out", without_gain},
        {code("gain"), "gain", "the attention factor was applied twice", gain_twice},
        {code("spectrum.low_precision"), "far", "the frequencies were rounded to bf16",
         bf16_inv_freq},
        {code("spectrum.low_precision"), "far", "the frequencies were rounded to fp16",
         f16_inv_freq},
        {code("spectrum.low_precision"), "far", "the angles were rounded to bf16", bf16_angles},
        {code("spectrum.low_precision"), "far", "the angles were rounded to fp16", f16_angles},
        {code("spectrum.low_precision"), "far",
         "positions, frequencies and angles were rounded to bf16, and perhaps cos and sin",
         bf16_throughout},
        {code("positions.low_precision"), "far", "the positions were rounded to bf16",
         bf16_positions},
        {code("positions.low_precision"), "far", "the positions were rounded to fp16",
         f16_positions},
        {code("table.fp16"), "precision", "cos and sin were rounded to fp16", f16_table},
        {code("table.bf16"), "precision", "cos and sin were rounded to bf16", bf16_table},
    };
}

}  // namespace ropescope::faults
