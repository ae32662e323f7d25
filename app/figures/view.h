// A view: a function from a scene to a picture, and what the window and the docs say about it.
// Adding a view takes a folder and two lines in views.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/picture.h"
#include "app/figures/work.h"
#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

struct View {
    std::string id;        ///< "rotation"
    char key = 0;          ///< shows it in the window: a digit, or a capital letter of its id
    std::string name;      ///< "Rotation"
    std::string group;     ///< heading in the navigation: "One pair, many speeds"
    std::string question;  ///< "why does only the distance matter?"
    /// The scene parameters that the view reads, in the order of its controls. The picture is made
    /// again when one of them changes.
    std::vector<std::string> parameters;
    /// Parameters that only a word of its texts depends on: read too, but without a control.
    std::vector<std::string> also_read = {};
    /// Parameters of the lists above that the figure depends on only for some scenes.
    struct OnlyWhen {
        std::vector<std::string> parameters;
        bool (*holds)(const Scene& scene) = nullptr;
    };
    std::vector<OnlyWhen> only_when = {};
    /// Whether the condition for the parameter holds, if there is one.
    bool needs(std::string_view parameter, const Scene& scene) const;
    /// Whether the figure depends on the scene parameter of this name.
    bool reads(std::string_view parameter) const;
    /// The picture of a valid scene. May return a draft if `work.may_draft`. Returns early, with
    /// any picture, when `work.stop` is requested. Throws InputError if the scene cannot be drawn.
    Picture (*make)(const Scene& scene, Engine& engine, const Work& work) = nullptr;
    /// What its drafts wait for are results of Work::result(), so that another instance of the
    /// program can compute them. If false, a draft is completed by `make` alone.
    bool carries_results = false;
    /// Computes with the trained RoFormer of the box, whatever the scene's model is.
    bool of_trained_model = false;
    /// The parameter, a number from 0 to 1, that the animation moves from end to end. If empty, the
    /// animation moves the positions.
    std::string played = {};
    // The explanation below the figure.
    std::string what_you_see, what_to_try;
    std::vector<std::string> formulas;  ///< rich-text markup, see plot::draw_rich_text
    std::string formula_source;         ///< "RoFormer, eq. 14-16"
    /// Whether it shows a run of the checks: then a window need not wait for the end of the run,
    /// for the picture can be made of the results so far (Work::check_run).
    bool shows_check_run = false;
};

/// In the order of the navigation.
const std::vector<View>& views();
/// By id; throws InputError naming near matches.
const View& view_by_id(std::string_view id);

/// The picture of the scene's view, made by `engine` or, if that fails in the middle, by the engine
/// that steps in for it. Throws InputError for an inconsistent scene.
Picture make_picture(const Scene& scene, Engine& engine, const Work& work = {});

/// The results that take long of the whole picture of the scene, as bytes for another instance of
/// the program. Throws as make_picture().
std::string carried_results(const Scene& scene, Engine& engine, const Work& work);
/// The whole picture of them; the next one finds the results in the cache. Throws InputError for
/// bytes of another picture, too.
Picture picture_of_carried(std::string_view bytes, const Scene& scene, Engine& engine,
                           const Work& work);

/// The whole figure of the scene's view. Throws InputError for an inconsistent scene.
plot::Figure make_figure(const Scene& scene, Engine& engine, const Work& work = {});

}  // namespace ropescope::figures
