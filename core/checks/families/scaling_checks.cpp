// Checks the scaling methods against a reference, their limits, and numbers of published models.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <ranges>
#include <type_traits>

#include "core/base/index.h"
#include "core/checks/families/families.h"
#include "core/checks/families/spectrum_checks.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

constexpr double kScalingFactors[] = {1.0, 1.5, 4.0, 40.0};
constexpr Index kLengths[] = {1024, 8192, 32768};

/// Widths and bases of published models.
std::vector<RopeSpec> encodings() {
    std::vector<RopeSpec> specs;
    for (const int width : {20, 96, 128}) {
        for (const double base : {1e4, 1.5e5, 1e6}) {
            specs.push_back({.head_dim = width, .rotary_dim = width, .base = base});
        }
    }
    return specs;
}

std::string swept_scalings() {
    return "rotary_dim 20..128, base 1e4..1e6, factor 1..40, original length 1024..32768";
}

std::string where_scaled(const RopeSpec& spec, Index pair) {
    return fmt::format("{} scaling={} factor={:g} seq_len={} pair={}", case_name(spec),
                       scaling_type(spec.scaling), extension_factor(spec.scaling), spec.seq_len,
                       pair);
}

/// A method's own operations on a frequency that is rounded once: a product, two quotients, a
/// difference and a sum round by u each and their operands carry two more. NTK raises to a power
/// whose exponent d / (d - 2) and stretch round, which the frequency's own exponent (at most 1) and
/// ln(stretch) <= 8 multiply: 16 u in all. YaRN's and Llama 3's ramps divide differences of numbers
/// up to 128 by at least 1/4 of them where they are not cut off: 2^10 u of the ramp, and no
/// more of the frequency.
constexpr double kFewRoundings = 24 * kUnitDouble;
constexpr double kRampRoundings = 1024 * kUnitDouble;

const char* const kFewText = "24 u: the operations of the method on a frequency rounded once";
const char* const kRampText = "1024 u: the ramp divides differences of numbers up to 128";

/// Where 0 is expected, nothing else will do.
double relative_error(long double measured, long double expected) {
    if (expected == 0) {
        return measured == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return static_cast<double>(std::abs(measured / expected - 1));
}

/// Every pair of `make(spec)` against the reference, relative.
void compare(WorstCase& worst, const MakeSpectrum& make, const RopeSpec& spec, double bound) {
    const Spectrum spectrum = make(spec);
    const std::vector<long double> reference = reference_scaled_inv_freq(spec);
    for (Index pair = 0; pair < spec.pairs(); ++pair) {
        worst.add(relative_error(spectrum.inv_freq_rad.at(pair), reference[pair]), bound,
                  [&] { return where_scaled(spec, pair); });
    }
}

// What the sweep gives a method beside its factor and its original length.

template <typename Method>
void vary(Method&, const RopeSpec&, Index) {}

void vary(YarnScaling& yarn, const RopeSpec& spec, Index original) {
    yarn.beta_fast = spec.base > 2e5 ? 32.0 : 16.0;
    yarn.truncate = yarn.factor > 1.9;
    if (!yarn.truncate && original < 2048) {
        yarn.beta_fast = yarn.beta_slow;  // a ramp of no width: a step between two pairs
    }
}

void vary(LongRopeScaling& longrope, const RopeSpec& spec, Index) {
    for (Index pair = 0; pair < spec.pairs(); ++pair) {
        longrope.short_factor.push_back(1.0 + 0.01 * to_double(pair));
        longrope.long_factor.push_back(1.0 + (longrope.factor - 1.0) * to_double(pair) /
                                                 to_double(spec.pairs()));
    }
}

void vary(ProportionalScaling& proportional, const RopeSpec&, Index original) {
    proportional.partial_rotary_factor = std::min(1.0, to_double(original) / 16384.0);
}

/// The method with this factor and this original length, if it has them.
template <typename Method>
Method extended(Method method, double factor, Index original) {
    if constexpr (requires { method.factor; }) {
        method.factor = factor;
    }
    if constexpr (requires { method.original_positions; }) {
        method.original_positions = original;
    }
    return method;
}

/// Lengths of the sequence, in original lengths.
std::vector<double> swept_lengths(const Scaling& scaling) {
    if (facts(scaling).depends_on_seq_len) {
        return {0.0, 0.5, 1.0, 1.0 + 1.0 / 1024.0, 1.25, 32.0};
    }
    return {0.0};
}

/// All methods but NoScaling, with this factor for every pair where they have lists.
std::vector<Scaling> every_method(const RopeSpec& spec, double factor) {
    std::vector<Scaling> methods;
    const auto add = [&](const auto& usual) {
        const Index original = original_positions(usual).value_or(0);
        auto method = extended(usual, factor, original > 0 ? original : 4096);
        for_each_field(method, [&](const auto&, auto& value) {
            if constexpr (std::is_same_v<decltype(value), std::vector<double>&>) {
                value.assign(spec.pairs(), factor);
            }
        });
        methods.emplace_back(method);
    };
    for (const Scaling& usual : scaling_methods() | std::views::drop(1)) {
        std::visit(add, usual);
    }
    return methods;
}

}  // namespace

