#include "core/checks/families/scaling_checks.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/checks/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/scaling_reference.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

constexpr double kFactors[] = {1.0, 1.5, 4.0, 40.0};
constexpr std::int64_t kLengths[] = {1024, 8192, 32768};

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

std::string swept() {
    return "rotary_dim 20..128, base 1e4..1e6, factor 1..40, original length 1024..32768";
}

std::string where(const RopeSpec& spec, int pair) {
    return fmt::format("{}, {} x {:g}, seq_len {}, pair {}", describe(spec),
                       scaling_type(spec.scaling), extension_factor(spec.scaling), spec.seq_len,
                       pair);
}

/// A method's own operations on a frequency that is rounded once: a product, two quotients, a
/// difference and a sum round by u each and their operands carry two more. NTK raises to a power
/// whose exponent d / (d - 2) and stretch round, which the frequency's own exponent (at most 1) and
/// ln(stretch) <= 8 multiply: 16 u in all. YaRN's and Llama 3's ramps divide differences of numbers
/// up to 128 by at least 1/4 of them where they are not cut off: 2^10 u of the ramp, and no more of
/// the frequency.
constexpr double kFewRoundings = 24 * kUnitDouble;
constexpr double kRampRoundings = 1024 * kUnitDouble;

/// Every pair of `make(spec)` against the reference, relative.
void compare(WorstCase& worst, const MakeSpectrum& make, const RopeSpec& spec, double bound) {
    const Spectrum spectrum = make(spec);
    const std::vector<long double> reference = reference_scaled_inv_freq(spec);
    for (int pair = 0; pair < spec.pairs(); ++pair) {
        const long double expected = reference[static_cast<std::size_t>(pair)];
        const long double measured = spectrum.inv_freq_rad.at(static_cast<std::size_t>(pair));
        const long double error =
            expected == 0 ? std::abs(measured) : std::abs(measured / expected - 1);
        worst.add(static_cast<double>(error), bound, [&] { return where(spec, pair); });
    }
}

/// The reference over encodings, factors and lengths.
template <typename MakeScaling>
Finding sweep_method(const MakeSpectrum& make, double bound, std::string reason,
                     MakeScaling make_scaling, std::initializer_list<double> lengths_at = {0.0}) {
    WorstCase worst;
    for (RopeSpec spec : encodings()) {
        for (const double factor : kFactors) {
            for (const std::int64_t original : kLengths) {
                spec.scaling = make_scaling(spec, factor, original);
                for (const double length : lengths_at) {
                    spec.seq_len =
                        static_cast<std::int64_t>(length * static_cast<double>(original));
                    compare(worst, make, spec, bound);
                }
            }
        }
    }
    return worst.finding(std::move(reason), swept());
}

const char* const kFewText = "24 u: the operations of the method on a frequency rounded once";
const char* const kRampText = "1024 u: the ramp divides differences of numbers up to 128";

LongRopeScaling longrope(const RopeSpec& spec, double factor, std::int64_t original) {
    LongRopeScaling scaling;
    scaling.original_positions = original;
    scaling.factor = factor;
    for (int pair = 0; pair < spec.pairs(); ++pair) {
        scaling.short_factor.push_back(1.0 + 0.01 * pair);
        scaling.long_factor.push_back(1.0 + (factor - 1.0) * pair / spec.pairs());
    }
    return scaling;
}

std::vector<Scaling> every_method(const RopeSpec& spec, double factor) {
    return {LinearScaling{factor},
            NtkScaling{factor},
            DynamicNtkScaling{factor, 4096},
            YarnScaling{.factor = factor, .original_positions = 4096},
            Llama3Scaling{.factor = factor},
            LongRopeScaling{
                .short_factor = std::vector<double>(static_cast<std::size_t>(spec.pairs()), factor),
                .long_factor = std::vector<double>(static_cast<std::size_t>(spec.pairs()), factor),
                .original_positions = 4096,
                .factor = factor},
            ProportionalScaling{1.0, factor}};
}

}  // namespace

Finding linear_is_interpolation(const MakeSpectrum& make) {
    return sweep_method(make, kFewRoundings, kFewText,
                        [](const RopeSpec&, double factor, std::int64_t) {
                            return Scaling(LinearScaling{factor});
                        });
}

Finding ntk_is_a_larger_base(const MakeSpectrum& make) {
    return sweep_method(
        make, kFewRoundings, kFewText,
        [](const RopeSpec&, double factor, std::int64_t) { return Scaling(NtkScaling{factor}); });
}

Finding dynamic_follows_the_length(const MakeSpectrum& make) {
    return sweep_method(make, kFewRoundings, kFewText,
                        [](const RopeSpec&, double factor, std::int64_t original) {
                            return Scaling(DynamicNtkScaling{factor, original});
                        },
                        {0.5, 1.0, 1.25, 32.0});
}

