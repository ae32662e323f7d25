// The controls of a step or a view on a page: a few parameters, each with the values that were
// computed for it beforehand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/figures/view.h"
#include "app/lessons/lesson.h"
#include "app/scene/parameters.h"
#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::pages {

struct StepControl {
    const Parameter* parameter = nullptr;
    std::vector<std::string> values;  ///< as --set takes them
    std::size_t start = 0;            ///< the value of the scene at first
    std::size_t solved = 0;           ///< the value with which the task is done
};

/// The value as people read it: "10 000", "half-split".
std::string control_value(const std::string& value);

/// What a lesson that is read beside its app may load for one step.
inline constexpr std::size_t kMostValues = 61;

/// The parameters that the solution of the step's task changes; empty for a task without one. One
/// control has at most some `most` values, each of two has at most 9.
std::vector<StepControl> controls_of(const lessons::Step& step, std::size_t most = kMostValues);
/// The first parameter of the view that changes what is drawn: a number from end to end of its
/// slider in some `most` values, or a list of more than three choices; else the first shorter list,
/// which chooses among figures more than it changes one, or the model. Without values with which
/// the figure looks as with one before. Empty if there is none with two.
std::vector<StepControl> controls_of(const figures::View& view, const Scene& scene,
                                     std::size_t most, Engine& engine);

/// The controls without the values that cannot be drawn in the scene, each tried by itself: a
/// context, for example, that is shorter than the trained one.
std::vector<StepControl> drawable(const Scene& scene, std::vector<StepControl> controls,
                                  Engine& engine);

/// How many frames show every combination of the values: the product of their counts.
std::size_t frame_count(const std::vector<StepControl>& controls);
/// The scene of a frame: the first control changes fastest.
Scene frame_scene(const Scene& scene, const std::vector<StepControl>& controls, std::size_t frame);
/// The frames with all controls at their start, and with all where the task is done.
std::size_t start_frame(const std::vector<StepControl>& controls);
std::size_t solved_frame(const std::vector<StepControl>& controls);

}  // namespace ropescope::pages
