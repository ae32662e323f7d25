// Text that has to fit: cut at the end, or broken into lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/painter.h"

namespace ropescope::gui {

/// The text, or as much of its beginning as fits with an ellipsis.
std::string fitted(std::string_view text, double width, const plot::TextStyle& style,
                   plot::Painter& metrics);

/// Lines no wider than `width`, broken at spaces; a longer word stays whole.
std::vector<std::string> wrapped(std::string_view text, double width, const plot::TextStyle& style,
                                 plot::Painter& metrics);

}  // namespace ropescope::gui
