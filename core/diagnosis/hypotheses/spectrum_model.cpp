// Compares measured speeds with spectra, and fits powers of a base to them.
#include "core/diagnosis/hypotheses/spectrum_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/rounding.h"
#include "core/faults/codes.h"
#include "core/formats/presets.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"

namespace ropescope::diagnosis {
namespace {

constexpr std::array<ModelSource*, 17> kSources = {
    no_speed,         one_speed,          expected_spectra, default_spectra, published_spectra,
    wrong_exponents,  flat_spectra,       linear_spectra,   ntk_spectra,     fitted_default,
    block_spectra,    inverted_spectra,   yarn_spectra,     llama3_spectra,  proportional_spectra,
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

/// The factor between the measured speeds and a spectrum, weighted by how exactly each is known;
/// 0 if no speed is.
double factor_over(const SpectrumQuestion& question, std::span<const double> omega) {
    double sum = 0.0, weight = 0.0;
    for (Index i = 0; i < std::min<Index>(question.pairs(), std::ssize(omega)); ++i) {
        const double relative = question.speeds.error[i] / std::abs(question.speeds.omega[i]);
        if (omega[i] > 0.0 && question.speeds.omega[i] > 0.0 && relative < 1e-3) {
            const double w = 1.0 / (relative * relative + 0x1p-44);
            sum += w * question.speeds.omega[i] / omega[i];
            weight += w;
        }
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

/// A method's spectrum at positions that were multiplied by one factor.
void add_multiples(const SpectrumQuestion& question, const RopeSpec& spec, const Words& name,
                   std::vector<SpectrumModel>& found) {
    for (SpectrumModel& model : models_of_spec(spec, question.all_pairs(), question.reach, name)) {
        const double measured = factor_over(question, model.omega);
        // Six digits, which are more than a factor in a program has.
        const double factor = std::strtod(fmt::format("{:.6g}", measured).c_str(), nullptr);
        if (!(factor > 0.0) || factor == 1.0) {
            continue;
        }
        for (double& omega : model.omega) {
            omega *= factor;
        }
        model.code = faults::code("positions.scaled");
        model.right = false;
        model.factor = factor;
        model.words = {say::kTimesPositions, {name, factor}};
        add_if_fits(question, std::move(model), found);
    }
}

Words base_words(double base) {
    return {say::kBase, {Measured{base}}};
}

Words as_model(const ModelConfig& preset) {
    return {say::kAsModel, {preset.title}};
}

/// Whether a fitted base is so exact that it is no accident among some dozens.
bool base_is_sharp(const SpectrumQuestion& question) {
    constexpr double kSharp = 1e-4;
    const std::optional<PowerFit> fit = fit_powers(question, 0, question.pairs());
    return fit && fit->base_error(question.rotary_dim) <= kSharp * fit->base(question.rotary_dim);
}

}  // namespace

void add_if_fits(const SpectrumQuestion& question, SpectrumModel model,
                 std::vector<SpectrumModel>& found) {
    if (fit_of(question, model.omega).fits()) {
        found.push_back(std::move(model));
    }
}

ModelFit fit_of(const SpectrumQuestion& question, std::span<const double> omega) {
    ModelFit fit;
    Index telling = 0;
    for (Index i = 0; i < question.all_pairs(); ++i) {
        const double expected = i < std::ssize(omega) ? omega[i] : 0.0;
        // A frequency that is formed in fp32 is exact to angle_units(), below 2^-19 for any base up
        // to 10^8, and so are angles.
        const double allowed = question.speeds.error[i] + 0x1p-19 * std::abs(expected) +
                               0x1p-20 * question.speeds.lever * std::abs(expected);
        if (allowed * question.speeds.step > 3.0) {
            continue;  // whole turns are in doubt
        }
        ++telling;
        const double off = std::abs(question.speeds.difference(i, expected)) / allowed;
        fit.worst = std::max(fit.worst, off);
        fit.squares += off * off;
    }
    fit.told = telling >= std::min<Index>(2, question.all_pairs());
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

void no_speed(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    add_if_fits(question,
                {.code = faults::code("spectrum.zero"),
                 .omega = std::vector<double>(question.pairs()),
                 .rotary_dim = question.rotary_dim,
                 .right = false,
                 .words = say::kNoPairTurns},
                found);
}

void one_speed(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    // No base is so large that its second pair would stand still beside the first.
    constexpr double kLargestBase = 1e10;
    const std::span<const double> omega = question.speeds.omega, error = question.speeds.error;
    const Index pairs = question.all_pairs();
    const bool alone = pairs == 1 && question.head_dim > 6;  // of four pairs at least
    if ((pairs < 3 && !alone) || !(omega[0] > error[0])) {
        return;
    }
    const double second = std::pow(kLargestBase, -1.0 / to_double(pairs));
    for (Index i = 1; i < pairs; ++i) {
        if (std::abs(omega[i]) > error[i] || (i == 1 && error[i] > 0.5 * second * omega[0])) {
            return;
        }
    }
    SpectrumModel model{.code = faults::code("spectrum.zero"),
                        .omega = std::vector<double>(question.pairs()),
                        .rotary_dim = question.rotary_dim,
                        .right = false,
                        .words = say::kOnePairTurns};
    model.omega[0] = std::abs(omega[0] - 1.0) <= error[0] ? 1.0 : omega[0];
    add_if_fits(question, std::move(model), found);
}

std::vector<SpectrumModel> models_of_spec(const RopeSpec& published, Index most_pairs, Index reach,
                                          const Words& name) {
    RopeSpec spec = published;
    std::vector<SpectrumModel> models;
    if (spec.rotary_dim > 2 * most_pairs) {
        return models;
    }
    std::vector<Index> lengths = {spec.seq_len};
    if (depends_on_seq_len(spec.scaling)) {
        lengths = {reach, 0};
        if (const auto original = original_positions(spec.scaling)) {
            lengths.push_back(*original + 1);
        }
    }
    for (const Index length : lengths) {
        spec.seq_len = length;
        SpectrumModel model;
        model.omega = make_spectrum(spec).inv_freq_rad;
        model.code = std::holds_alternative<NoScaling>(spec.scaling)
                         ? faults::code("spectrum.default")
                         : faults::code("spectrum.scaled");
        model.rotary_dim = spec.rotary_dim;
        model.base = spec.base;
        model.scaling = spec.scaling;
        model.words = name;
        models.push_back(std::move(model));
    }
    return models;
}

SpectrumModel default_spectrum(Index rotary_dim, double base) {
    return {.code = faults::code("spectrum.default"),
            .omega = powers(rotary_dim / 2, base, 0.0, to_double(rotary_dim)),
            .rotary_dim = rotary_dim,
            .base = base,
            .words = base_words(base)};
}

void expected_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const RopeSpec& spec : question.expected) {
        for (SpectrumModel& model :
             models_of_spec(spec, question.all_pairs(), question.reach, say::kExpected)) {
            add_if_fits(question, std::move(model), found);
        }
    }
}

void multiples_of_scaled(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const RopeSpec& spec : question.expected) {
        add_multiples(question, spec, say::kExpected, found);
    }
    for (const ModelConfig& preset : model_presets()) {
        if (preset.rope.rotary_dim == question.rotary_dim &&
            !std::holds_alternative<NoScaling>(preset.rope.scaling)) {
            add_multiples(question, preset.rope, as_model(preset), found);
        }
    }
}

void default_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const double base : usual_bases()) {
        add_if_fits(question, default_spectrum(question.rotary_dim, base), found);
    }
}

