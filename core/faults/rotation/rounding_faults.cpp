// Faults of numbers that are rounded between the positions and the result.
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <vector>

#include "core/base/wide_math.h"
#include "core/faults/codes.h"
#include "core/faults/rotation/near_families.h"

namespace ropescope::faults {
namespace {

struct NamedRounding {
    Rounding rounding;
    std::string to;  ///< "bf16"
    bool of_16_bits = false;
};

std::vector<NamedRounding> roundings() {
    std::vector<NamedRounding> all = {{NumberFormat::bf16, "to bf16", true},
                                      {NumberFormat::fp16, "to fp16", true}};
    for (const int steps : {127, 128, 255, 256, 1000, 1023, 1024, 2047, 2048, 4095, 4096}) {
        all.push_back({Rounding::to_steps(steps), fmt::format("to multiples of 1/{}", steps)});
    }
    all.push_back({Rounding::to_steps(1.0), "to whole numbers"});
    return all;
}

/// A number on the way of the table, and what it is called.
struct Stage {
    Rounding RotationPlan::*of;
    std::string_view name, code, code_of_steps;
};

std::vector<Stage> stages() {
    return {{&RotationPlan::table, "cos and sin", "", code("table.coarse")},
            {&RotationPlan::angle, "the angles", code("spectrum.low_precision"),
             code("spectrum.low_precision")},
            {&RotationPlan::inv_freq, "the frequencies", code("spectrum.low_precision"),
             code("spectrum.low_precision")},
            {&RotationPlan::position, "the positions", code("positions.low_precision"),
             code("positions.low_precision")}};
}

std::string_view code_of(const Stage& stage, const NamedRounding& rounding) {
    if (!rounding.of_16_bits) {
        return stage.code_of_steps;
    }
    return !stage.code.empty()                              ? stage.code
           : rounding.rounding.format == NumberFormat::bf16 ? code("table.bf16")
                                                            : code("table.fp16");
}

/// The products whose numbers are rounded, and what they are called.
struct RoundedProducts {
    unsigned which;
    std::string_view name, rest;
};
constexpr std::array<RoundedProducts, 7> kRoundedProducts = {
    {{RotationPlan::kAllProducts, "cos and sin", ""},
     {RotationPlan::kCosines, "cos", ", and of sin not"},
     {RotationPlan::kSines, "sin", ", and of cos not"},
     {1, "cos in x cos", ", and elsewhere not"},
     {2, "sin in y sin", ", and elsewhere not"},
     {4, "sin in x sin", ", and elsewhere not"},
     {8, "cos in y cos", ", and elsewhere not"}}};

std::string text_of(const Stage& stage, const RoundedProducts& products,
                    const NamedRounding& rounding) {
    if (products.which == RotationPlan::kAllProducts) {
        return fmt::format("{} were rounded {}", stage.name, rounding.to);
    }
    if (stage.of == &RotationPlan::table) {
        return fmt::format("{} was rounded {}, and the rest was not", products.name, rounding.to);
    }
    return fmt::format("{} of {} were rounded {}{}", stage.name, products.name, rounding.to,
                       products.rest);
}

Near rounded_stage(const NearSubject& subject) {
    for (const NamedRounding& rounding : roundings()) {
        for (const Stage& stage : stages()) {
            RotationPlan plan = subject.right;
            plan.*(stage.of) = rounding.rounding;
            for (const RoundedProducts& products : kRoundedProducts) {
                plan.rounded = products.which;
                if (subject.matches(plan)) {
                    return NamedFault{std::string(code_of(stage, rounding)),
                                      text_of(stage, products, rounding)};
                }
            }
        }
    }
    return std::nullopt;
}

/// Positions, frequencies and angles in one format, cos and sin in it or not.
Near rounded_chain(const NearSubject& subject) {
    for (const NumberFormat format : {NumberFormat::bf16, NumberFormat::fp16}) {
        for (const unsigned which : {3U, 5U, 6U, 7U, 11U, 13U, 14U, 15U, 9U, 10U, 12U}) {
            RotationPlan plan = subject.right;
            std::string names;
            unsigned bit = 1;
            for (const Stage& stage : stages()) {
                if ((which & bit) != 0) {
                    plan.*(stage.of) = format;
                    names += (names.empty() ? "" : " and ") + std::string(stage.name);
                }
                bit *= 2;
            }
            if (subject.matches(plan)) {
                return NamedFault{std::string(code("spectrum.low_precision")),
                                  fmt::format("{} were rounded to {}", names, to_string(format))};
            }
        }
    }
    return std::nullopt;
}

/// The exponents 2 i / d, the powers base^(2 i / d), or the frequencies before they are scaled.
Near rounded_powers(const NearSubject& subject) {
    if (subject.spec == nullptr) {
        return std::nullopt;
    }
    const RopeSpec& spec = *subject.spec;
    const auto power_of = [&](double exponent) {
        return static_cast<double>(wide_power(spec.base, exponent));
    };
    for (const NamedRounding& each : roundings()) {
        const Rounding& rounding = each.rounding;
        struct Stages {
            std::string_view text;
            std::function<double(double exponent)> speed;
        };
        const std::vector<Stages> all = {
            {"exponents 2 i / rotary_dim", [&](double e) { return power_of(-rounding(e)); }},
            {"powers base^(2 i / rotary_dim)",
             [&](double e) { return 1.0 / rounding(power_of(e)); }},
            {"frequencies, before they were scaled,",
             [&](double e) { return rounding(power_of(-e)); }}};
        for (const Stages& stage : all) {
            const auto plan = with_unscaled(subject, [&](Index i) {
                return stage.speed(2.0 * to_double(i) / to_double(spec.rotary_dim));
            });
            if (plan && subject.matches(*plan)) {
                return NamedFault{std::string(code("spectrum.low_precision")),
                                  fmt::format("the {} were rounded {}", stage.text, each.to)};
            }
        }
    }
    return std::nullopt;
}

/// The numbers that are rounded before the rotation or behind it.
struct RoundedNumbers {
    bool still;
    unsigned which;
    std::string_view text;
};
constexpr std::array<RoundedNumbers, 4> kRoundedNumbers = {
    {{true, RotationPlan::kAllProducts, ""},
     {false, RotationPlan::kAllProducts, "that turn, and not those that stay, "},
     {false, RotationPlan::kCosines, "that are multiplied by cos, and no others, "},
     {false, RotationPlan::kSines, "that are multiplied by sin, and no others, "}}};

/// All numbers before the rotation, or all behind it.
Near rounded_values(const NearSubject& subject) {
    std::vector<NamedRounding> all = {{NumberFormat::bf16, "to bf16", true},
                                      {NumberFormat::fp16, "to fp16", true}};
    for (int bits = 2; bits <= 7; ++bits) {
        all.push_back({Rounding::to_bits(bits),
                       fmt::format("to {} bits of their fraction, as 8-bit floats have", bits)});
    }
    for (const NamedRounding& rounding : all) {
        for (const bool before : {true, false}) {
            RotationPlan plan = subject.right;
            (before ? plan.before : plan.after) = rounding.rounding;
            for (const RoundedNumbers& numbers : kRoundedNumbers) {
                plan.rounds_still = numbers.still;
                plan.rounded_before = numbers.which;
                const bool other = before || numbers.which == RotationPlan::kAllProducts;
                if (other && subject.matches(plan)) {
                    return NamedFault{
                        std::string(code("not_a_rotation")),
                        fmt::format("the numbers {}{} the rotation were rounded {}", numbers.text,
                                    before ? "before" : "behind", rounding.to)};
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace

Near other_roundings(const NearSubject& subject) {
    for (const auto& family : {rounded_stage, rounded_chain, rounded_powers, rounded_values}) {
        if (auto found = family(subject)) {
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::faults
