// A lesson as a page: its steps one below the other, each with its text, its figure, the controls
// of what is to be done, and what says that it is done.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/pages/page.h"
#include "core/engine/engine.h"

namespace ropescope::pages {

/// The data of a film in a file of its own, which the page loads when the figure comes into view.
struct StoredFilm {
    std::string name;  ///< of the file, without its folder: "one-pair.2.js"
    std::string script;
};
/// What a film may weigh in base64, since somebody waits for it: 120 kB as it is sent.
inline constexpr std::size_t kMostFilmBytes = 160'000;
inline constexpr std::size_t kFewestValues = 4;
/// How many values leave room for a film like this one, which `most` made too large.
std::size_t fewer_values(std::size_t most, const Film& film);
/// The script of a film's file.
std::string film_script(const std::string& id, const Film& film);

/// Where the page of a lesson lies in a site.
struct LessonPlace {
    std::string head = {};   ///< HTML for its head
    std::string above = {};  ///< HTML above its heading
    std::string below = {};  ///< HTML at its end: the ways on
    std::string app = {};    ///< the address of the page of the app; empty: there is none
};
struct LessonOfSite {
    std::string html;
    std::vector<StoredFilm> films;
};
/// The page with its films beside it, in the folder "films".
LessonOfSite lesson_of_site(const lessons::Lesson& lesson, const LessonPlace& place,
                            Engine& engine);

/// The whole lesson as one file; its controls have fewer values, or none, if it would be larger
/// than kMostPageBytes. Throws InputError if it is too large even so.
std::string lesson_page(const lessons::Lesson& lesson, Engine& engine,
                        const PageProgress& progress = {});

}  // namespace ropescope::pages