void block_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    if (question.blocks < 2) {
        return;
    }
    const Index each = question.pairs() / question.blocks;
    for (const double base : usual_bases()) {
        SpectrumModel model{.code = faults::code("spectrum.default"),
                            .rotary_dim = question.rotary_dim,
                            .base = base,
                            .words = {say::kBlocks, {Measured{base}, question.blocks}}};
        for (Index block = 0; block < question.blocks; ++block) {
            const std::vector<double> one = powers(each, base, 0.0, 2.0 * to_double(each));
            model.omega.insert(model.omega.end(), one.begin(), one.end());
        }
        add_if_fits(question, std::move(model), found);
    }
}

void published_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const ModelConfig& preset : model_presets()) {
        const bool same = preset.rope.head_dim == question.head_dim &&
                          preset.rope.rotary_dim == question.rotary_dim;
        const bool scaled = !std::holds_alternative<NoScaling>(preset.rope.scaling);
        if (same && scaled) {
            for (SpectrumModel& model : models_of_spec(preset.rope, question.all_pairs(),
                                                       question.reach, as_model(preset))) {
                add_if_fits(question, std::move(model), found);
            }
        }
    }
}

void wrong_exponents(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    const double d = to_double(question.rotary_dim);
    const std::array forms = {std::pair{faults::exponents_from_half(d), &say::kFromOne},
                              std::pair{faults::exponents_from_one(d), &say::kFromTwo},
                              std::pair{faults::exponents_to_one(d), &say::kNarrower}};
    for (const double base : usual_bases()) {
        for (const auto& [exponents, phrase] : forms) {
            // 2i / (d - 2) is 2i / d of another base: only an exact base tells that it is a usual
            // one.
            const bool told = phrase != &say::kNarrower || base_is_sharp(question);
            if (exponents.denominator > 0.0 && told) {
                add_if_fits(question,
                            {.code = faults::code("spectrum.exponent_off_by_one"),
                             .omega = powers(question.pairs(), base, exponents.first,
                                             exponents.denominator),
                             .rotary_dim = question.rotary_dim,
                             .base = base,
                             .right = false,
                             .words = {*phrase, {Measured{base}}}},
                            found);
            }
        }
    }
}

void inverted_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const double base : usual_bases()) {
        std::vector<double> up =
            powers(question.pairs(), base, 0.0, to_double(question.rotary_dim));
        std::vector<double> backwards(up.rbegin(), up.rend());
        for (double& omega : up) {
            omega = 1.0 / omega;
        }
        for (const auto& [omega, phrase] :
             {std::pair{up, &say::kReciprocal}, std::pair{backwards, &say::kPairsReversed}}) {
            add_if_fits(question,
                        {.code = faults::code("spectrum.inverted"),
                         .omega = omega,
                         .rotary_dim = question.rotary_dim,
                         .base = base,
                         .right = false,
                         .words = {*phrase, {Measured{base}}}},
                        found);
        }
    }
}

}  // namespace ropescope::diagnosis
