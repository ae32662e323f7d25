// Faults in the frequencies and in the precision of a table.
#include <cmath>

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

/// In long double and rounded once, as the right frequencies are.
double power(double base, double exponent) {
    return static_cast<double>(
        std::pow(static_cast<long double>(base), static_cast<long double>(exponent)));
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
Changed exponent_without_two(const Subject& subject) {
    return with_formula(
        subject, [](double i, double pairs, double base) { return power(base, -i / (2 * pairs)); });
}
Changed inverted(const Subject& subject) {
    return with_formula(subject,
                        [](double i, double pairs, double base) { return power(base, i / pairs); });
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
Changed bf16_positions(const Subject& subject) {
    RotationPlan plan = subject.right;
    plan.position = Rounded::bf16;
    return plan;
}

}  // namespace

std::vector<RotationFault> spectrum_faults() {
    return {
        {"spectrum.default", "scaling", "the scaling of the configuration was not applied",
         scaling_not_applied},
        {"spectrum.default", "base", "the base was 10000", usual_base},
        {"spectrum.scaled", "yarn_truncate",
         "the ends of YaRN's ramp were rounded to whole pairs, or were not, against the "
         "configuration",
         other_truncation},
        {"spectrum.changes_at", "longrope_boundary",
         "the frequencies were those of another length of the sequence", of_another_length},
        {"spectrum.exponent_off_by_one", "base", "the exponent was 2 (i + 1) / rotary_dim",
         exponent_from_one},
        {"spectrum.exponent_off_by_one", "base", "the exponent was i / (rotary_dim / 2 - 1)",
         exponent_to_one},
        {"spectrum.exponent_off_by_one", "base", "the exponent was i / rotary_dim",
         exponent_without_two},
        {"spectrum.inverted", "base", "the exponent had the other sign", inverted},
        {"spectrum.flat", "base", "all pairs turned by 1 radian for each position", flat},
        {"gain", "gain", "the attention factor was left out", without_gain},
        {"gain", "gain", "the attention factor was applied twice", gain_twice},
        {"spectrum.low_precision", "far", "the frequencies were rounded to bf16", bf16_inv_freq},
        {"positions.low_precision", "far", "the positions were rounded to bf16", bf16_positions},
        {"table.fp16", "precision", "cos and sin were rounded to fp16", f16_table},
        {"table.bf16", "precision", "cos and sin were rounded to bf16", bf16_table},
    };
}

}  // namespace ropescope::vectors
