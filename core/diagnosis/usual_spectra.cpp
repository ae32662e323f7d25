// Spectra without a number that must be fitted: those expected, usual bases, published models, and
// the mistakes that people make with them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/made_once.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/rounding.h"
#include "core/diagnosis/spectrum_model.h"
#include "core/faults/codes.h"
#include "core/formats/model_presets.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

constexpr std::array kBases = {
    10000.0, 500000.0, 1e6, 100.0,   1000.0,  1e5,      160000.0, 150000.0, 5e6,     1e7,
    8e6,     5e4,      2e5, 25000.0, 40000.0, 250000.0, 600000.0, 3e6,      4e6,     2e6,
    10.0,    1e8,      1e9, 256.0,   70000.0, 15e6,     1e11,     30000.0,  20000.0, 2.0};

void add_if_fits(const SpectrumQuestion& question, SpectrumModel model,
                 std::vector<SpectrumModel>& found) {
    if (fit_of(question, model.omega).fits()) {
        found.push_back(std::move(model));
    }
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

}  // namespace

std::span<const double> usual_bases() {
    return made_once([] {
        std::vector<double> all(kBases.begin(), kBases.end());
        for (const ModelConfig& preset : model_presets()) {
            if (std::ranges::find(all, preset.rope.base) == all.end()) {
                all.push_back(preset.rope.base);
            }
        }
        return all;
    });
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

void rounded_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    std::vector<SpectrumModel> exact;
    for (const RopeSpec& spec : question.expected) {
        for (SpectrumModel& model :
             models_of_spec(spec, question.all_pairs(), question.reach, say::kExpected)) {
            exact.push_back(std::move(model));
        }
    }
    for (const double base : usual_bases()) {
        exact.push_back(
            {.omega = powers(question.pairs(), base, 0.0, to_double(question.rotary_dim)),
             .rotary_dim = question.rotary_dim,
             .base = base,
             .words = base_words(base)});
    }
    for (const ModelConfig& preset : model_presets()) {
        if (preset.rope.head_dim == question.head_dim &&
            preset.rope.rotary_dim == question.rotary_dim &&
            !std::holds_alternative<NoScaling>(preset.rope.scaling)) {
            for (SpectrumModel& model : models_of_spec(preset.rope, question.all_pairs(),
                                                       question.reach, as_model(preset))) {
                exact.push_back(std::move(model));
            }
        }
    }
    for (const SpectrumModel& each : exact) {
        for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
            SpectrumModel model = each;
            for (double& omega : model.omega) {
                omega = round_to(dtype, omega);
            }
            model.code = faults::code("spectrum.low_precision");
            model.right = false;
            model.rounded = dtype;
            model.words = {say::kRoundedFrequencies, {each.words, std::string(numpy_name(dtype))}};
            add_if_fits(question, std::move(model), found);
        }
    }
}

void wrong_exponents(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    const double d = to_double(question.rotary_dim);
    struct Form {
        double first, denominator;
        const Phrase& phrase;
    };
    const std::array<Form, 3> forms = {
        {{1.0, d, say::kFromOne}, {2.0, d, say::kFromTwo}, {0.0, d - 2.0, say::kNarrower}}};
    for (const double base : usual_bases()) {
        for (const Form& form : forms) {
            if (form.denominator > 0.0) {
                add_if_fits(question,
                            {.code = faults::code("spectrum.exponent_off_by_one"),
                             .omega = powers(question.pairs(), base, form.first, form.denominator),
                             .rotary_dim = question.rotary_dim,
                             .base = base,
                             .right = false,
                             .words = {form.phrase, {Measured{base}}}},
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
