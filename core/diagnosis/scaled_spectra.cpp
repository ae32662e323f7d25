// Spectra of the scaling methods that treat pairs differently, with parameters read off the ratio
// to the unscaled spectrum.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/spectrum_model.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

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
