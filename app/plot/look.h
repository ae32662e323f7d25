// How a figure is looked at: ranges of its axes that a person has chosen, and lines that are
// hidden. It changes what is drawn, never what a figure is made of, so the window and a file can
// share it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "app/plot/figure.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

struct AxisRange {
    double min = 0, max = 1;
    bool operator==(const AxisRange&) const = default;
};

/// The ranges that a panel shows instead of its own.
struct PanelRange {
    AxisRange x, y;
    bool operator==(const PanelRange&) const = default;
};

struct Look {
    std::map<std::string, PanelRange, std::less<>> ranges = {};  ///< by the panel's id
    std::set<std::string, std::less<>> hidden = {};  ///< names in legends and at lines' ends
    std::string panel = {};                          ///< the only one that is drawn; empty: all

    bool operator==(const Look&) const = default;
    bool empty() const { return ranges.empty() && hidden.empty() && panel.empty(); }
};

/// The figure as it is looked at. Names of hidden marks stay, dim, so that they can be shown again.
/// Ranges of panels that the figure does not have, and names that nothing has, change nothing.
Figure as_seen(Figure figure, const Look& look);

/// Leaves out of the legend what it says only of panels that `whole` has and the figure has not.
void keep_legend_of_panels(Figure& figure, const Figure& whole);

/// The figure without that panel, whose room those beside it have. The only panel stays.
Figure without_panel(Figure figure, std::string_view id);

/// Whether the panel has axes along which it can be enlarged. Planes and texts have none.
bool can_zoom(const Panel& panel);
/// Whether the figure has lines, points or areas that belong to the name.
bool can_hide(const Figure& figure, std::string_view name);

enum class Along { x, y, both };

/// The panel's ranges after zooming by a factor (below 1: enlarged) with the place under the cursor
/// kept where it is. Empty if the axes cannot show that range.
std::optional<PanelRange> zoomed(const PlacedPanel& placed, Pixel cursor, double factor,
                                 Along along);
/// The panel's ranges after what it shows was pulled by so many pixels.
std::optional<PanelRange> panned(const PlacedPanel& placed, Pixel by);

/// "score=-8:8,-0.5:1", as --range takes it: a panel's id, the ends of x, the ends of y.
std::string range_text(std::string_view panel, const PanelRange& range);
/// Adds the range that such a text names. Throws InputError that shows the expected form.
void add_range(Look& look, std::string_view text);
/// Throws InputError that names what there is if the figure has no panel for one of the look's
/// ranges or nothing for one of its names.
void require_applies(const Look& look, const Figure& figure);

}  // namespace ropescope::plot
