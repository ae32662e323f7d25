// Draws a figure: header, cards, grid, marks, labels and legends, in this order.
#include "app/plot/draw_figure.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "app/plot/axis.h"
#include "app/plot/end_names.h"
#include "app/plot/header.h"
#include "app/plot/heat_raster.h"
#include "app/plot/look.h"
#include "app/plot/marks.h"
#include "app/plot/panel_layout.h"
#include "app/plot/rich_text.h"
#include "app/plot/shapes.h"

namespace ropescope::plot {
namespace {

/// Room between the border of the area and what is drawn, if there is a title.
Rect inner(Rect area, const Pen& pen) {
    const double margin =
        std::round(std::min(pen.px(24), 0.04 * std::min(area.width, area.height)));
    return {area.x + margin, area.y + margin, std::max(0.0, area.width - 2 * margin),
            std::max(0.0, area.height - 2 * margin)};
}

struct FigureLayout {
    Header header;
    std::vector<PanelLayout> panels;
};

/// Whether a line of a panel carries the entry's name, so that its end can be named instead.
bool is_carried(const Figure& figure, const LegendEntry& entry) {
    return std::ranges::any_of(figure.panels, [&](const Panel& panel) {
        return std::ranges::any_of(panel.marks, [&](const Mark& mark) {
            const auto* line = std::get_if<Line>(&mark);
            return line != nullptr && line->label == entry.label;
        });
    });
}

/// The legend's entries of what has no end to be named at.
std::vector<LegendEntry> not_carried(const Figure& figure) {
    std::vector<LegendEntry> entries;
    std::ranges::copy_if(figure.legend, std::back_inserter(entries),
                         [&](const LegendEntry& entry) { return !is_carried(figure, entry); });
    return entries;
}

/// In units: what is narrower is small, like the column of a paper.
constexpr double kSmallPicture = 560;

FigureLayout lay_out_with(const Figure& figure, std::span<const LegendEntry> legend, Rect area,
                          bool subtitle, const Pen& pen) {
    Header header;
    header.below = area;
    if (pen.dress.title || !legend.empty()) {
        header = lay_out_header(figure, legend, inner(area, pen), pen, subtitle);
    }
    // Where the header has no room for a legend, the panels name their own lines.
    const bool named = !header.legend.items.empty() || pen.dress.legend == LegendPlace::none;
    const std::span<const LegendEntry> shown = pen.dress.legend == LegendPlace::none
                                                   ? std::span<const LegendEntry>(figure.legend)
                                                   : legend;
    return {header, lay_out_panels(figure, named ? shown : std::span<const LegendEntry>{},
                                   header.below, pen)};
}

bool names_at_ends(const FigureLayout& layout) {
    return std::ranges::all_of(layout.panels, [](const PanelLayout& panel) {
        return panel.detail.names && panel.legend.items.empty();
    });
}

/// A small picture of one panel names its lines at their ends if they all fit there, which leaves
/// the plot more room than a legend.
FigureLayout lay_out_dressed(const Figure& figure, Rect area, bool subtitle, const Pen& pen) {
    switch (pen.dress.legend) {
        case LegendPlace::none:
            return lay_out_with(figure, {}, area, subtitle, pen);
        case LegendPlace::lines:
            return lay_out_with(figure, not_carried(figure), area, subtitle, pen);
        case LegendPlace::above:
            return lay_out_with(figure, figure.legend, area, subtitle, pen);
        case LegendPlace::automatic:
            break;
    }
    if (figure.panels.size() == 1 && area.width < pen.px(kSmallPicture) && !figure.legend.empty()) {
        FigureLayout direct = lay_out_with(figure, not_carried(figure), area, subtitle, pen);
        if (names_at_ends(direct)) {
            return direct;
        }
    }
    return lay_out_with(figure, figure.legend, area, subtitle, pen);
}

/// The last panel that has no room; null if all have it.
const PanelLayout* last_without_room(const FigureLayout& layout, const Pen& pen) {
    const auto found =
        std::find_if(layout.panels.rbegin(), layout.panels.rend(),
                     [&](const PanelLayout& panel) { return !is_readable(panel, pen); });
    return found == layout.panels.rend() ? nullptr : &*found;
}

/// In a small picture of several panels the line below the title gives way to what they say.
FigureLayout lay_out(const Figure& figure, Rect area, const Pen& pen) {
    FigureLayout layout = lay_out_dressed(figure, area, true, pen);
    const bool may_give_way = figure.panels.size() > 1 && area.width < pen.px(kSmallPicture) &&
                              !layout.header.subtitle.empty();
    return may_give_way && last_without_room(layout, pen) != nullptr
               ? lay_out_dressed(figure, area, false, pen)
               : layout;
}

std::vector<PlacedPanel> places(const FigureLayout& layout) {
    std::vector<PlacedPanel> placed;
    for (const PanelLayout& panel : layout.panels) {
        placed.push_back(panel.placed);
    }
    return placed;
}

void draw_card(const PlacedPanel& placed, const Pen& pen) {
    if (!pen.dress.cards) {
        return;
    }
    const double corner = std::min(pen.px(pen.theme.corner_px),
                                   0.1 * std::min(placed.frame.width, placed.frame.height));
    pen.painter.fill_rect(placed.frame, pen.color(Role::panel), corner);
    const bool selected = placed.panel->selected;
    pen.painter.stroke_rect(placed.frame, pen.color(selected ? Role::accent : Role::line),
                            selected ? pen.px(pen.theme.selected_px) : pen.hairline(), corner);
}

void draw_grid(const PanelLayout& layout, const Pen& pen) {
    const PlacedPanel& placed = layout.placed;
    const bool covered = std::ranges::any_of(placed.panel->marks, [](const Mark& mark) {
        return std::holds_alternative<HeatMap>(mark);
    });
    if (covered) {
        return;
    }
    const Color color = pen.color(Role::grid);
    for (const Tick& tick : layout.y_ticks) {
        if (tick.major) {
            draw_horizontal(placed.plot.x, placed.to_pixel({0, tick.value}).y, placed.plot.width,
                            color, pen);
        }
    }
    if (placed.x.scale == AxisScale::log10) {
        for (const Tick& tick : layout.x_ticks) {
            if (tick.major) {
                draw_vertical(placed.to_pixel({tick.value, 0}).x, placed.plot.y, placed.plot.height,
                              color, pen);
            }
        }
    }
}

/// Labels to the left of the plot, or to the right of a colour bar. Returns the places taken.
std::vector<Rect> draw_upright_labels(const std::vector<Tick>& ticks, const Axis& axis, Rect along,
                                      bool right, const Pen& pen) {
    std::vector<Rect> taken;
    const TextStyle style = pen.mono();
    for (const Tick& tick : ticks) {
        if (!tick.major) {
            continue;
        }
        const Pixel size = rich_text_size(tick.label, style, pen.painter);
        const double y = along.y + (1 - to_unit(axis, tick.value)) * along.height;
        const double x =
            right ? along.x + along.width + pen.px(6) : along.x - pen.px(kTickGap) - size.x;
        draw_rich_text({x, y - size.y / 2}, tick.label, style, pen.painter);
        taken.push_back({x, y - size.y / 2, size.x, size.y});
    }
    return taken;
}

/// Returns the places taken.
std::vector<Rect> draw_level_labels(const PanelLayout& layout, const Pen& pen) {
    std::vector<Rect> taken;
    const PlacedPanel& placed = layout.placed;
    const TextStyle style = pen.mono();
    const double y = placed.plot.y + placed.plot.height + pen.px(kTickGap);
    const Rect frame = placed.frame;
    const double edge = pen.px(6);  // as far as letters stay from the border of a card
    for (const Tick& tick : layout.x_ticks) {
        if (!tick.major) {
            continue;
        }
        const Pixel size = rich_text_size(tick.label, style, pen.painter);
        const double wish = placed.to_pixel({tick.value, 0}).x - size.x / 2;
        const double last = std::max(frame.x + edge, frame.x + frame.width - size.x - edge);
        const double x = std::clamp(wish, frame.x + edge, last);
        draw_rich_text({x, y}, tick.label, style, pen.painter);
        taken.push_back({x, y, size.x, size.y});
    }
    return taken;
}

void draw_labels_of_axes(const PanelLayout& layout, const Pen& pen) {
    const Rect plot = layout.placed.plot;
    draw_axis_labels(layout.placed, layout.labels,
                     {.above = plot.y - layout.tick_rise - pen.px(kLabelRise),
                      .below = plot.y + plot.height + layout.tick_drop + pen.px(kLabelDrop),
                      .left = plot.x - layout.gutters.left,
                      .color_bar = layout.heat_map == nullptr ? nullptr : &layout.color_bar},
                     pen);
}

/// Returns the places taken.
std::vector<Rect> draw_corners(const PanelLayout& layout, const Pen& pen) {
    const PlacedPanel& placed = layout.placed;
    std::vector<Rect> taken;
    if (layout.detail.header) {
        taken = draw_header_corners(*placed.panel, layout.corners, placed.frame, pen);
    }
    if (layout.detail.corners) {
        const auto below = draw_bottom_corners(*placed.panel, layout.corners, placed.frame, pen);
        taken.insert(taken.end(), below.begin(), below.end());
    }
    return taken;
}

/// Adds where the entries of a legend lie.
void add_legend_names(std::vector<NamePlace>& names, const LegendFlow& legend, Pixel at,
                      const Pen& pen) {
    const std::vector<Rect> places = legend_places(legend, at, pen);
    for (std::size_t i = 0; i < places.size(); ++i) {
        names.push_back({legend.items[i].name, places[i]});
    }
}

/// Draws the panel and adds the places of its names.
void draw_panel(const PanelLayout& layout, std::vector<NamePlace>& names, const Pen& pen) {
    const PlacedPanel& placed = layout.placed;
    if (placed.frame.width < 2 || placed.frame.height < 2) {
        return;
    }
    draw_card(placed, pen);
    pen.painter.push_clip(placed.frame);
    draw_ground(placed, pen);
    draw_grid(layout, pen);
    draw_marks(placed, pen);
    std::vector<Rect> taken;
    const auto take = [&taken](const std::vector<Rect>& places) {
        taken.insert(taken.end(), places.begin(), places.end());
    };
    take(draw_upright_labels(layout.y_ticks, placed.y, placed.plot, false, pen));
    take(draw_level_labels(layout, pen));
    draw_labels_of_axes(layout, pen);
    if (layout.heat_map != nullptr) {
        const Raster bar = color_bar_raster(*layout.heat_map, layout.color_bar, pen.theme);
        pen.painter.image(bar.place, bar.view());
        draw_upright_labels(layout.bar_ticks, color_axis(*layout.heat_map), layout.color_bar, true,
                            pen);
    }
    take(draw_corners(layout, pen));
    const bool in_legend = !layout.legend.items.empty();
    if (in_legend) {
        const Pixel at{placed.frame.x + pen.padding(), placed.frame.y + layout.legend_top};
        draw_legend(layout.legend, at, pen);
        add_legend_names(names, layout.legend, at, pen);
    } else if (layout.detail.names) {
        for (const auto& [name, place] : draw_end_labels(placed, layout.names, pen)) {
            names.push_back({name, place});
            taken.push_back(place);
        }
    }
    if (!layout.more.empty()) {
        draw_rich_text({placed.plot.x, placed.plot.y + placed.plot.height}, layout.more,
                       pen.small(), pen.painter);
    }
    const bool named = layout.detail.names && !in_legend;
    draw_annotations(placed, named ? layout.names : std::vector<EndName>{}, taken, pen);
    pen.painter.pop_clip();
}

/// Whether every name of the figure's legend stands in it or in a panel.
bool has_names(const Figure& figure, const FigureLayout& layout) {
    const auto in_header = [&](const LegendEntry& entry) {
        return std::ranges::any_of(layout.header.legend.items, [&](const LegendFlow::Item& item) {
            return item.name == entry.label;
        });
    };
    const auto in_panel = [](const PanelLayout& panel, const LegendEntry& entry) {
        return panel.detail.names && std::ranges::any_of(panel.names, [&](const EndName& name) {
                   return name.entry.label == entry.label;
               });
    };
    return std::ranges::all_of(figure.legend, [&](const LegendEntry& entry) {
        return in_header(entry) ||
               std::ranges::any_of(
                   layout.panels, [&](const PanelLayout& panel) { return in_panel(panel, entry); });
    });
}

void add_header_parts(const Figure& figure, const FigureLayout& layout, const Pen& pen,
                      std::vector<std::string>& out) {
    const Header& header = layout.header;
    if (pen.dress.title && !figure.title.empty() && is_cut(header.title, figure.title)) {
        out.emplace_back(header.title.empty() ? "the title" : "the end of the title");
    }
    if (pen.dress.title && !figure.subtitle.empty() && is_cut(header.subtitle, figure.subtitle)) {
        out.emplace_back(header.subtitle.empty() ? "the line below the title"
                                                 : "the end of the line below the title");
    }
}

void add_panel_parts(const PanelLayout& layout, const Pen& pen, std::vector<std::string>& out) {
    const Panel& panel = *layout.placed.panel;
    const Detail& detail = layout.detail;
    const auto add = [&](bool missing, const std::string& part) {
        if (missing) {
            out.push_back(part + " of " + panel.id);
        }
    };
    const bool labels =
        (panel.x.visible && !panel.x.label.empty()) || (panel.y.visible && !panel.y.label.empty());
    const bool header = !panel.title.empty() || !panel.corners.top_left.empty();
    add(!detail.header && header, "the title");
    add(detail.header && !has_whole_title(panel, layout.placed.frame, pen), "the end of the title");
    add(!has_numbers(layout), "the numbers at the axes");
    add(!detail.axis_labels && labels, "the axis labels");
    add(layout.labels.cut(), "the end of an axis label");
    add(!detail.names && !layout.names.empty(), "the names of lines");
    add(!detail.color_bar && panel.color_bar, "the colour bar");
    add(!layout.more.empty(), layout.more);
}

}  // namespace

std::vector<std::string> left_out(const Figure& figure, Rect area, const Theme& theme, double scale,
                                  Painter& metrics, const Dress& dress) {
    const Pen pen{metrics, theme, scale, dress};
    const FigureLayout layout = lay_out(figure, area, pen);
    std::vector<std::string> out;
    add_header_parts(figure, layout, pen, out);
    if (dress.legend != LegendPlace::none && !has_names(figure, layout)) {
        out.emplace_back("the legend");
    }
    for (const PanelLayout& panel : layout.panels) {
        add_panel_parts(panel, pen, out);
    }
    return out;
}

std::vector<std::string> panels_without_room(const Figure& figure, Rect area, const Theme& theme,
                                             double scale, Painter& metrics, const Dress& dress) {
    const Pen pen{metrics, theme, scale, dress};
    std::vector<std::string> ids;
    if (area.width >= pen.px(kSmallPicture)) {
        return ids;
    }
    std::optional<Figure> rest;  // a copy only where something is left out
    while (true) {
        const Figure& now = rest ? *rest : figure;
        const FigureLayout layout = lay_out(now, area, pen);
        const PanelLayout* const last = last_without_room(layout, pen);
        if (last == nullptr || now.panels.size() < 2) {
            return ids;
        }
        // Where the first has no room, the last makes room for it.
        const Panel* const panel = last->placed.panel;
        ids.push_back(panel == &now.panels.front() ? now.panels.back().id : panel->id);
        rest = without_panel(now, ids.back());
    }
}

std::vector<PlacedPanel> place_panels(const Figure& figure, Rect area, const Theme& theme,
                                      double scale, Painter& metrics, const Dress& dress) {
    return places(lay_out(figure, area, {metrics, theme, scale, dress}));
}

DrawnFigure draw_figure(const Figure& figure, Rect area, const Theme& theme, double scale,
                        Painter& painter, const Dress& dress) {
    const Pen pen{painter, theme, scale, dress};
    const FigureLayout layout = lay_out(figure, area, pen);
    DrawnFigure drawn{.panels = places(layout), .names = {}};
    draw_header(layout.header, pen);
    add_legend_names(drawn.names, layout.header.legend, layout.header.legend_at, pen);
    for (const PanelLayout& panel : layout.panels) {
        draw_panel(panel, drawn.names, pen);
    }
    return drawn;
}

}  // namespace ropescope::plot
