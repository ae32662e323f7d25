// The axes view: which axis turns each pair, and the score of a patch with every other. Sources:
// state.cpp, pairs.cpp, figure.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/shared/shown_encoding.h"
#include "app/figures/view.h"
#include "app/plot/color.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/rope/spectrum.h"
#include "core/schemes/part.h"
#include "core/schemes/patch_positions.h"

namespace ropescope::figures {

/// The angle in radians by which each pair turns from one patch to another, in [-pi, pi].
std::vector<double> turns_rad(const Spectrum& spectrum, const PatchPositions& places,
                              const PatchIndex& from, const PatchIndex& to);

/// One scheme on the scene's grid.
struct AxesScheme {
    std::string name = {};   ///< as the scene has it
    std::string title = {};  ///< for people
    Part part = {};
    Index head = 0;  ///< which of part.scheme.heads is shown
    PatchPositions places = {};
    std::vector<Index> axis_of_pair = {};  ///< the axis that turns it, kSeveralAxes or kNoAxis
    std::vector<double> turn_rad = {};     ///< of each pair, from the fixed to the chosen patch
    std::vector<double> scores = {};       ///< of the fixed patch with the frame's, [rows, columns]

    const RotaryScheme& scheme() const { return part.scheme; }
    const Spectrum& spectrum() const { return scheme().heads[head]; }
    Index pairs() const { return spectrum().pairs(); }
    Index axes() const { return std::ssize(scheme().axes); }
    /// Radians per unit of position; of a pair that several axes turn, along its steepest
    /// direction.
    double speed_rad(Index pair) const;
    double wavelength(Index pair) const;
    /// Whether the pair turns from the fixed to the chosen patch.
    bool turns(Index pair) const { return turn_rad[pair] != 0; }
    Index turning() const;
    /// "h", "x and y", "none": what turns the pair.
    std::string axis_words(Index pair) const;
    /// "16 by t, 24 by h": the pairs of each axis, of all or of those that turn.
    std::string counts_words(bool only_turning) const;
};

struct AxesState {
    PatchGrid grid;
    PatchIndex fixed, chosen;
    bool wavelengths = true;  ///< draws them, or else radians per unit of position
    AxesTokens tokens = AxesTokens::patches;
    AxesScheme one = {};
    std::optional<AxesScheme> other = {};
    std::vector<double> difference = {};  ///< scores of `other` minus those of `one`
    double largest_difference = 0;        ///< its largest magnitude

    Index cell(Index row, Index column) const { return row * grid.columns + column; }
    Index chosen_cell() const { return cell(chosen.row, chosen.column); }
    /// "patch" or "token".
    std::string noun() const { return tokens == AxesTokens::patches ? "patch" : "token"; }
    double value(const AxesScheme& scheme, Index pair) const {
        return wavelengths ? scheme.wavelength(pair) : scheme.speed_rad(pair);
    }
};

/// Throws InputError for a grid, a patch or a model that cannot be.
AxesState make_axes_state(const Scene& scene);

/// The colour of an axis, by what it counts: frames, rows, columns, or something else. Of
/// kSeveralAxes and kNoAxis too.
plot::Role role_of_axis(const RotaryScheme& scheme, Index axis);

/// "spectrum" or "spectrum_other": a mark for each pair over a logarithmic axis, in the colour of
/// its axis.
plot::Panel axes_spectrum_panel(const AxesState& state, const AxesScheme& scheme);
/// "strip" or "strip_other": a lane for each axis with the pairs that it turns; those that do not
/// turn from the fixed to the chosen patch are pale.
plot::Panel axes_strip_panel(const AxesState& state, const AxesScheme& scheme);
/// "turns": the angle by which each pair turns from the fixed to the chosen patch, in degrees.
plot::Panel axes_turns_panel(const AxesScheme& scheme);

/// The axes of all schemes, a colour each, and what does not have one axis.
std::vector<plot::LegendEntry> axes_legend(const AxesState& state);

/// "pair", "channels", "axis", the frequencies, the wavelength, the turn and its part of the score.
std::vector<plot::Readout> axes_pair_readouts(const AxesScheme& scheme, Index pair);

View axes_view();

}  // namespace ropescope::figures
