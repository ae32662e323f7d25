// Spectra whose numbers are fitted to the speeds: bases, factors and methods of scaling.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "core/diagnosis/hypotheses/spectrum_model.h"
#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

/// As many digits as the error leaves.
double rounded_to_error(double value, double error) {
    if (!(error > 0.0)) {
        return value;
    }
    const double unit = std::pow(10.0, std::floor(std::log10(error)));
    return unit < std::abs(value) ? std::round(value / unit) * unit : value;
}

std::vector<double> scaled_powers(const SpectrumQuestion& question, double factor, double base) {
    std::vector<double> omega = powers(question.pairs(), base, 0.0, to_double(question.rotary_dim));
    for (double& each : omega) {
        each *= factor;
    }
    return omega;
}

/// A factor on all speeds, and the bound of its error.
struct Factor {
    double value = 1.0, error = 0.0;
};

/// The factor that fits best with this base: of the pair that is known best.
Factor factor_with(const SpectrumQuestion& question, const PowerFit& fit, double base) {
    const std::vector<double> plain = scaled_powers(question, 1.0, base);
    double sum = 0.0, weight = 0.0, error = 0.0;
    for (Index i = 0; i < question.pairs(); ++i) {
        const double guess = std::exp(fit.log_start - fit.log_step * to_double(i));
        const double measured = guess + question.speeds.difference(i, guess);
        const double w = 1.0 / (question.speeds.error[i] * question.speeds.error[i] + 1e-300);
        sum += w * measured * plain[i];
        weight += w * plain[i] * plain[i];
        error += w * plain[i] * question.speeds.error[i];
    }
    if (!(weight > 0.0)) {
        return {};
    }
    // Speeds are exact to 8 units of fp32 beside what was measured.
    return {sum / weight, error / weight + 0x1p-21 * std::abs(sum / weight)};
}

/// Factors that come of angles in degrees or in turns, where cos and sin take radians.
struct UnitMistake {
    double factor;
    const Phrase* text;
};
constexpr double kHalfTurn = 180.0, kPi = std::numbers::pi;
constexpr std::array<UnitMistake, 4> kUnitMistakes = {{{kHalfTurn / kPi, &say::kDegrees},
                                                       {kPi / kHalfTurn, &say::kFromDegrees},
                                                       {2.0 * kPi, &say::kTurns},
                                                       {0.5 / kPi, &say::kFromTurns}}};

const UnitMistake* unit_mistake(double factor) {
    const auto* const found =
        std::ranges::find(kUnitMistakes, factor, [](const UnitMistake& m) { return m.factor; });
    return found == kUnitMistakes.end() ? nullptr : found;
}

/// The nearest number with few digits within the error, or that of a mistaken unit; else the
/// measured one. An error of a thousandth is an angle far beyond rounding some tokens on.
double simple_factor(const Factor& factor) {
    const auto is_within = [&](double simple) {
        return std::abs(simple - factor.value) <= factor.error;
    };
    for (const double unit : {1.0, 0.5, 0.25, 0.1, 0.01, 0.001}) {
        for (const bool divide : {true, false}) {
            const double plain = divide ? 1.0 / factor.value : factor.value;
            const double rounded = std::round(plain / unit) * unit;
            if (rounded > 0.0 && is_within(divide ? 1.0 / rounded : rounded)) {
                return divide ? 1.0 / rounded : rounded;
            }
        }
        for (const UnitMistake& mistake : kUnitMistakes) {
            if (is_within(mistake.factor)) {
                return mistake.factor;
            }
        }
    }
    return factor.value;
}

SpectrumModel scaled_model(const SpectrumQuestion& question, double factor, double base) {
    SpectrumModel model{
        .code = factor > 1.0 ? faults::code("positions.scaled") : faults::code("spectrum.scaled"),
        .omega = scaled_powers(question, factor, base),
        .rotary_dim = question.rotary_dim,
        .base = base,
        .right = factor <= 1.0,
        .factor = factor > 1.0 ? factor : 1.0,
        .fitted_factor = factor};
    if (const UnitMistake* mistake = unit_mistake(factor)) {
        model.code = faults::code("positions.scaled");
        model.right = false;
        model.factor = factor;
        model.words = {say::kMistakenUnit, {Measured{base}, factor, *mistake->text}};
        return model;
    }
    if (factor < 1.0) {
        model.scaling = LinearScaling{1.0 / factor};
        model.words = {say::kLinear, {Measured{base}, 1.0 / factor}};
    } else {
        model.words = {say::kFaster, {Measured{base}, factor}};
    }
    return model;
}

/// Trained lengths to try: powers of two that published models have.
constexpr std::array<Index, 11> kLengths = {4096,   8192,   2048, 32768, 16384, 65536,
                                            131072, 262144, 1024, 512,   256};