Finding yarn_follows_its_ramp(const MakeSpectrum& make) {
    return sweep_method(make, kRampRoundings, kRampText,
                        [](const RopeSpec& spec, double factor, std::int64_t original) {
                            return Scaling(YarnScaling{.factor = factor,
                                                       .original_positions = original,
                                                       .beta_fast = spec.base > 2e5 ? 32.0 : 16.0,
                                                       .truncate = factor > 1.9});
                        });
}

Finding llama3_follows_its_bands(const MakeSpectrum& make) {
    return sweep_method(
        make, kRampRoundings, kRampText, [](const RopeSpec&, double factor, std::int64_t original) {
            return Scaling(Llama3Scaling{.factor = factor, .original_positions = original});
        });
}

Finding longrope_takes_its_list(const MakeSpectrum& make) {
    return sweep_method(make, kFewRoundings, kFewText,
                        [](const RopeSpec& spec, double factor, std::int64_t original) {
                            return Scaling(longrope(spec, factor, original));
                        },
                        {0.0, 1.0, 1.0 + 1.0 / 1024.0});
}

Finding proportional_stops_pairs(const MakeSpectrum& make) {
    return sweep_method(make, kFewRoundings, kFewText,
                        [](const RopeSpec&, double factor, std::int64_t original) {
                            return Scaling(ProportionalScaling{
                                std::min(1.0, static_cast<double>(original) / 16384.0), factor});
                        });
}

Finding factor_one_changes_nothing(const MakeSpectrum& make) {
    WorstCase worst;
    for (const RopeSpec& plain : encodings()) {
        const Spectrum expected = make(plain);
        for (const Scaling& scaling : every_method(plain, 1.0)) {
            RopeSpec spec = plain;
            spec.scaling = scaling;
            const Spectrum spectrum = make(spec);
            worst.add(std::abs(spectrum.attention_factor - 1.0), 0.0,
                      [&] { return where(spec, 0); });
            for (int pair = 0; pair < spec.pairs(); ++pair) {
                const auto i = static_cast<std::size_t>(pair);
                worst.add(std::abs(spectrum.inv_freq_rad.at(i) / expected.inv_freq_rad[i] - 1.0),
                          4 * kUnitDouble, [&] { return where(spec, pair); });
            }
        }
    }
    return worst.finding("4 u: a blend of a number with itself", swept());
}

Finding scaled_between_whole_and_factor(const MakeSpectrum& make) {
    WorstCase worst;
    for (const RopeSpec& plain : encodings()) {
        const Spectrum whole = make(plain);
        for (const double factor : kFactors) {
            for (const Scaling& scaling : every_method(plain, factor)) {
                RopeSpec spec = plain;
                spec.scaling = scaling;
                const Spectrum scaled = make(spec);
                for (int pair = 0; pair < spec.pairs(); ++pair) {
                    const auto i = static_cast<std::size_t>(pair);
                    const double slowdown = whole.inv_freq_rad[i] / scaled.inv_freq_rad.at(i);
                    const double outside = std::max(1.0 - slowdown, slowdown / factor - 1.0);
                    worst.add(std::max(0.0, outside), kFewRoundings,
                              [&] { return where(spec, pair); });
                }
            }
        }
    }
    return worst.finding("24 u: quotients of numbers a few roundings apart", swept());
}

// Bound: a logarithm, a product and a sum, or a root, and the reference's own.
Finding attention_factors_by_logarithm(const MakeSpectrum& make) {
    WorstCase worst;
    const auto add = [&](const Scaling& scaling, long double expected, long double softmax) {
        const RopeSpec spec{.scaling = scaling};
        const Spectrum spectrum = make(spec);
        worst.add(static_cast<double>(std::abs(spectrum.attention_factor / expected - 1)),
                  8 * kUnitDouble, [&] { return where(spec, 0); });
        worst.add(static_cast<double>(std::abs(spectrum.softmax_scale_factor / softmax - 1)),
                  8 * kUnitDouble, [&] { return where(spec, 0) + ", softmax"; });
    };
    for (const double factor : kFactors) {
        // 0.1 ln s + 1 is log base e^10 of s, plus 1.
        const long double usual =
            1 + std::log2(static_cast<long double>(factor)) * std::log(2.0L) / 10;
        add(YarnScaling{.factor = factor, .original_positions = 4096}, usual, 1);
        add(YarnScaling{.factor = factor, .original_positions = 4096, .mscale = 0.707}, usual, 1);
        add(YarnScaling{.factor = factor,
                        .original_positions = 4096,
                        .mscale = 0.5,
                        .mscale_all_dim = 1.0,
                        .scales_softmax = true},
            (1 + (usual - 1) / 2) / usual, usual * usual);
        LongRopeScaling longrope{.short_factor = std::vector<double>(64, 1.0),
                                 .long_factor = std::vector<double>(64, 1.0),
                                 .original_positions = 4096,
                                 .factor = factor};
        // ln s / ln 2^12 = log2(s) / 12
        add(longrope, std::sqrt(1 + std::log2(static_cast<long double>(factor)) / 12), 1);
    }
    return worst.finding("8 u: logarithm, product, sum, quotient", "factor 1..40");
}

