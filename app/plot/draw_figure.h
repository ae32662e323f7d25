// Draws a figure in pixels, in the same way for the window, files and tests.
#pragma once

#include <string>
#include <vector>

#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// Where a name stands that belongs to lines or points: in a legend, or beside the end of a line.
struct NamePlace {
    std::string name;
    Rect place;
};

struct DrawnFigure {
    std::vector<PlacedPanel> panels;
    std::vector<NamePlace> names;
};

/// Draws the figure into `area` and returns where its panels and names lie. `scale` multiplies type
/// and line sizes.
DrawnFigure draw_figure(const Figure& figure, Rect area, const Theme& theme, double scale,
                        Painter& painter, const Dress& dress = {});

/// Returns the places that draw_figure() gives the panels. They depend on the arguments alone: the
/// same figure, area, theme and text metrics give the same places.
std::vector<PlacedPanel> place_panels(const Figure& figure, Rect area, const Theme& theme,
                                      double scale, Painter& metrics, const Dress& dress = {});

/// What a figure of this size has no room for, each in a few words: "the axis labels of score".
/// Empty if all of it is drawn.
std::vector<std::string> left_out(const Figure& figure, Rect area, const Theme& theme, double scale,
                                  Painter& metrics, const Dress& dress = {});

/// The ids of the panels without which the others of a picture as small as the column of a paper
/// have room for their titles, the names of their lines and their tables; empty for a larger one.
/// The first panel always stays.
std::vector<std::string> panels_without_room(const Figure& figure, Rect area, const Theme& theme,
                                             double scale, Painter& metrics,
                                             const Dress& dress = {});

}  // namespace ropescope::plot
