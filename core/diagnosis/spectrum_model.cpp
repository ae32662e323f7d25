// Compares measured speeds with spectra, and fits powers of a base to them.
#include "core/diagnosis/spectrum_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ropescope::diagnosis {
namespace {

constexpr std::array<ModelSource*, 17> kSources = {
    no_speed,         expected_spectra,   default_spectra, published_spectra, rounded_spectra,
    wrong_exponents,  flat_spectra,       linear_spectra,  ntk_spectra,       fitted_default,
    block_spectra,    inverted_spectra,   yarn_spectra,    llama3_spectra,    proportional_spectra,
    longrope_spectra, multiples_of_scaled};

/// A line ln omega = a - b i through two measured pairs.
PowerFit through(const SpectrumQuestion& question, Index i, Index j) {
    const double log_i = std::log(question.speeds.omega[i]);
    const double log_j = std::log(question.speeds.omega[j]);
    PowerFit fit;
    fit.log_step = (log_i - log_j) / to_double(j - i);
    fit.log_start = log_i + fit.log_step * to_double(i);
    return fit;
}

double relative_error(const SpectrumQuestion& question, Index i) {
    return question.speeds.error[i] / std::abs(question.speeds.omega[i]);
}

/// Whether pair k lies on the line; empty if its whole turns are in doubt.
std::optional<bool> on_line(const SpectrumQuestion& question, const PowerFit& line, Index i,
                            Index j, Index k) {
    const double share = to_double(k - i) / to_double(j - i);
    const double relative = std::abs(1.0 - share) * relative_error(question, i) +
                            std::abs(share) * relative_error(question, j) + 0x1p-19;
    const double omega = std::exp(line.log_start - line.log_step * to_double(k));
    const double allowed = omega * relative + question.speeds.error[k];
    if (!(allowed * question.speeds.step < 1.0)) {
        return std::nullopt;
    }
    return std::abs(question.speeds.difference(k, omega)) <= allowed;
}

}  // namespace

ModelFit fit_of(const SpectrumQuestion& question, std::span<const double> omega) {
    ModelFit fit;
    for (Index i = 0; i < question.all_pairs(); ++i) {
        const double expected = i < std::ssize(omega) ? omega[i] : 0.0;
        // A frequency that is formed in fp32 is exact to angle_units(), below 2^-19 for any base up
        // to 10^8, and so are angles.
        const double allowed = question.speeds.error[i] + 0x1p-19 * std::abs(expected) +
                               0x1p-20 * question.speeds.lever * std::abs(expected);
        if (allowed * question.speeds.step > 3.0) {
            continue;  // whole turns are in doubt
        }
        const double off = std::abs(question.speeds.difference(i, expected)) / allowed;
        fit.worst = std::max(fit.worst, off);
        fit.squares += off * off;
    }
    return fit;
}

double PowerFit::base(Index rotary_dim) const {
    return std::exp(log_step * to_double(rotary_dim) / 2.0);
}

double PowerFit::base_error(Index rotary_dim) const {
    return base(rotary_dim) * log_step_error * to_double(rotary_dim) / 2.0;
}

std::optional<PowerFit> fit_powers(const SpectrumQuestion& question, Index first, Index last) {
    std::vector<Index> usable;
    for (Index i = first; i < last; ++i) {
        if (question.speeds.omega[i] > 0.0 && relative_error(question, i) < 0.1) {
            usable.push_back(i);
        }
    }
    constexpr Index kTries = 12;
    const Index count = std::ssize(usable), tries = std::min(count, kTries);
    Index most = 0;
    std::vector<Index> best;
    PowerFit line;
    for (Index a = 0; a < tries; ++a) {
        for (Index b = a + 1; b < tries; ++b) {
            const Index i = usable[a * (count - 1) / std::max<Index>(tries - 1, 1)];
            const Index j = usable[b * (count - 1) / std::max<Index>(tries - 1, 1)];
            if (i == j) {
                continue;
            }
            const PowerFit candidate = through(question, i, j);
            std::vector<Index> inside;
            Index informative = 0;
            for (Index k = first; k < last; ++k) {
                const std::optional<bool> on = on_line(question, candidate, i, j, k);
                informative += on ? 1 : 0;
                if (on.value_or(false)) {
                    inside.push_back(k);
                }
            }
            if (10 * std::ssize(inside) >= 9 * informative && std::ssize(inside) > most) {
                most = std::ssize(inside);
                best = inside;
                line = candidate;
            }
        }
    }
    if (best.size() < 2) {
        return std::nullopt;
    }
    for (int round = 0; round < 3; ++round) {
        double s = 0.0, sx = 0.0, sxx = 0.0, sy = 0.0, sxy = 0.0;
        for (const Index k : best) {
            const double omega = std::exp(line.log_start - line.log_step * to_double(k));
            const double measured = omega + question.speeds.difference(k, omega);
            if (!(measured > 0.0)) {
                continue;
            }
            const double error = question.speeds.error[k] / omega + 0x1p-22;
            const double w = 1.0 / (error * error), x = to_double(k), y = std::log(measured);
            s += w;
            sx += w * x;
            sxx += w * x * x;
            sy += w * y;
            sxy += w * x * y;
        }
        const double det = s * sxx - sx * sx;
        if (!(det > 0.0)) {
            return std::nullopt;
        }
        line.log_step = -(s * sxy - sx * sy) / det;
        line.log_start = (sy + line.log_step * sx) / s;
        line.log_step_error = std::sqrt(s / det);
        line.log_start_error = std::sqrt(sxx / det);
    }
    return line;
}

std::vector<double> powers(Index pairs, double base, double first_exponent, double denominator) {
    std::vector<double> omega;
    for (Index i = 0; i < pairs; ++i) {
        omega.push_back(std::pow(base, -(2.0 * to_double(i) + first_exponent) / denominator));
    }
    return omega;
}

std::span<ModelSource* const> model_sources() {
    return kSources;
}

std::vector<SpectrumModel> models_of(ModelSource* source, const SpectrumQuestion& question) {
    std::vector<SpectrumModel> found;
    source(question, found);
    std::ranges::stable_sort(found, {}, [&](const SpectrumModel& model) {
        return fit_of(question, model.omega).squares;
    });
    return found;
}

}  // namespace ropescope::diagnosis
