// The words at the axes of a panel: what each axis counts, and what the colours of a map mean.
#pragma once

#include <string>
#include <vector>

#include "app/plot/painter.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// One label, in as many lines as its room needs.
struct LabelLines {
    std::vector<std::string> lines = {};
    TextStyle style = {};
    bool cut = false;  ///< the last line ends in an ellipsis
};

/// The labels of a panel: above its plot that of y and, at the right, that of its colour bar; below
/// the plot that of x. Empty where the panel has none.
struct AxisLabels {
    LabelLines x = {}, y = {}, bar = {};
    double above = 0, below = 0;  ///< the height of the lines, in pixels
    bool cut() const { return x.cut || y.cut || bar.cut; }
};

/// A label is written smaller before it is broken into lines, and broken before it is cut.
AxisLabels plan_axis_labels(const Panel& panel, bool color_bar, Rect frame, const Pen& pen);

/// Where the labels stand beside the plot and the colour bar (null: none).
struct LabelPlaces {
    double above = 0;  ///< where the last line above the plot ends
    double below = 0;  ///< where the first line below it begins
    double left = 0;   ///< of the plot and the numbers beside it
    const Rect* color_bar = nullptr;
};
void draw_axis_labels(const PlacedPanel& placed, const AxisLabels& labels,
                      const LabelPlaces& places, const Pen& pen);

}  // namespace ropescope::plot