CheckFinding follows_reference(const Scaling& scaling, const MakeSpectrum& make,
                               const Cases& cases) {
    const bool blends = facts(scaling).blends;
    const double bound = blends ? kRampRoundings : kFewRoundings;
    WorstCase worst(cases);
    for (RopeSpec spec : encodings()) {
        for (const double factor : kScalingFactors) {
            for (const Index original : kLengths) {
                std::visit(
                    [&](const auto& usual) {
                        auto method = extended(usual, factor, original);
                        vary(method, spec, original);
                        spec.scaling = method;
                    },
                    scaling);
                for (const double length : swept_lengths(scaling)) {
                    spec.seq_len = floor_to_index(length * to_double(original));
                    compare(worst, make, spec, bound);
                }
            }
        }
    }
    return worst.finding(blends ? kRampText : kFewText, swept_scalings());
}

CheckFinding factor_one_changes_nothing(const MakeSpectrum& make, const Cases& cases) {
    WorstCase worst(cases);
    for (const RopeSpec& plain : encodings()) {
        const Spectrum expected = make(plain);
        for (const Scaling& scaling : every_method(plain, 1.0)) {
            RopeSpec spec = plain;
            spec.scaling = scaling;
            const Spectrum spectrum = make(spec);
            worst.add(std::abs(spectrum.attention_factor - 1.0), 0.0,
                      [&] { return where_scaled(spec, 0); });
            for (Index pair = 0; pair < spec.pairs(); ++pair) {
                const double ratio = spectrum.inv_freq_rad.at(pair) / expected.inv_freq_rad[pair];
                worst.add(std::abs(ratio - 1.0), 4 * kUnitDouble,
                          [&] { return where_scaled(spec, pair); });
            }
        }
    }
    return worst.finding("4 u: a blend of a number with itself", swept_scalings());
}

CheckFinding scaled_between_whole_and_factor(const MakeSpectrum& make, const Cases& cases) {
    WorstCase worst(cases);
    for (const RopeSpec& plain : encodings()) {
        const Spectrum whole = make(plain);
        for (const double factor : kScalingFactors) {
            for (const Scaling& scaling : every_method(plain, factor)) {
                RopeSpec spec = plain;
                spec.scaling = scaling;
                const Spectrum scaled = make(spec);
                for (Index pair = 0; pair < spec.pairs(); ++pair) {
                    const double slowdown = whole.inv_freq_rad[pair] / scaled.inv_freq_rad.at(pair);
                    const double outside = std::max(1.0 - slowdown, slowdown / factor - 1.0);
                    worst.add(std::max(0.0, outside), kFewRoundings,
                              [&] { return where_scaled(spec, pair); });
                }
            }
        }
    }
    return worst.finding("24 u: quotients of numbers a few roundings apart", swept_scalings());
}