/// The unscaled spectrum over the measured one, for a usual base whose fastest pair is unscaled.
struct Ratios {
    double base = 0.0;
    std::vector<double> ratio, error;  ///< [pairs]; the error is infinite if nothing is known
};

std::vector<Ratios> possible_ratios(const SpectrumQuestion& question) {
    std::vector<Ratios> all;
    const std::optional<PowerFit> fit =
        fit_powers(question, 0, std::max<Index>(2, question.pairs() / 6));
    for (const double base : usual_bases()) {
        const std::vector<double> plain =
            powers(question.pairs(), base, 0.0, to_double(question.rotary_dim));
        Ratios ratios{base, {}, {}};
        for (Index i = 0; i < question.pairs(); ++i) {
            const double omega = question.speeds.omega[i];
            const double relative = question.speeds.error[i] / std::abs(omega) + 0x1p-19;
            ratios.ratio.push_back(plain[i] / omega);
            ratios.error.push_back(omega > 0.0 && relative < 0.2
                                       ? 1.5 * relative * plain[i] / omega
                                       : std::numeric_limits<double>::infinity());
        }
        const bool close = !fit || std::abs(fit->log_step -
                                            2.0 * std::log(base) / to_double(question.rotary_dim)) <
                                       4.0 * fit->log_step_error + 0x1p-18;
        if (close && std::abs(ratios.ratio.front() - 1.0) <= ratios.error.front()) {
            all.push_back(std::move(ratios));
        }
    }
    return all;
}

/// The factor of the slow pairs, as a number with few digits where that is within its error.
std::optional<double> slow_factor(const Ratios& ratios) {
    for (std::size_t i = ratios.ratio.size(); i-- > 0;) {
        if (ratios.error[i] < 0.2 * ratios.ratio[i]) {
            for (const double unit : {1.0, 0.5, 0.25, 0.1, 0.01}) {
                const double rounded = std::round(ratios.ratio[i] / unit) * unit;
                if (std::abs(rounded - ratios.ratio[i]) <= ratios.error[i]) {
                    return rounded > 1.0 ? std::optional(rounded) : std::nullopt;
                }
            }
            return ratios.ratio[i] > 1.0 ? std::optional(ratios.ratio[i]) : std::nullopt;
        }
    }
    return std::nullopt;
}

/// Appends the model of this scaling if it can be made and fits.
void try_scaling(const SpectrumQuestion& question, double base, const Scaling& scaling,
                 const Words& words, std::vector<SpectrumModel>& found) {
    RopeSpec spec{.head_dim = question.rotary_dim,
                  .rotary_dim = question.rotary_dim,
                  .base = base,
                  .scaling = scaling};
    try {
        SpectrumModel model{.code = faults::code("spectrum.scaled"),
                            .omega = make_spectrum(spec).inv_freq_rad,
                            .rotary_dim = question.rotary_dim,
                            .base = base,
                            .scaling = scaling,
                            .words = words};
        if (fit_of(question, model.omega).fits()) {
            found.push_back(std::move(model));
        }
    } catch (const InputError&) {
        return;  // this length or base does not suit the method
    }
}

}  // namespace

void fitted_default(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    const std::optional<PowerFit> fit = fit_powers(question, 0, question.pairs());
    if (!fit || fit->log_step <= 4.0 * fit->log_step_error + 0x1p-19) {
        return;
    }
    const double base = rounded_to_error(fit->base(question.rotary_dim),
                                         0.1 * fit->base_error(question.rotary_dim));
    SpectrumModel model{
        .code = faults::code("spectrum.default"),
        .omega = scaled_powers(question, 1.0, base),
        .rotary_dim = question.rotary_dim,
        .base = base,
        .base_error = fit->base_error(question.rotary_dim),
        .words = {say::kFittedBase, {Measured{base, fit->base_error(question.rotary_dim)}}}};
    if (fit_of(question, model.omega).fits()) {
        found.push_back(std::move(model));
        return;
    }
    const Factor factor = factor_with(question, *fit, base);
    if (factor.value > 0.0) {
        model = scaled_model(question, simple_factor(factor), base);
        model.base_error = fit->base_error(question.rotary_dim);
        add_if_fits(question, std::move(model), found);
    }
}

void linear_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    const std::optional<PowerFit> fit = fit_powers(question, 0, question.pairs());
    if (!fit || fit->log_step <= 0.0) {
        return;
    }
    for (const double base : usual_bases()) {
        const double off = std::abs(std::log(base) - std::log(fit->base(question.rotary_dim)));
        if (off * 2.0 / to_double(question.rotary_dim) > 4.0 * fit->log_step_error + 0x1p-19) {
            continue;
        }
        const Factor factor = factor_with(question, *fit, base);
        if (factor.value > 0.0) {
            add_if_fits(question, scaled_model(question, simple_factor(factor), base), found);
        }
    }
}

