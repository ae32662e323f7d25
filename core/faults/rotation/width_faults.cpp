// Other widths and exponents of the spectrum than those of the model.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <variant>

#include "core/base/error.h"
#include "core/base/wide_math.h"
#include "core/faults/codes.h"
#include "core/faults/rotation/near_families.h"
#include "core/faults/rotation/spectra.h"
#include "core/rope/spectrum.h"

namespace ropescope::faults {

std::optional<RotationPlan> with_unscaled(const NearSubject& subject,
                                          const std::function<double(Index pair)>& speed) {
    const RotationPlan& right = subject.right;
    if (subject.spec == nullptr || right.axes != 1 ||
        right.omega_rad.size() != right.pairs.size()) {
        return std::nullopt;
    }
    RopeSpec plain = *subject.spec;
    plain.scaling = {};
    const std::vector<double> unscaled = make_spectrum(plain).inv_freq_rad;
    if (unscaled.size() != right.omega_rad.size()) {
        return std::nullopt;
    }
    RotationPlan plan = right;
    for (Index i = 0; i < std::ssize(plan.pairs); ++i) {
        plan.omega_rad[i] = right.omega_rad[i] * (speed(i) / unscaled[i]);
    }
    return plan;
}

namespace {

std::optional<RotationPlan> plan_of_width(const RotationPlan& right, const RopeSpec& spec) {
    try {
        RotationPlan plan = plan_of(scheme_of(spec), right.shape, right.positions);
        if (right.omega_rad.front() < 0.0) {
            std::ranges::transform(plan.omega_rad, plan.omega_rad.begin(), std::negate());
        }
        return plan;
    } catch (const InputError&) {
        return std::nullopt;  // a scaling that so few pairs cannot have
    }
}

/// More or fewer channels turn, with the frequencies of so many.
Near other_rotary_dim(const NearSubject& subject) {
    const RopeSpec& spec = *subject.spec;
    const RotationPlan& right = subject.right;
    if (spec.head_dim != right.shape.head_dim || right.axes != 1 ||
        std::ssize(right.omega_rad) != std::ssize(right.pairs) ||
        std::holds_alternative<LongRopeScaling>(spec.scaling) ||
        std::holds_alternative<ProportionalScaling>(spec.scaling)) {
        return std::nullopt;
    }
    for (Index width = 4; width <= spec.head_dim; width += 2) {
        RopeSpec other = spec;
        other.rotary_dim = width;
        if (width == spec.rotary_dim) {
            continue;
        }
        const auto plan = plan_of_width(right, other);
        if (plan && subject.matches(*plan)) {
            return NamedFault{
                std::string(code("partial_rotary")),
                fmt::format("rotary_dim was {} in place of {}", width, spec.rotary_dim), true};
        }
    }
    return std::nullopt;
}

}  // namespace

Near other_widths(const NearSubject& subject) {
    if (subject.spec == nullptr) {
        return std::nullopt;
    }
    const RopeSpec& spec = *subject.spec;
    const double width = to_double(spec.rotary_dim);
    struct Exponent {
        std::string_view text;
        Exponents exponents;
    };
    const std::vector<Exponent> all = {
        {"2 i / (rotary_dim + 2)", {0.0, width + 2.0}},
        {"2 i / (rotary_dim - 2)", {0.0, width - 2.0}},
        {"2 i / (rotary_dim + 1)", {0.0, width + 1.0}},
        {"2 i / (rotary_dim - 1)", {0.0, width - 1.0}},
        {"4 i / rotary_dim", {0.0, width / 2.0}},
        {"(2 i - 2) / rotary_dim", {-2.0, width}},
        {"(2 i - 1) / rotary_dim", {-1.0, width}},
        {"2 i / head_dim", {0.0, to_double(spec.head_dim)}},
        {"2 i / (2 head_dim)", {0.0, 2.0 * to_double(spec.head_dim)}},
    };
    for (const Exponent& each : all) {
        if (!(each.exponents.denominator > 0.0)) {
            continue;
        }
        const auto plan = with_unscaled(subject, [&](Index i) {
            return static_cast<double>(wide_power(spec.base, -each.exponents.of(to_double(i))));
        });
        if (plan && subject.matches(*plan)) {
            return NamedFault{std::string(code("spectrum.exponent_off_by_one")),
                              fmt::format("the exponent was {}", each.text)};
        }
    }
    return other_rotary_dim(subject);
}

}  // namespace ropescope::faults
