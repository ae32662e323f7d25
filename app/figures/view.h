// A view: a pure function from a scene to a figure, and what the window and the docs say about it.
// Adding a view is one header, one source, and one line in figures/views.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/picture.h"
#include "app/figures/work.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/checks/check_run.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

struct View {
    std::string id;        ///< "rotation"
    std::string name;      ///< "Rotation"
    std::string group;     ///< heading in the navigation: "One pair, many speeds"
    std::string question;  ///< "why does only the distance matter?"
    /// The scene parameters it reads, in the order of its controls. They are its cache key too.
    std::vector<std::string> parameters;
    /// Read too, for a word of its texts: in the cache key, but no control.
    std::vector<std::string> also_read = {};
    /// Whether the figure depends on the scene parameter of this name.
    bool reads(std::string_view parameter) const;
    /// The picture of a valid scene. May return a draft if `work.may_draft`. Returns early, with
    /// any picture, when `work.stop` is requested. Throws InputError if the scene cannot be drawn.
    Picture (*make)(const Scene& scene, Engine& engine, const Work& work) = nullptr;

    // The form of a view before `make`; a view has one of the two.
    /// Within a frame's time; a draft where `refined` is there.
    plot::Figure (*figure)(const Scene& scene, Engine& engine, const Work& work) = nullptr;
    /// The whole figure, as long as it takes. Returns early, with anything, when a stop is asked
    /// for. Null where `figure` is the whole.
    plot::Figure (*refined)(const Scene& scene, Engine& engine, const Work& work) = nullptr;
    /// Whether a frame has time for the whole of this scene. Null: never, where there is `refined`.
    bool (*quick)(const Scene& scene, const Engine& engine) = nullptr;
    /// Values under the cursor, for a data point of the panel with this id.
    std::vector<plot::Readout> (*readouts)(const Scene& scene, std::string_view panel,
                                           plot::Point at) = nullptr;
    /// What a click on that point does to the scene (select a pair, ...); returns the scene
    /// unchanged when nothing.
    Scene (*clicked)(const Scene& scene, std::string_view panel, plot::Point at) = nullptr;
    /// The parameter, a number from 0 to 1, that the animation moves from end to end; where there
    /// is none it moves the positions.
    std::string played = {};
    // The explanation below the figure.
    std::string what_you_see, what_to_try;
    std::vector<std::string> formulas;  ///< rich-text markup, see plot::draw_rich_text
    std::string formula_source;         ///< "RoFormer, eq. 14-16"
    /// Of a view of the checks: drawn from what a run has found so far, so that a window need not
    /// wait for its end. Null for every other.
    plot::Figure (*figure_of_run)(const Scene& scene, const CheckRun& run) = nullptr;
};

/// In the order of the navigation.
const std::vector<View>& views();
/// By id; throws InputError naming near matches.
const View& view_by_id(std::string_view id);

/// The picture of the scene's view, made by `engine` or, if that fails in the middle, by the engine
/// that steps in for it. Throws InputError for an inconsistent scene.
Picture make_picture(const Scene& scene, Engine& engine, const Work& work = {});

/// The view's whole figure. Throws InputError for an inconsistent scene.
plot::Figure make_figure(const Scene& scene, Engine& engine, const Work& work = {});
/// What a frame has time for; the whole figure where that is.
plot::Figure draft_figure(const Scene& scene, Engine& engine, const Work& work = {});
/// Whether the draft is not the whole.
bool has_draft(const Scene& scene, const Engine& engine);

}  // namespace ropescope::figures
