// The texts around a panel: the figure's title, subtitle and legend above its panels, and what
// stands in a panel's corners.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"
#include "core/base/index.h"

namespace ropescope::plot {

// The figure's title, subtitle and legend above its panels.

struct LegendFlow {
    struct Item {
        LegendEntry entry;
        Pixel at;          ///< relative to the legend's top left
        std::string name;  ///< the entry's label before it was cut
    };
    std::vector<Item> items;
    double width = 0, height = 0;
};

/// Puts as many entries into a row as `width` allows.
LegendFlow flow_legend(std::span<const LegendEntry> entries, double width, const Pen& pen);
void draw_legend(const LegendFlow& legend, Pixel at, const Pen& pen);
/// Where the entries of a legend at this place lie, one rectangle each.
std::vector<Rect> legend_places(const LegendFlow& legend, Pixel at, const Pen& pen);

struct Header {
    std::vector<std::string> title, subtitle;  ///< lines that fit
    LegendFlow legend;
    TextStyle title_style;
    Pixel title_at, subtitle_at, legend_at;
    Rect below;  ///< what is left of the area for the panels
};

/// Places the title, then the subtitle with the legend (these entries) at its right end or below
/// it. If they would take more than a third of the area, the subtitle is left out, then lines of
/// the title, and the legend last: without it nobody knows what the lines are. In a thumbnail of
/// several panels the legend goes before the title.
Header lay_out_header(const Figure& figure, std::span<const LegendEntry> legend, Rect area,
                      const Pen& pen, bool with_subtitle = true);
void draw_header(const Header& header, const Pen& pen);

// The texts in a panel's corners: the header above its plot, and a line below it.

/// Whether the panel is the plane of a pair: a circle without axes, whose corners are free for
/// texts.
inline bool is_plane(const Panel& panel) {
    return panel.equal_aspect && !panel.x.visible && !panel.y.visible;
}

/// How two texts at the ends of one line are written: how much smaller, whether there is room for
/// the right one at all, and whether the left one then needs more lines.
struct EndsPlan {
    double size = 1;
    bool both = true;
    Index lines = 1;  ///< of the left text; 0: it has no room
};
struct CornersPlan {
    EndsPlan header, bottom;
};

/// The texts that fit into a panel with this frame.
CornersPlan plan_corners(const Panel& panel, Rect frame, const Pen& pen);
/// Whether the panel's title is drawn without being cut.
bool has_whole_title(const Panel& panel, Rect frame, const Pen& pen);
/// The texts that fit into two panels which show them at the same size.
CornersPlan in_common(const CornersPlan& a, const CornersPlan& b);

/// Whether the header's texts would lie on the circle of a plane whose plot is `plot`.
bool header_meets_circle(const Panel& panel, const CornersPlan& plan, Rect frame, Rect plot,
                         const Pen& pen);

/// Draw the two lines; each returns the places taken.
std::vector<Rect> draw_header_corners(const Panel& panel, const CornersPlan& plan, Rect frame,
                                      const Pen& pen);
std::vector<Rect> draw_bottom_corners(const Panel& panel, const CornersPlan& plan, Rect frame,
                                      const Pen& pen);

}  // namespace ropescope::plot
