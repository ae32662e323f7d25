// Which spectrum, in which direction and at which positions, explains the angles of a side.
// Sources: model_search.cpp, base_refit.cpp; of explanation.h position_faults.cpp and
// axes_explanation.cpp.
#pragma once

#include <span>
#include <vector>

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// Whether a spectrum puts every token at a position.
bool is_explained(const Explanation& side);

/// Whether a right spectrum puts every token at its stated position, or all at one offset.
bool is_plain(const Explanation& side);

/// Those that are expected, at the length of the sequence.
std::vector<SpectrumModel> models_of_specs(const Explanation& side,
                                           std::span<const RopeSpec> specs);

/// Tries all kinds of models on the measured speeds, the simplest first, until one explains every
/// token. Sets model, sign and places.
void try_models(Explanation& side, std::span<const RopeSpec> expected);

/// The speeds of a model in a direction, [pairs]; 0 of pairs that it does not have.
std::vector<double> signed_omega(const SpectrumModel& model, int sign, Index pairs);
/// Bounds of what fp32 makes of them, [pairs].
std::vector<double> omega_errors(const SpectrumModel& model, Index pairs);
/// Where the tokens of the side stand by a model.
Places places_by(const Explanation& side, const SpectrumModel& model, int sign);
/// Whether a model explains these tokens of all rows at their stated positions.
bool explains_in_place(const Explanation& side, const SpectrumModel& model, int sign,
                       Index first_token, Index last_token);

/// Fits the base of a model, and its factor if it has one, to the angles of all tokens, near ones
/// first. Keeps the shortest number that explains all of them, if there is one.
void refit_base(Explanation& side);

/// Every pair a quarter or half a turn beside its angle, if that is plain where the side is not,
/// because some spectrum at some positions passes for a phase. Sets phase_rad, and takes it off
/// `turns`.
void try_phases(Explanation& side, std::span<const RopeSpec> expected);
/// A spectrum that holds from a token on, after another one before it; a finding says so.
void find_change(Explanation& side, std::span<const RopeSpec> expected);
/// An axis that is not that of positions: takes one of `models`, or one of a usual base, if by it
/// all tokens of a head, or of a row, stand at its number. False if none does.
bool explain_by_rows(Explanation& side, std::span<const SpectrumModel> models);

/// Tokens that all stand at one position: takes one of `models`, or else one of a usual base, if it
/// explains their angles there, or one of `models` if it does elsewhere. False if none does.
bool explain_one_position(Explanation& side, std::span<const SpectrumModel> models);

}  // namespace ropescope::diagnosis
