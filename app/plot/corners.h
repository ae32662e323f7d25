// The texts in a panel's corners: the header above its plot, and a line below it.
#pragma once

#include <vector>

#include "app/plot/pen.h"

namespace ropescope::plot {

struct PanelLayout;

/// Two texts at the ends of a line: how much smaller they are written, and whether there is room
/// for the right one at all.
struct EndsPlan {
    double size = 1;
    bool both = true;
};
struct CornersPlan {
    EndsPlan header, bottom;
};

/// Planes side by side show the same texts at the same size: what the narrowest has room for.
void plan_corners(std::vector<PanelLayout>& layouts, const Pen& pen);

/// Whether the header's texts would lie on the circle of a plane whose plot is this.
bool header_meets_circle(const PanelLayout& layout, Rect plot, const Pen& pen);

/// Returns the places taken.
std::vector<Rect> draw_corners(const PanelLayout& layout, const Pen& pen);

}  // namespace ropescope::plot
