// How the frame of each panel is shared between its plot and everything around it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/plot/axis.h"
#include "app/plot/axis_labels.h"
#include "app/plot/end_names.h"
#include "app/plot/figure.h"
#include "app/plot/header.h"
#include "app/plot/painter.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// What a panel shows beside its marks. The smaller the panel, the less it shows.
struct Detail {
    bool header = true, ticks = true, axis_labels = true, corners = true, color_bar = true,
         names = true;
};

/// Room around the plot, in pixels.
struct Gutters {
    double left = 0, right = 0, top = 0, bottom = 0;
};

struct PanelLayout {
    PlacedPanel placed;
    Detail detail;
    CornersPlan corners;
    Gutters gutters;
    std::vector<Tick> x_ticks, y_ticks;  ///< empty if the axis is not shown
    std::vector<EndName> names;          ///< of marks without an entry in the figure's legend
    LegendFlow legend;                   ///< holds them if they do not go at the lines' ends
    double legend_top = 0;               ///< below the frame's top
    AxisLabels labels;                   ///< empty if they are not shown
    double tick_rise = 0;                ///< of the topmost number above the plot's top
    double tick_drop = 0;                ///< of the numbers below its bottom
    const HeatMap* heat_map = nullptr;   ///< with a colour bar
    Rect color_bar;
    std::vector<Tick> bar_ticks;
    std::string
        more;  ///< "3 more rows": what tracks or facts had no room for, at the plot's bottom
};

/// Panels on the figure's grid (placed_panel.h) in `area`, plots aligned along its rows and
/// columns. Each names its own lines, but for those in `legend`.
std::vector<PanelLayout> lay_out_panels(const Figure& figure, std::span<const LegendEntry> legend,
                                        Rect area, const Pen& pen);

/// Whether each axis of the panel has two numbers, from which others can be read.
bool has_numbers(const PanelLayout& layout);

/// Whether the panel shows its title, the names of its lines, and of a table or a list of facts at
/// least one row below the headings. One that does not would better be left out.
bool is_readable(const PanelLayout& layout, const Pen& pen);

/// Distances that the drawing uses too, in units.
inline constexpr double kTickGap = 8, kLabelRise = 5, kLabelDrop = 3, kBarGap = 14, kBarWidth = 12;

}  // namespace ropescope::plot
