// Self-contained pages: one HTML file with its style, its script and its figures, which asks for
// nothing from outside.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"
#include "app/pages/film.h"
#include "app/pages/variation.h"
#include "core/engine/engine.h"

namespace ropescope::pages {

/// What a page may weigh, so that a course can embed it and a phone can load it.
inline constexpr std::size_t kMostPageBytes = 500'000;
/// The most frames of a figure with a slider; fewer if the page would be too large.
inline constexpr std::size_t kMostFrames = 41;

struct PageParts {
    std::string title, about;
    std::string body;  ///< HTML
};
/// The whole document, in English.
std::string page(const PageParts& parts, const Palette& palette);

/// How a film is moved: by a slider with a button to play, by one button, or not at all.
enum class Motion { slider, toggle, none };
/// The HTML of a film. `name` is unique in the page.
std::string film_html(const Film& film, std::size_t frames, Motion motion, const std::string& name);

using Progress = std::function<void(double done)>;

/// The scene's view with a slider over the values of the variation. Throws InputError if no fewer
/// frames make the page small enough.
std::string figure_page(const Scene& scene, const Variation& variation, Engine& engine,
                        const Progress& progress = {});

/// A lesson: its steps one below the other, each with its figure, what to do and, if the figure
/// changes by doing it, the figure afterwards, unless the page would be too large with it.
std::string lesson_page(const lessons::Lesson& lesson, Engine& engine,
                        const Progress& progress = {});

}  // namespace ropescope::pages
