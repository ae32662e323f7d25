// Spectra without a number that must be fitted: those expected, usual bases, published models, and
// the mistakes that people make with them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/diagnosis/rounding.h"
#include "core/diagnosis/spectrum_model.h"
#include "core/faults/codes.h"
#include "core/formats/model_presets.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

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
void add_multiples(const SpectrumQuestion& question, const RopeSpec& spec, const std::string& name,
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
        model.text = fmt::format("{}, at {} times the positions", name, factor);
        add_if_fits(question, std::move(model), found);
    }
}

std::string number(double value) {
    return fmt::format("{:.10g}", value);
}

}  // namespace

void no_speed(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    add_if_fits(question,
                {.code = faults::code("spectrum.zero"),
                 .omega = std::vector<double>(question.pairs()),
                 .rotary_dim = question.rotary_dim,
                 .right = false,
                 .text = "no pair turns"},
                found);
}

std::vector<SpectrumModel> models_of_spec(const RopeSpec& published, Index most_pairs, Index reach,
                                          const std::string& name) {
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
        model.text = name;
        models.push_back(std::move(model));
    }
    return models;
}

SpectrumModel default_spectrum(Index rotary_dim, double base) {
    return {.code = faults::code("spectrum.default"),
            .omega = powers(rotary_dim / 2, base, 0.0, to_double(rotary_dim)),
            .rotary_dim = rotary_dim,
            .base = base,
            .text = "base " + number(base)};
}

void expected_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const RopeSpec& spec : question.expected) {
        for (SpectrumModel& model :
             models_of_spec(spec, question.all_pairs(), question.reach, "as expected")) {
            add_if_fits(question, std::move(model), found);
        }
    }
}

void multiples_of_scaled(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    for (const RopeSpec& spec : question.expected) {
        add_multiples(question, spec, "as expected", found);
    }
    for (const ModelConfig& preset : model_presets()) {
        if (preset.rope.rotary_dim == question.rotary_dim &&
            !std::holds_alternative<NoScaling>(preset.rope.scaling)) {
            add_multiples(question, preset.rope, "as " + preset.title, found);
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
                            .text = fmt::format("base {} in each of {} blocks of channels",
                                                number(base), question.blocks)};
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
                                                       question.reach, "as " + preset.title)) {
                add_if_fits(question, std::move(model), found);
            }
        }
    }
}

void rounded_spectra(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    std::vector<SpectrumModel> exact;
    for (const RopeSpec& spec : question.expected) {
        for (SpectrumModel& model :
             models_of_spec(spec, question.all_pairs(), question.reach, "as expected")) {
            exact.push_back(std::move(model));
        }
    }
    for (const double base : usual_bases()) {
        exact.push_back(
            {.omega = powers(question.pairs(), base, 0.0, to_double(question.rotary_dim)),
             .rotary_dim = question.rotary_dim,
             .base = base,
             .text = "base " + number(base)});
    }
    for (const ModelConfig& preset : model_presets()) {
        if (preset.rope.head_dim == question.head_dim &&
            preset.rope.rotary_dim == question.rotary_dim &&
            !std::holds_alternative<NoScaling>(preset.rope.scaling)) {
            for (SpectrumModel& model : models_of_spec(preset.rope, question.all_pairs(),
                                                       question.reach, "as " + preset.title)) {
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
            model.text = fmt::format("{}, inv_freq rounded to {}", each.text, numpy_name(dtype));
            add_if_fits(question, std::move(model), found);
        }
    }
}

void wrong_exponents(const SpectrumQuestion& question, std::vector<SpectrumModel>& found) {
    const double d = to_double(question.rotary_dim);
    const std::array forms = {std::pair{faults::exponents_from_half(d),
                                        "(2i + 1) / rotary_dim in place of 2i / rotary_dim"},
                              std::pair{faults::exponents_from_one(d),
                                        "2(i + 1) / rotary_dim in place of 2i / rotary_dim"},
                              std::pair{faults::exponents_to_one(d),
                                        "2i / (rotary_dim - 2) in place of 2i / rotary_dim"}};
    for (const double base : usual_bases()) {
        for (const auto& [exponents, text] : forms) {
            if (exponents.denominator > 0.0) {
                add_if_fits(
                    question,
                    {.code = faults::code("spectrum.exponent_off_by_one"),
                     .omega =
                         powers(question.pairs(), base, exponents.first, exponents.denominator),
                     .rotary_dim = question.rotary_dim,
                     .base = base,
                     .right = false,
                     .text = fmt::format("base {} with the exponent {}", number(base), text)},
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
        for (const auto& [omega, text] :
             {std::pair{up, "base^(+2i / rotary_dim): the reciprocal is missing"},
              std::pair{backwards, "the order of the pairs is reversed"}}) {
            add_if_fits(question,
                        {.code = faults::code("spectrum.inverted"),
                         .omega = omega,
                         .rotary_dim = question.rotary_dim,
                         .base = base,
                         .right = false,
                         .text = fmt::format("base {}, {}", number(base), text)},
                        found);
        }
    }
}

}  // namespace ropescope::diagnosis
