// Sliders: where the knob stands, and what moving it does. A slider never leads to an inconsistent
// scene; --set and scene files report inconsistency instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/parameters.h"
#include "app/scene/scene.h"

namespace ropescope {

struct SliderRange {
    double min = 0.0, max = 1.0;
};
/// The parameter's own range, cut where the rest of the scene limits it: rotary_dim ends at
/// head_dim, selected_pair at the last pair.
SliderRange slider_range(const Scene& scene, const Parameter& parameter);

/// 0 .. 1: where the knob of a number stands. A logarithmic slider that starts at 0 follows
/// log(1 + value). Values outside the slider's range stand at its end.
double slider_fraction(const Scene& scene, const Parameter& parameter);
/// The value at a knob's place, on the parameter's step (three significant digits for logarithmic
/// fractions).
double slider_value(const Scene& scene, const Parameter& parameter, double fraction);

/// The value that many steps from the scene's: of the parameter, or a sixtieth of the slider each
/// if it has none.
double nudged_value(const Scene& scene, const Parameter& parameter, int steps);

/// The scene with a number replaced (clipped to the slider's range) and with what depends on it: a
/// rotary_dim equal to head_dim stays equal, a smaller one is clipped, pairs that no longer exist
/// are replaced, the table's rows stay below the last position. While a knob is dragged, pass the
/// scene as it was when the drag began: then clipped values come back when the knob does.
Scene with_slider(Scene scene, std::string_view name, double value);

// Values that the window offers for a parameter that takes others, too.

/// The models of axes_model and axes_other, in menu order, and for axis none, all, and the axes of
/// the scene's axes_model if it is a published one; empty for all other parameters.
const std::vector<std::string>& offered_values(const Scene& scene, std::string_view parameter);

}  // namespace ropescope
