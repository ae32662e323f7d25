// Text with raised and lowered parts: drawn, measured, made to fit, and as plain text.
// Sources: rich_text.cpp, formula_text.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/painter.h"

namespace ropescope::plot {

/// Draws markup such as "base^{-2i/d}" and "q_{m}", whose raised and lowered parts are smaller.
/// Returns the width drawn. '^' and '_' without a brace stand for themselves: "head_dim".
double draw_rich_text(Pixel at, std::string_view markup, const TextStyle& style, Painter& painter);
/// The width drawn, and the height of the line without what is raised or lowered out of it.
Pixel rich_text_size(std::string_view markup, const TextStyle& style, Painter& painter);

/// The rich text, cut and ended with an ellipsis if it is wider than `width`; empty if not even two
/// letters fit.
std::string fitted(std::string_view text, double width, const TextStyle& style, Painter& painter);

/// Broken at spaces into at most `most_lines` lines, the last one fitted.
std::vector<std::string> wrapped(std::string_view text, double width, Index most_lines,
                                 const TextStyle& style, Painter& painter);

/// Raises what stands behind '^', and lowers what stands behind '_' and a single letter (or theta):
/// the words of names such as head_dim stay. Markup stays markup.
std::string formula_markup(std::string_view plain);

/// Without the braces that one character or number does not need: W_{q} becomes W_q.
std::string plain_formula(std::string_view markup);

}  // namespace ropescope::plot
