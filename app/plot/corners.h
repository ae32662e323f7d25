// The texts in a panel's corners: the header above its plot, and a line below it.
#pragma once

#include <vector>

#include "app/plot/figure.h"
#include "app/plot/pen.h"

namespace ropescope::plot {

/// Room between a panel's frame and what it holds, in units.
inline constexpr double kPanelPadding = 12;

/// A pair's plane: a circle without axes. It leaves the corners to their texts.
inline bool is_plane(const Panel& panel) {
    return panel.equal_aspect && !panel.x.visible && !panel.y.visible;
}

/// Two texts at the ends of a line: how much smaller they are written, and whether there is room
/// for the right one at all.
struct EndsPlan {
    double size = 1;
    bool both = true;
};
struct CornersPlan {
    EndsPlan header, bottom;
};

/// What there is room for in a panel with this frame.
CornersPlan plan_corners(const Panel& panel, Rect frame, const Pen& pen);
/// What there is room for in two panels that show their texts at the same size.
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
