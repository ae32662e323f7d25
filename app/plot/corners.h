// The texts in a panel's corners: the header above its plot, and a line below it.
#pragma once

#include <vector>

#include "app/plot/figure.h"
#include "app/plot/pen.h"

namespace ropescope::plot {

/// Room between a panel's frame and what it holds, in units.
inline constexpr double kPanelPadding = 12;

/// Whether the panel is the plane of a pair: a circle without axes, whose corners are free for
/// texts.
inline bool is_plane(const Panel& panel) {
    return panel.equal_aspect && !panel.x.visible && !panel.y.visible;
}

/// How two texts at the ends of one line are written: how much smaller, and whether there is room
/// for the right one at all.
struct EndsPlan {
    double size = 1;
    bool both = true;
};
struct CornersPlan {
    EndsPlan header, bottom;
};

/// The texts that fit into a panel with this frame.
CornersPlan plan_corners(const Panel& panel, Rect frame, const Pen& pen);
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