void flat_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    double sum = 0.0, weight = 0.0;
    for (Index i = 0; i < question.pairs(); ++i) {
        const double w = 1.0 / (question.speeds.error[i] * question.speeds.error[i] + 1e-300);
        sum += w * question.speeds.omega[i];
        weight += w;
    }
    const double speed = std::round(sum / weight * 1e7) / 1e7;
    add_if_fits(question,
                {.code = faults::code("spectrum.flat"),
                 .omega = std::vector<double>(question.pairs(), speed),
                 .rotary_dim = question.rotary_dim,
                 .right = false,
                 .words = {say::kFlat, {speed}}},
                found);
}

void yarn_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const Ratios& ratios : possible_ratios(question)) {
        const std::optional<double> factor = slow_factor(ratios);
        if (!factor) {
            continue;
        }
        for (const Index length : kLengths) {
            for (const bool truncate : {true, false}) {
                YarnScaling yarn{.factor = *factor, .original_positions = length};
                yarn.truncate = truncate;
                try_scaling(question, ratios.base, yarn,
                            {truncate ? say::kYarn : say::kYarnUntruncated,
                             {Measured{ratios.base}, *factor, length}},
                            found);
            }
        }
    }
}

void llama3_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    constexpr std::array<std::pair<double, double>, 4> kBands = {
        {{1.0, 4.0}, {1.0, 2.0}, {1.0, 8.0}, {2.0, 4.0}}};
    for (const Ratios& ratios : possible_ratios(question)) {
        const std::optional<double> factor = slow_factor(ratios);
        if (!factor) {
            continue;
        }
        for (const Index length : kLengths) {
            for (const auto& [low, high] : kBands) {
                try_scaling(question, ratios.base, Llama3Scaling{*factor, low, high, length},
                            {say::kLlama3, {Measured{ratios.base}, *factor, length}}, found);
            }
        }
    }
}

void ntk_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    const std::optional<PowerFit> fit = fit_powers(question, 0, question.pairs());
    constexpr double kSharp = 1e-4;  // so that a factor is no accident among some dozens
    if (!fit || question.rotary_dim <= 2 ||
        fit->base_error(question.rotary_dim) > kSharp * fit->base(question.rotary_dim)) {
        return;
    }
    for (const double base : {10000.0, 500000.0, 1e6}) {
        for (const double factor : {1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 16.0, 32.0}) {
            try_scaling(question, base, NtkScaling{factor}, {say::kNtk, {Measured{base}, factor}},
                        found);
        }
    }
}

void proportional_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    Index turning = question.pairs();
    while (turning > 0 &&
           std::abs(question.speeds.omega[turning - 1]) <= question.speeds.error[turning - 1]) {
        --turning;
    }
    if (turning == 0 || (turning == question.pairs() && question.rotary_dim == question.head_dim)) {
        return;
    }
    for (const double base : usual_bases()) {
        for (const double factor : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0}) {
            SpectrumModel model{.code = faults::code("spectrum.scaled"),
                                .omega = powers(turning, base, 0.0, to_double(question.head_dim)),
                                .rotary_dim = question.rotary_dim,
                                .base = base};
            for (double& omega : model.omega) {
                omega /= factor;
            }
            model.scaling = ProportionalScaling{
                2.0 * to_double(turning) / to_double(question.head_dim), factor};
            model.words = {say::kProportional, {Measured{base}, question.head_dim, 2 * turning}};
            if (fit_of(question, model.omega).fits()) {
                found.push_back(std::move(model));
            }
        }
    }
}

void longrope_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const double base : {10000.0, 500000.0, 1e6}) {
        const std::vector<double> plain =
            powers(question.pairs(), base, 0.0, to_double(question.rotary_dim));
        LongRopeScaling scaling;
        double before = 0.99;
        bool rises = true;
        for (Index i = 0; i < question.pairs() && rises; ++i) {
            const double ratio = plain[i] / question.speeds.omega[i];
            const double error =
                ratio * (question.speeds.error[i] / std::abs(question.speeds.omega[i]) + 0x1p-19);
            rises = ratio > 0.0 && ratio + error >= before && error < 0.1 * ratio;
            before = std::max(before, ratio - error);
            scaling.short_factor.push_back(ratio);
        }
        if (!rises || before < 1.2 || scaling.short_factor.front() > 4.0) {
            continue;
        }
        scaling.long_factor = scaling.short_factor;
        found.push_back({.code = faults::code("spectrum.scaled"),
                         .omega = std::vector(question.speeds.omega.begin(),
                                              question.speeds.omega.begin() + question.pairs()),
                         .rotary_dim = question.rotary_dim,
                         .base = base,
                         .scaling = scaling,
                         .words = {say::kLongRope, {Measured{base}}}});
        return;
    }
}

}  // namespace ropescope::diagnosis
