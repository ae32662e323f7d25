// A figure and the answers about it. Both hold what the figure was made of, so that moving the
// mouse computes nothing and reads no file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/plot/figure.h"
#include "app/scene/scene.h"

namespace ropescope::figures {

struct Picture {
    plot::Figure figure;
    /// The values at a data point of the panel with this id. Empty if the view has none.
    std::function<std::vector<plot::Readout>(std::string_view panel, plot::Point at)> readouts = {};
    /// The scene after a click on that data point: `scene` itself if nothing lies there. Empty if
    /// clicks do nothing anywhere in the view.
    std::function<Scene(const Scene& scene, std::string_view panel, plot::Point at)> clicked = {};
    /// The panels in which a mouse button that is held down clicks wherever it moves.
    std::vector<std::string> dragged = {};
    /// The figure a part of a step further on, 0 .. 1, while both positions are played: what moves
    /// is drawn between its two places, numbers and words stay. Empty if the view shows steps only.
    std::function<plot::Figure(double fraction)> between = {};
    /// The figure shows only what a frame had time for; the same call without `Work::may_draft`
    /// makes the whole one.
    bool draft = false;

    /// As `readouts`; no values if the view has none.
    std::vector<plot::Readout> readouts_at(std::string_view panel, plot::Point at) const {
        return readouts ? readouts(panel, at) : std::vector<plot::Readout>{};
    }
    /// As `clicked`; `scene` itself if clicks do nothing.
    Scene scene_after_click(const Scene& scene, std::string_view panel, plot::Point at) const {
        return clicked ? clicked(scene, panel, at) : scene;
    }
};

/// A picture whose answers share `state`: `readouts(state, panel, at)` and
/// `clicked(state, scene, panel, at)`.
template <typename State, typename Readouts, typename Clicked>
Picture answering(plot::Figure figure, std::shared_ptr<const State> state, Readouts readouts,
                  Clicked clicked) {
    return {
        .figure = std::move(figure),
        .readouts = [state, readouts](std::string_view panel,
                                      plot::Point at) { return readouts(*state, panel, at); },
        .clicked = [state, clicked](const Scene& scene, std::string_view panel,
                                    plot::Point at) { return clicked(*state, scene, panel, at); }};
}

}  // namespace ropescope::figures