// The models' published parameters and the numbers that Hugging Face transformers 5 gives for them,
// computed in float64 by its own formulas: 17 digits, so the bound is both computations' roundings.
Finding published_models_come_out(const MakeSpectrum& make) {
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
        {"DeepSeek V3", deepseek, 3.3338035804083101e-06, 1.0, 1.8738542070926265},
        {"gpt-oss 20B", gpt_oss, 3.0235114281192144e-07, 1.3465735902799727, 1.0},
        {"Llama 3.1 8B", llama, 3.0689259889145111e-07, 1.0, 1.0},
        {"Vicuna 7B 16k", vicuna, 2.8869549617236455e-05, 1.0, 1.0},
    }};
    WorstCase worst;
    for (const Published& model : published) {
        const Spectrum spectrum = make(model.spec);
        const auto add = [&](const char* what, double measured, double expected) {
            worst.add(std::abs(measured / expected - 1.0), kFewRoundings,
                      [&] { return fmt::format("{}: {}", model.name, what); });
        };
        add("last inv_freq", spectrum.inv_freq_rad.back(), model.last_inv_freq);
        add("attention factor", spectrum.attention_factor, model.attention_factor);
        add("softmax scale factor", spectrum.softmax_scale_factor, model.softmax_factor);
    }
    return worst.finding("24 u: both computations' roundings",
                         "DeepSeek V3, gpt-oss 20B, Llama 3.1 8B, Vicuna 7B 16k");
}

std::vector<Check> scaling_checks() {
    const auto check = [](Finding (*finding)(const MakeSpectrum&)) {
        return [finding](const CheckContext&) { return finding(make_spectrum); };
    };
    return {
        {"scaling.linear", "linear: every pair by the factor", "Chen et al., arXiv:2306.15595",
         "Position interpolation divides every frequency by the factor.", "spectrum",
         check(linear_is_interpolation)},
        {"scaling.ntk", "NTK-aware: base s^(d/(d-2))", "YaRN, section 3.1",
         "The larger base slows pair i down by s^(2i/(d-2)): the last by s, the first not at all.",
         "spectrum", check(ntk_is_a_larger_base)},
        {"scaling.dynamic", "dynamic NTK with the length",
         "Hugging Face transformers, rope type dynamic",
         "Up to the trained length nothing changes; beyond it the stretch grows with the length.",
         "spectrum", check(dynamic_follows_the_length)},
        {"scaling.yarn", "YaRN's ramp", "YaRN, section 3.2; Hugging Face rope type yarn",
         "Pairs between beta_fast and beta_slow turns are blended, found here by bisection.",
         "spectrum", check(yarn_follows_its_ramp)},
        {"scaling.llama3", "Llama 3's bands", "Meta llama-models, apply_scaling",
         "Short wavelengths stay, long ones grow by the factor, those between are blended.",
         "spectrum", check(llama3_follows_its_bands)},
        {"scaling.longrope", "LongRoPE's two lists", "Ding et al., arXiv:2402.13753",
         "Beyond the original length the long list divides the frequencies, else the short one.",
         "spectrum", check(longrope_takes_its_list)},
        {"scaling.proportional", "proportional rotary",
         "Hugging Face transformers, rope type proportional",
         "Exponents run over the whole head, and pairs beyond the share stand still.", "spectrum",
         check(proportional_stops_pairs)},
        {"scaling.identity", "factor 1 changes nothing", "all methods",
         "Every method with factor 1 is the unscaled encoding, with attention factor 1.",
         "spectrum", check(factor_one_changes_nothing)},
        {"scaling.range", "between unchanged and the factor", "all methods",
         "No method speeds a pair up or slows it by more than the factor.", "context",
         check(scaled_between_whole_and_factor)},
        {"scaling.attention_factor", "factors on table and softmax",
         "YaRN, eq. 22; LongRoPE; DeepSeek V3's yarn_get_mscale",
         "The attention factor grows with the logarithm of the factor; mscale counts only in a "
         "pair.",
         "context", check(attention_factors_by_logarithm)},
        {"scaling.published", "published models",
         "config.json of the models, by Hugging Face transformers 5",
         "DeepSeek V3, gpt-oss, Llama 3.1 and Vicuna come out as their own library computes them.",
         "model", check(published_models_come_out)},
    };
}

}  // namespace ropescope
