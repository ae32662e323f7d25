// Spectra that an implementation may have, right and wrong, and which of them measured speeds show.
// Sources: spectrum_model.cpp, fitted_spectra.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/finding.h"
#include "core/diagnosis/measure/speeds.h"
#include "core/faults/rotation/spectra.h"
#include "core/rope/rope_spec.h"

namespace ropescope::diagnosis {

struct SpectrumModel {
    std::string code = {};  ///< "spectrum.default"; "positions.scaled" for a factor above 1
    std::vector<double> omega =
        {};  ///< [pairs], radians per position, as the model says, of any sign
    Index rotary_dim = 0;
    std::optional<double> base = {};
    Scaling scaling = {};
    double base_error = 0.0;     ///< of a base that was fitted; 0 for a base of a list
    bool right = true;           ///< a spectrum that implementations are meant to have
    Words words = {};            ///< "base 10000"
    double factor = 1.0;         ///< of positions.scaled
    double fitted_factor = 1.0;  ///< on all speeds, if it was fitted and not taken from a method
    std::optional<Dtype> rounded = {};  ///< spectrum.low_precision: the format of inv_freq
};

/// What is known when spectra are tried.
struct SpectrumQuestion {
    const Speeds& speeds;  ///< turned so that the right sign is positive
    Index head_dim = 0;
    Index rotary_dim = 0;  ///< 2 * pairs that are taken as turning; the pairs behind them stay
    Index reach = 0;       ///< length of the sequence, for methods that look at it
    std::span<const RopeSpec> expected = {};
    Index blocks = 1;  ///< of channels, each of which may have the whole range of frequencies

    Index all_pairs() const { return std::ssize(speeds.omega); }
    Index pairs() const { return rotary_dim / 2; }
};

/// How far speeds are from a model, in multiples of what their errors allow: of the worst pair, and
/// the sum of squares.
struct ModelFit {
    double worst = 0.0, squares = 0.0;
    bool told = false;  ///< by two pairs at least, or by all if there are fewer
    bool fits() const { return told && worst <= 1.0; }
};
ModelFit fit_of(const SpectrumQuestion& question, std::span<const double> omega);

/// Two numbers that describe a spectrum start * base^(-2i / rotary_dim), fitted to the speeds.
struct PowerFit {
    double log_start = 0.0, log_step = 0.0;  ///< ln omega[i] = log_start - i log_step
    double log_start_error = 0.0, log_step_error = 0.0;

    double base(Index rotary_dim) const;
    double base_error(Index rotary_dim) const;
};
/// Uses pairs `first` to `last` - 1; empty if nine of ten of them do not lie on one line.
std::optional<PowerFit> fit_powers(const SpectrumQuestion& question, Index first, Index last);

/// The spectra of an embedding, at the lengths on which it may depend; none if it turns more than
/// `most_pairs`. `reach` is the length of the sequence.
std::vector<SpectrumModel> models_of_spec(const RopeSpec& spec, Index most_pairs, Index reach,
                                          const Words& name);

/// That of a base without any scaling.
SpectrumModel default_spectrum(Index rotary_dim, double base);

using faults::usual_bases;
std::vector<double> powers(Index pairs, double base, double first_exponent, double denominator);

/// Appends the model if it fits.
void add_if_fits(const SpectrumQuestion& question, SpectrumModel model,
                 std::vector<SpectrumModel>& found);

/// Appends the models of one kind that fit.
using ModelSource = void(const SpectrumQuestion& question, std::vector<SpectrumModel>& found);

ModelSource expected_spectra, no_speed, one_speed, default_spectra, block_spectra,
    published_spectra, fitted_default, wrong_exponents, linear_spectra, flat_spectra,
    inverted_spectra, yarn_spectra, llama3_spectra, proportional_spectra, longrope_spectra,
    ntk_spectra, multiples_of_scaled;

/// All kinds, the simplest first.
std::span<ModelSource* const> model_sources();

/// The models of one kind that fit, the best first.
std::vector<SpectrumModel> models_of(ModelSource* source, const SpectrumQuestion& question);

}  // namespace ropescope::diagnosis
