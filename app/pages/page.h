// Self-contained pages: one HTML file with its style, its script and its figures, which asks for
// nothing from outside.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pages/film.h"
#include "app/pages/step_controls.h"
#include "app/pages/variation.h"
#include "core/engine/engine.h"

namespace ropescope::pages {

/// What a page may weigh, so that a course can embed it and a phone can load it.
inline constexpr std::size_t kMostPageBytes = 500'000;
/// The most frames of a figure with a slider; fewer if the page would be too large.
inline constexpr std::size_t kMostFrames = 41;

struct PageParts {
    std::string title, about;
    std::string body;                  ///< HTML
    std::string head = {};             ///< HTML: what a site says about the page
    std::string above = {};            ///< HTML above the heading: the way back
    std::vector<std::string> scripts;  ///< names of assets, in their order
};
/// The whole document, in English.
std::string page(const PageParts& parts, const Palette& palette);

/// The control of a film. The frame of several ones is the sum of their places, each times the
/// count of the values of those before it.
struct FilmControl {
    std::string name;                 ///< "query position"
    std::vector<std::string> labels;  ///< of its values, as people read them
    std::size_t start = 0;            ///< the value at first
    bool is_list = false;             ///< a list instead of a slider
};
std::vector<FilmControl> film_controls(const std::vector<StepControl>& controls);

/// How a film is moved, and where its data lies.
struct FilmPlace {
    std::string id;                     ///< unique in the page: "film-2"
    std::string data_of;                ///< the id of the film whose data it shows
    std::vector<FilmControl> controls;  ///< none: it has one frame
    bool plays = false;                 ///< with a button that goes through the frames
    std::optional<std::size_t> solved;  ///< the frame in which its task is done
    std::string source;                 ///< a script that brings the data; empty: data_html()
};
std::string film_html(const Film& film, const FilmPlace& place);
/// The film's data as a part of the page.
std::string data_html(const Film& film, const std::string& id);

using PageProgress = std::function<void(double done)>;

struct FigurePage {
    std::string html;
    std::string remark;  ///< says that values were left out, in one line; empty: none was
};

/// The scene's view with a slider over the values of the variation, or over fewer of them if the
/// page would be too large. Throws InputError if even two make it too large.
FigurePage figure_page(const Scene& scene, const Variation& variation, Engine& engine,
                       const PageProgress& progress = {});

/// "base^{−2i/d}" as HTML.
std::string formula_html(std::string_view markup);

}  // namespace ropescope::pages
