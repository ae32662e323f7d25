// The spectrum view: the wavelength or the inverse frequency of each pair. Sources: state.cpp,
// figure.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/shared/shown_encoding.h"
#include "app/figures/view.h"
#include "app/plot/color.h"
#include "app/plot/figure.h"
#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

/// Another spectrum, drawn as a line beside the points.
struct SpectrumOverlay {
    std::string name;
    std::vector<double> inv_freq_rad;
    plot::Role role = plot::Role::dim;
    plot::Dash dash = plot::Dash::dashed;
};

struct SpectrumState {
    RopeSpec spec;
    Spectrum spectrum;
    Spectrum plain;  ///< without scaling
    std::optional<AlongAxis> along = {};
    bool wavelengths = true;   ///< draws them, or else inverse frequencies
    Index context = 0;         ///< positions
    Index trained = 0;         ///< context before the scaling, in positions; 0 without scaling
    Index selected = 0;        ///< pair
    int unfinished_count = 0;  ///< pairs that are unfinished()
    /// The unscaled spectrum, or every method with the scene's factor; empty if spectrum_overlay is
    /// none.
    std::vector<SpectrumOverlay> overlays;

    /// The colour of the points.
    plot::Role role() const { return along ? along->role : plot::Role::first; }
    bool scaled() const;
    double inv_freq(Index pair) const { return spectrum.inv_freq_rad[pair]; }
    /// The factor by which the scaling slows a pair; infinite if the scaling stops it.
    double slowdown(Index pair) const;
    /// Turns of a pair within the context.
    double turns(Index pair) const;
    /// Whether a pair turns along the axis that is shown. Without one all count.
    bool counts(Index pair) const { return !along || inv_freq(pair) != 0; }
    /// Whether a pair that counts does not finish one turn within the context.
    bool unfinished(Index pair) const;
    /// The quantity on the y axis: of a pair, of an inverse frequency, and of a pair that turns
    /// exactly once in `positions`.
    double value(Index pair) const;
    double value_of(double inv_freq_rad) const;
    double turn_in(double positions) const;
    /// The value of a pair that turns exactly once within the context.
    double limit() const { return turn_in(to_double(context)); }
};
SpectrumState make_spectrum_state(const Scene& scene);

/// CSV: a row for each pair with its channels, inv_freq, wavelength, turns, slowdown, and the
/// overlays.
plot::DataTable spectrum_data(const SpectrumState& state);

/// A table of every pair, or of an even choice of 64 pairs if there are more.
plot::Text spectrum_report(const SpectrumState& state);

View spectrum_view();

}  // namespace ropescope::figures
