// Spectra that are powers of a base which must be fitted.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/spectrum_model.h"
#include "core/faults/codes.h"

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

void add_if_fits(const SpectrumQuestion& question, SpectrumModel model,
                 std::vector<SpectrumModel>& found) {
    if (fit_of(question, model.omega).fits()) {
        found.push_back(std::move(model));
    }
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

}  // namespace ropescope::diagnosis