// Bound: a logarithm, a product and a sum, or a root, and the reference's own.
CheckFinding attention_factors_by_logarithm(const MakeSpectrum& make, const Cases& cases) {
    WorstCase worst(cases);
    const auto add = [&](const Scaling& scaling, long double expected, long double softmax) {
        const RopeSpec spec{.scaling = scaling};
        const Spectrum spectrum = make(spec);
        worst.add(relative_error(spectrum.attention_factor, expected), 8 * kUnitDouble,
                  [&] { return where_scaled(spec, 0); });
        worst.add(relative_error(spectrum.softmax_scale_factor, softmax), 8 * kUnitDouble,
                  [&] { return where_scaled(spec, 0) + " number=softmax"; });
    };
    for (const double factor : kScalingFactors) {
        // 0.1 ln s + 1 is log base e^10 of s, plus 1.
        const long double wide_factor = factor;
        const long double doublings = std::log2(wide_factor);
        const long double usual = 1 + doublings * std::log(2.0L) / 10;
        add(YarnScaling{.factor = factor, .original_positions = 4096}, usual, 1);
        add(YarnScaling{.factor = factor, .original_positions = 4096, .mscale = 0.707}, usual, 1);
        add(YarnScaling{.factor = factor,
                        .original_positions = 4096,
                        .mscale = 0.5,
                        .mscale_all_dim = 1.0,
                        .scales_softmax = true},
            (1 + (usual - 1) / 2) / usual, usual * usual);
        add(
            YarnScaling{
                .factor = factor, .original_positions = 4096, .mscale = 1.0, .mscale_all_dim = 1.0},
            1, 1);
        add(YarnScaling{.factor = factor, .original_positions = 4096, .attention_factor = 0.75},
            0.75L, 1);
        LongRopeScaling longrope{.short_factor = std::vector<double>(64, 1.0),
                                 .long_factor = std::vector<double>(64, 1.0),
                                 .original_positions = 4096,
                                 .factor = factor};
        // ln s / ln 2^12 = log2(s) / 12
        add(longrope, std::sqrt(1 + doublings / 12), 1);
        longrope.attention_factor = 0.75;
        add(longrope, 0.75L, 1);
        longrope.short_mscale = 1.5;
        longrope.long_mscale = 2.5;
        add(longrope, 1.5L, 1);
        RopeSpec long_sequence{.scaling = longrope, .seq_len = 4097};
        worst.add(std::abs(make(long_sequence).attention_factor - 2.5), 0.0,
                  [&] { return where_scaled(long_sequence, 0) + " number=long_mscale"; });
    }
    return worst.finding("8 u: logarithm, product, sum, quotient", "factor 1..40");
}

