// Text that has to fit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/painter.h"

namespace ropescope::plot {

/// The rich text, cut and ended with an ellipsis where it is wider than `width`; empty when not
/// even two letters fit.
std::string fitted(std::string_view text, double width, const TextStyle& style, Painter& painter);

/// Broken at spaces into at most `most_lines` lines, the last one fitted.
std::vector<std::string> wrapped(std::string_view text, double width, std::size_t most_lines,
                                 const TextStyle& style, Painter& painter);

}  // namespace ropescope::plot
