// Text with raised and lowered parts: drawn, measured, made to fit, and as plain text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/painter.h"

namespace ropescope::plot {

/// Draws markup such as "base^{-2i/d}" and "q_{m}", whose raised and lowered parts are smaller.
/// Returns the width drawn. A '^' or '_' without a brace is drawn as it is: "head_dim".
double draw_rich_text(Pixel at, std::string_view markup, const TextStyle& style, Painter& painter);
/// The width drawn, and the height of the line; raised and lowered parts may reach beyond it.
Pixel rich_text_size(std::string_view markup, const TextStyle& style, Painter& painter);

/// The rich text; if it is wider than `width`, it is cut and ends with an ellipsis. Empty if fewer
/// than two letters fit.
std::string fitted(std::string_view text, double width, const TextStyle& style, Painter& painter);

/// Breaks the text at spaces into at most `most_lines` lines. If they are too few, the last one
/// ends with an ellipsis behind its last whole word, or within it if there is no room, as does a
/// word that is wider than its line. A number keeps its unit on its line ("40.3 %"), and the number
/// that ends the text the word before it
/// ("position 9"), if a line has room for both.
std::vector<std::string> wrapped(std::string_view text, double width, Index most_lines,
                                 const TextStyle& style, Painter& painter);

/// Whether an ellipsis stands in these lines for a part of the text, or there is no line.
bool is_cut(const std::vector<std::string>& lines, std::string_view text);

/// Turns a plain formula into markup: what follows '^' is raised, what follows '_' is lowered if a
/// single letter (or theta) stands before it, so that names such as head_dim stay. Markup is left
/// alone.
std::string formula_markup(std::string_view plain);

/// Removes braces around a single character or number: W_{q} becomes W_q.
std::string plain_formula(std::string_view markup);

}  // namespace ropescope::plot