// The models' published parameters and the numbers that Hugging Face transformers 5 gives for them,
// computed in float64 by its own formulas: 17 digits, so the bound is both computations' roundings.
CheckFinding published_models_come_out(const MakeSpectrum& make, const Cases& cases) {
    struct Published {
        const char* name;
        RopeSpec spec;
        double last_inv_freq, attention_factor, softmax_factor;
    };
    const RopeSpec deepseek{.head_dim = 64,
                            .rotary_dim = 64,
                            .scaling = YarnScaling{.factor = 40,
                                                   .original_positions = 4096,
                                                   .mscale = 1.0,
                                                   .mscale_all_dim = 1.0,
                                                   .scales_softmax = true}};
    const RopeSpec gpt_oss{
        .head_dim = 64,
        .rotary_dim = 64,
        .base = 150000,
        .scaling = YarnScaling{.factor = 32, .original_positions = 4096, .truncate = false}};
    const RopeSpec llama{.base = 5e5, .scaling = Llama3Scaling{}};
    const RopeSpec vicuna{.scaling = LinearScaling{4}};
    const std::array<Published, 4> published = {{
        {"deepseek-v3", deepseek, 3.3338035804083101e-06, 1.0, 1.8738542070926265},
        {"gpt-oss-20b", gpt_oss, 3.0235114281192144e-07, 1.3465735902799727, 1.0},
        {"llama-3.1-8b", llama, 3.0689259889145111e-07, 1.0, 1.0},
        {"vicuna-7b-16k", vicuna, 2.8869549617236455e-05, 1.0, 1.0},
    }};
    WorstCase worst(cases);
    for (const Published& model : published) {
        const Spectrum spectrum = make(model.spec);
        const auto add = [&](const char* what, double measured, double expected) {
            worst.add(std::abs(measured / expected - 1.0), kFewRoundings,
                      [&] { return fmt::format("model={} number={}", model.name, what); });
        };
        add("last_inv_freq", spectrum.inv_freq_rad.back(), model.last_inv_freq);
        add("attention_factor", spectrum.attention_factor, model.attention_factor);
        add("softmax_scale_factor", spectrum.softmax_scale_factor, model.softmax_factor);
    }
    return worst.finding("24 u: both computations' roundings",
                         "DeepSeek V3, gpt-oss 20B, Llama 3.1 8B, Vicuna 7B 16k");
}

namespace {

/// A check on the program's own spectrum.
std::function<CheckFinding(const CheckContext&)> on_own_spectrum(
    CheckFinding (*finding)(const MakeSpectrum&, const Cases&)) {
    return [finding](const CheckContext& c) { return finding(make_spectrum, c.cases); };
}

/// The check that a method's own description states.
Check method_check(const Scaling& method) {
    const MethodFacts& about = facts(method);
    return {.id = fmt::format("scaling.{}", about.type),
            .title = std::string(about.title),
            .source = std::string(about.source),
            .statement = std::string(about.statement),
            .figure = "spectrum",
            .run = [method](const CheckContext& c) {
                return follows_reference(method, make_spectrum, c.cases);
            }};
}

}  // namespace

std::vector<Check> scaling_checks() {
    std::vector<Check> checks;
    for (const Scaling& method : scaling_methods() | std::views::drop(1)) {
        checks.push_back(method_check(method));
    }
    checks.push_back(
        {.id = "scaling.identity",
         .title = "factor 1 changes nothing",
         .source = "all methods",
         .statement = "With factor 1 every method is the unscaled encoding, with attention factor "
                      "1, if LongRoPE's own factors are 1, too, and proportional stops no pair.",
         .figure = "spectrum",
         .run = on_own_spectrum(factor_one_changes_nothing)});
    checks.push_back({.id = "scaling.range",
                      .title = "between unchanged and the factor",
                      .source = "all methods",
                      .statement =
                          "No method speeds a pair up or slows it by more than its factor, if "
                          "LongRoPE's own lie between 1 and it, and proportional stops no pair.",
                      .figure = "context",
                      .run = on_own_spectrum(scaled_between_whole_and_factor)});
    checks.push_back({.id = "scaling.attention_factor",
                      .title = "factors on table and softmax",
                      .source = "YaRN, eq. 22; LongRoPE; DeepSeek V3's yarn_get_mscale",
                      .statement = "The attention factor grows with the logarithm of the factor; "
                                   "mscale counts only in a pair.",
                      .figure = "context",
                      .run = on_own_spectrum(attention_factors_by_logarithm)});
    checks.push_back({.id = "scaling.published",
                      .title = "published models",
                      .source = "config.json of the models, by Hugging Face transformers 5",
                      .statement = "DeepSeek V3, gpt-oss, Llama 3.1 and Vicuna come out as their "
                                   "own library computes them.",
                      .figure = "model",
                      .run = on_own_spectrum(published_models_come_out)});
    return checks;
}

}  // namespace ropescope
