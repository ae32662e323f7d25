// A scene as what follows the # of a link, and back.
#pragma once

#include <string>
#include <string_view>

#include "app/scene/scene.h"

namespace ropescope::web {

/// What a link asks for.
struct Linked {
    Scene scene;
    bool embedded = false;    ///< "embed=1": the figure with its slider alone
    std::string lesson = {};  ///< "lesson=decay"; empty: none
    std::string theme = {};   ///< "theme=light"; empty: the reader's
};

/// "view=attention&base=500000&lesson=scores": the view, what leads from the default scene to this
/// one, and what is not left out of lesson and theme, in a form that a browser keeps as it is.
std::string link_of(const Linked& linked);
std::string link_of(const Scene& scene);

/// `link`: what follows the #, percent-encoded or not. Throws InputError that names a setting which
/// cannot be applied.
Linked read_link(std::string_view link);

}  // namespace ropescope::web
