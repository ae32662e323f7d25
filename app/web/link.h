// A scene as what follows the # of a link, and back. Sources: link.cpp, read_link.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope::web {

/// What a link asks for.
struct Linked {
    Scene scene;
    bool embedded = false;    ///< "embed=1": the figure with its slider alone
    std::string lesson = {};  ///< "lesson=decay"; empty: none
    std::size_t step = 0;     ///< "step=2" of the lesson, from 1; 0: where its reader left it
    std::string theme = {};   ///< "theme=light"; empty: the reader's
    /// Why parts of the link were not followed, a sentence each; empty: all were.
    std::vector<std::string> left_out = {};
};

/// "view=attention&base=500000&lesson=scores": the view, what leads from the default scene to this
/// one, and what is not left out of lesson and theme, in a form that a browser keeps as it is.
std::string link_of(const Linked& linked);
std::string link_of(const Scene& scene);

/// `link`: what follows the #, percent-encoded or not. What cannot be followed is left out and
/// named: a link goes through programs that add words to it, and may be older than this program.
/// Signs of a sentence behind the link do not belong to it.
Linked read_link(std::string_view link);

/// The words of a link that are read; a scene has some hundred parameters.
inline constexpr std::ptrdiff_t kMostLinkWords = 1024;

/// What a link may name beside the parameters of a scene. Each function throws InputError for a
/// name that there is not.
struct LinkNames {
    std::function<void(const std::string& id)> view;
    std::function<std::size_t(const std::string& id)> steps_of_lesson;
    std::function<void(const std::string& name)> theme;
};
Linked read_link(std::string_view link, const LinkNames& names);

}  // namespace ropescope::web
