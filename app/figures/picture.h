// A figure and what its panels answer. The answers hold what the figure was made of, so that moving
// the mouse computes nothing and reads no file.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/plot/figure.h"
#include "app/scene/scene.h"

namespace ropescope::figures {

/// What a panel answers about its points, out of the state that the figure was made of.
struct Answers {
    Answers() = default;
    /// `readouts(state, at)`
    template <typename State, typename Readouts>
    Answers(const std::shared_ptr<State>& state, Readouts readouts_of)
        : readouts([state, readouts_of](plot::Point at) { return readouts_of(*state, at); }) {}
    /// `readouts(state, at)` and `clicked(state, scene, at)`
    template <typename State, typename Readouts, typename Clicked>
    Answers(const std::shared_ptr<State>& state, Readouts readouts_of, Clicked click)
        : Answers(state, readouts_of) {
        clicked = [state, click](const Scene& scene, plot::Point at) {
            return click(*state, scene, at);
        };
    }

    /// The values at a data point.
    std::function<std::vector<plot::Readout>(plot::Point at)> readouts = {};
    /// The scene after a click on that data point: `scene` itself if nothing lies there. Empty if
    /// clicks do nothing in the panel.
    std::function<Scene(const Scene& scene, plot::Point at)> clicked = {};
    /// A mouse button that is held down clicks wherever it moves.
    bool dragged = false;
};

/// A token of the text that the figure was made of.
struct PictureWord {
    std::string text;
    bool marked = false;  ///< it is hidden from the model
    /// The scene after a click on it. Empty if a click does nothing.
    std::function<Scene(Scene)> clicked = {};
};

struct Picture {
    plot::Figure figure = {};
    std::map<std::string, Answers, std::less<>> answers = {};  ///< by the panel's id
    /// The figure a part of a step further on, 0 .. 1, while both positions are played: what moves
    /// is drawn between its two places, numbers and words stay. Empty if the view shows steps only.
    std::function<plot::Figure(double fraction)> between = {};
    /// In their order; empty if the view reads no text, or too long a one.
    std::vector<PictureWord> words = {};
    /// The figure shows only what a frame had time for; the same call without `Work::may_draft`
    /// makes the whole one.
    bool draft = false;

    /// One more panel of the figure, and what it answers.
    void add(plot::Panel panel, Answers own) {
        answers[panel.id] = std::move(own);
        figure.panels.push_back(std::move(panel));
    }
    /// The values at a data point of the panel with this id; none if it answers nothing.
    std::vector<plot::Readout> readouts_at(std::string_view panel, plot::Point at) const {
        const Answers* const own = find(panel);
        return own != nullptr && own->readouts ? own->readouts(at) : std::vector<plot::Readout>{};
    }
    /// The scene after a click there; `scene` itself if clicks do nothing.
    Scene scene_after_click(const Scene& scene, std::string_view panel, plot::Point at) const {
        const Answers* const own = find(panel);
        return own != nullptr && own->clicked ? own->clicked(scene, at) : scene;
    }
    /// Whether a mouse button that is held down in the panel clicks wherever it moves.
    bool is_dragged(std::string_view panel) const {
        const Answers* const own = find(panel);
        return own != nullptr && own->dragged;
    }

  private:
    const Answers* find(std::string_view panel) const {
        const auto found = answers.find(panel);
        return found == answers.end() ? nullptr : &found->second;
    }
};

}  // namespace ropescope::figures
