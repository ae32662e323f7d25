// Tries the bases of published models, offsets of a few positions, factors on all of them, and
// rules by which they are kept.
#include "core/faults/rotation/near_faults.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numbers>

#include "core/base/memo.h"
#include "core/base/number_format.h"
#include "core/faults/codes.h"
#include "core/faults/rotation/near_families.h"
#include "core/faults/rotation/spectra.h"
#include "core/formats/presets.h"
#include "core/rope/spectrum.h"

namespace ropescope::faults {
namespace {

RotationPlan with_moved(RotationPlan plan, const std::function<double(double)>& moved) {
    std::ranges::transform(plan.positions, plan.positions.begin(), moved);
    return plan;
}

Near other_base(const NearSubject& subject) {
    if (subject.spec == nullptr) {
        return std::nullopt;
    }
    const RopeSpec& spec = *subject.spec;
    for (const double base : usual_bases()) {
        RopeSpec other = spec;
        other.base = base;
        if (base == spec.base) {
            continue;
        }
        for (const bool scaled : {true, false}) {
            if (!scaled) {
                other.scaling = NoScaling{};
            }
            const auto plan = with_spectrum_of(subject.right, other);
            if (plan && subject.matches(*plan)) {
                return NamedFault{code("spectrum.default"),
                                  fmt::format("the base was {:.10g} in place of {:.10g}{}", base,
                                              spec.base, scaled ? "" : ", and nothing was scaled"),
                                  true};
            }
            if (std::holds_alternative<NoScaling>(other.scaling)) {
                break;
            }
        }
    }
    return std::nullopt;
}

Near other_offset(const NearSubject& subject) {
    constexpr int kMost = 64;
    for (int distance = 1; distance <= kMost; ++distance) {
        for (const int offset : {distance, -distance}) {
            if (subject.matches(with_moved(subject.right,
                                           [=](double position) { return position + offset; }))) {
                return NamedFault{code("positions.offset"),
                                  fmt::format("every position was {:+d} from its own", offset),
                                  true};
            }
        }
    }
    return std::nullopt;
}

/// A factor on all positions, and what it means if it is the unit of an angle.
struct Factor {
    double value;
    std::string_view meaning;
};
constexpr double kPi = std::numbers::pi;
constexpr std::array<Factor, 16> kFactors = {{{180.0 / kPi, ": degrees in place of radians"},
                                              {kPi / 180.0, ": radians taken for degrees"},
                                              {2.0 * kPi, ": turns in place of radians"},
                                              {0.5 / kPi, ": radians taken for turns"},
                                              {2.0, ""},
                                              {0.5, ""},
                                              {3.0, ""},
                                              {1.0 / 3.0, ""},
                                              {4.0, ""},
                                              {0.25, ""},
                                              {8.0, ""},
                                              {0.125, ""},
                                              {16.0, ""},
                                              {0.0625, ""},
                                              {32.0, ""},
                                              {0.03125, ""}}};

Near other_scale(const NearSubject& subject) {
    for (const Factor& factor : kFactors) {
        if (subject.matches(
                with_moved(subject.right, [&](double p) { return p * factor.value; }))) {
            return NamedFault{code("positions.scaled"),
                              fmt::format("the positions were multiplied by {:.6g}{}", factor.value,
                                          factor.meaning),
                              true};
        }
    }
    return std::nullopt;
}

StorageRule rounded_rule(NumberFormat format) {
    return {code("positions.low_precision"),
            fmt::format("the positions were rounded to {}", to_string(format)),
            [=](double position) { return round_to(format, position); }};
}

/// A signed integer keeps the lowest bits of a whole number.
StorageRule integer_rule(int bits) {
    const double range = std::ldexp(1.0, bits);
    return {code("positions.restart"),
            fmt::format("the positions were kept in {} bits with a sign: {:.0f} became {:.0f}",
                        bits, range / 2.0, -range / 2.0),
            [=](double position) {
                return position - range * std::floor((position + range / 2.0) / range);
            }};
}

StorageRule wrapped_rule(double rows) {
    return {code("positions.restart"), fmt::format("positions began again at {:.0f}", rows),
            [=](double position) { return std::fmod(position, rows); }};
}

StorageRule ended_rule(double rows) {
    return {code("positions.clamped"),
            fmt::format("a table of {:.0f} rows gave its last row for all later tokens", rows),
            [=](double position) { return std::min(position, rows - 1.0); }};
}

Near other_rule(const NearSubject& subject) {
    for (const StorageRule& rule : storage_rules()) {
        const RotationPlan plan = with_moved(subject.right, rule.kept);
        if (plan.positions != subject.right.positions && subject.matches(plan)) {
            return NamedFault{rule.code, rule.text, true};
        }
    }
    return std::nullopt;
}

}  // namespace

const std::vector<StorageRule>& storage_rules() {
    return made_once([] {
        constexpr double kFewestRows = 128.0, kMostRows = 0x1p20;
        std::vector<StorageRule> rules = {rounded_rule(NumberFormat::bf16),
                                          rounded_rule(NumberFormat::fp16)};
        for (double rows = kFewestRows; rows <= kMostRows; rows *= 2.0) {
            rules.push_back(wrapped_rule(rows));
        }
        // Behind those, which say less: below half of the range both keep the same positions.
        rules.push_back(integer_rule(8));
        rules.push_back(integer_rule(16));
        for (double rows = kFewestRows; rows <= kMostRows; rows *= 2.0) {
            rules.push_back(ended_rule(rows));
        }
        return rules;
    });
}

std::optional<RotationPlan> with_spectrum_of(const RotationPlan& right, const RopeSpec& spec) {
    const Spectrum spectrum = make_spectrum(spec);
    if (right.axes != 1 || spectrum.inv_freq_rad.size() != right.omega_rad.size()) {
        return std::nullopt;
    }
    RotationPlan plan = right;
    plan.omega_rad = spectrum.inv_freq_rad;
    if (right.omega_rad.front() < 0.0) {  // a model that turns the other way
        std::ranges::transform(plan.omega_rad, plan.omega_rad.begin(), std::negate());
    }
    plan.gain = spectrum.attention_factor;
    return plan;
}

std::optional<NamedFault> find_near_fault(const RotationPlan& right, const RopeSpec* spec,
                                          const PlanMatches& matches,
                                          std::span<const MeasuredAngle> measured) {
    const NearSubject subject{right, spec, matches, measured};
    for (const auto& family :
         {other_base, other_places, other_terms, other_gain, other_entries, other_widths,
          other_parameters, other_offset, other_scale, other_rule, other_roundings}) {
        if (auto found = family(subject)) {
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::faults
