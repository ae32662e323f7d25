// Shares each panel's rectangle between the plot and the texts around it.
#include "app/plot/panel_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <variant>
#include <vector>

#include "app/plot/axis.h"
#include "app/plot/facts.h"
#include "app/plot/heat_raster.h"
#include "app/plot/panel_tracks.h"
#include "app/plot/placed_panel.h"
#include "app/plot/rich_text.h"
#include "app/plot/shown_ticks.h"

namespace ropescope::plot {
namespace {

/// Of the frame's width, for the names at the right of the plot.
constexpr double kMostBeside = 0.28;
/// Units. A legend takes too much of a low panel.
constexpr double kNarrowPanel = 440, kLowPanel = 150;

bool has_header(const Panel& panel) {
    return !panel.title.empty() || !panel.corners.top_left.empty() ||
           !panel.corners.top_right.empty();
}
bool has_bottom_corners(const Panel& panel) {
    return !panel.corners.bottom_left.empty() || !panel.corners.bottom_right.empty();
}
bool shows_axes(const Panel& panel) {
    return panel.x.visible || panel.y.visible;
}

const HeatMap* heat_map_of(const Panel& panel) {
    for (const Mark& mark : panel.marks) {
        if (const auto* map = std::get_if<HeatMap>(&mark)) {
            return map;
        }
    }
    return nullptr;
}

/// Planes side by side show the same texts at the same size, those that fit into the narrowest.
void plan_all_corners(std::vector<PanelLayout>& layouts, const Pen& pen) {
    CornersPlan planes;
    for (PanelLayout& layout : layouts) {
        const PlacedPanel& placed = layout.placed;
        layout.corners = plan_corners(*placed.panel, placed.frame, pen);
        if (is_plane(*placed.panel)) {
            planes = in_common(planes, layout.corners);
        }
    }
    for (PanelLayout& layout : layouts) {
        if (is_plane(*layout.placed.panel)) {
            layout.corners = planes;
        }
    }
}

std::vector<LegendEntry> entries_of(const std::vector<EndName>& names) {
    std::vector<LegendEntry> entries;
    entries.reserve(names.size());
    for (const EndName& name : names) {
        entries.push_back(name.entry);
    }
    return entries;
}

/// The width that the names beside the plot need; more than there is if they do not fit below each
/// other.
double name_room(const PanelLayout& layout, const Pen& pen) {
    double width = 0;
    double height = 0;
    for (const EndName& name : layout.names) {
        if (name.beside()) {
            const Pixel size = rich_text_size(name.entry.label, pen.small(), pen.painter);
            width = std::max(width, size.x + pen.px(10));
            height += size.y;
        }
    }
    const bool fits = height <= 0.6 * layout.placed.frame.height && !layout.placed.panel->color_bar;
    return fits || width == 0 ? width : layout.placed.frame.width;
}

/// The room that texts and ticks need around a plot in this frame.
void set_gutters(PanelLayout& layout, const Pen& pen) {
    const Panel& panel = *layout.placed.panel;
    const Rect frame = layout.placed.frame;
    const Detail detail = layout.detail;
    const double padding = std::min(pen.padding(), 0.08 * std::min(frame.width, frame.height));
    const double mono_line = pen.line_height(pen.mono());
    Gutters room{padding, padding, padding, padding};

    if (detail.header && has_header(panel)) {
        const double line = pen.line_height(pen.panel_title());
        const double lines = to_double(layout.corners.header.lines) * line;
        room.top += is_plane(panel) ? 0.5 * line : lines + pen.px(8);
    }
    layout.legend = {};
    if (detail.names && !layout.names.empty()) {
        const double beside = name_room(layout, pen);
        // Inside a small plot a name may find no place that is free.
        const bool all_beside =
            frame.width >= pen.px(kNarrowPanel) || frame.height < pen.px(kLowPanel) ||
            std::ranges::all_of(layout.names, [](const EndName& name) { return name.beside(); });
        const bool scattered = std::ranges::any_of(layout.names, &EndName::scattered);
        if (all_beside && !scattered && beside <= kMostBeside * frame.width) {
            room.right += beside;
        } else {
            layout.legend = flow_legend(entries_of(layout.names), frame.width - 2 * padding, pen);
            layout.legend_top = room.top;
            room.top += layout.legend.height + pen.px(8);
        }
    }
    const bool x_ticks = detail.ticks && panel.x.visible;
    const bool y_ticks = detail.ticks && panel.y.visible;
    layout.heat_map = detail.color_bar && panel.color_bar ? heat_map_of(panel) : nullptr;
    layout.labels = detail.axis_labels
                        ? plan_axis_labels(panel, layout.heat_map != nullptr, frame, pen)
                        : AxisLabels{};
    const auto with_gap = [&](double lines, double gap) { return lines > 0 ? gap + lines : 0; };
    layout.tick_rise = y_ticks ? mono_line / 2 : 0;
    room.top += layout.tick_rise + with_gap(layout.labels.above, pen.px(kLabelRise));
    layout.tick_drop = x_ticks ? pen.px(kTickGap) + mono_line : 0;
    room.bottom += layout.tick_drop + with_gap(layout.labels.below, pen.px(kLabelDrop));
    if (detail.corners && has_bottom_corners(panel)) {
        room.bottom += mono_line + pen.px(6);
    }

    layout.y_ticks.clear();
    if (y_ticks) {
        const double height = std::max(1.0, frame.height - room.top - room.bottom);
        layout.y_ticks = upright_ticks(layout.placed.y, height, pen);
        room.left += widest_label(layout.y_ticks, pen) + pen.px(kTickGap);
    }
    if (x_ticks) {
        room.right = std::max(room.right, padding + pen.px(10));  // half of the last label
        room.left = std::max(room.left, padding + pen.px(10));
    }
    if (layout.heat_map != nullptr) {
        const double height = std::max(1.0, frame.height - room.top - room.bottom);
        layout.bar_ticks = upright_ticks(color_axis(*layout.heat_map), height, pen);
        room.right += pen.px(kBarGap + kBarWidth + 6) + widest_label(layout.bar_ticks, pen);
    }
    if (is_plane(panel) && detail.header && has_header(panel)) {
        // A circle may reach up between the header's texts if they are short enough.
        const Rect plot{frame.x + room.left, frame.y + room.top,
                        frame.width - room.left - room.right,
                        frame.height - room.top - room.bottom};
        room.top += header_meets_circle(panel, layout.corners, frame, plot, pen)
                        ? 0.5 * pen.line_height(pen.panel_title())
                        : 0;
    }
    layout.gutters = room;
}

/// The height of the frame in which the panel shows all of itself, with numbers at its axes.
double needed_height(PanelLayout layout, const Pen& pen) {
    constexpr double kLeastPlot = 40;  ///< units
    const Panel& panel = *layout.placed.panel;
    set_gutters(layout, pen);
    const double plot = std::max(pen.px(kLeastPlot), least_rows_height(panel, pen));
    return layout.gutters.top + layout.gutters.bottom + plot;
}

bool leaves_a_plot(const PanelLayout& layout, const Pen& pen) {
    const Rect frame = layout.placed.frame;
    const double width = frame.width - layout.gutters.left - layout.gutters.right;
    const double height = frame.height - layout.gutters.top - layout.gutters.bottom;
    // A plane is read by its angles, so its name is enough.
    const double least = is_plane(*layout.placed.panel) ? 44 : 28;
    const double rows = least_rows_height(*layout.placed.panel, pen);
    return width >= std::min(pen.px(90), 0.7 * frame.width) &&
           height >= std::min(std::max(pen.px(least), rows), (rows > 0 ? 0.9 : 0.7) * frame.height);
}

/// Leaves out the least needed parts until there is room for a plot.
void choose_detail(PanelLayout& layout, const Pen& pen) {
    // Without the names of its lines a plot of several says nothing.
    const std::array<bool Detail::*, 6> least_needed_first = {
        &Detail::axis_labels, &Detail::corners, &Detail::color_bar,
        &Detail::ticks,       &Detail::header,  &Detail::names};
    // In a thumbnail a title would cover what it names.
    layout.detail.header = layout.placed.frame.height >= 4 * pen.line_height(pen.panel_title());
    set_gutters(layout, pen);
    for (const auto member : least_needed_first) {
        if (leaves_a_plot(layout, pen)) {
            return;
        }
        layout.detail.*member = false;
        set_gutters(layout, pen);
    }
}

/// Aligns the plots: those that begin or end in the same row or column of the grid do so at the
/// same pixel.
void align(std::vector<PanelLayout>& layouts, const std::vector<Cell>& cells,
           const std::vector<Cell>& own_cells, const Pen& pen) {
    const std::vector<PanelLayout> before = layouts;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        PanelLayout& layout = layouts[i];
        if (!shows_axes(*layout.placed.panel)) {
            continue;
        }
        const Cell cell = cells[i];
        PanelLayout aligned = layout;
        for (std::size_t j = 0; j < before.size(); ++j) {
            const PanelLayout& other = before[j];
            if (!shows_axes(*other.placed.panel)) {
                continue;
            }
            const Cell its = cells[j];
            const auto take = [](bool same, double& mine, double theirs) {
                mine = same ? std::max(mine, theirs) : mine;
            };
            take(its.column == cell.column, aligned.gutters.left, other.gutters.left);
            // Below each other, colour bars need not narrow the plots that have none.
            const bool one_right = its.column_end == cell.column_end &&
                                   own_cells[j].column_end == own_cells[i].column_end;
            take(one_right, aligned.gutters.right, other.gutters.right);
            take(its.row == cell.row, aligned.gutters.top, other.gutters.top);
            take(its.row_end == cell.row_end, aligned.gutters.bottom, other.gutters.bottom);
        }
        if (leaves_a_plot(aligned, pen)) {
            layout.gutters = aligned.gutters;
        }
    }
}

/// Gives a unit of both axes the same length, by a smaller plot in the middle of the frame.
void make_square(PlacedPanel& placed) {
    const double x_units = std::abs(placed.x.max - placed.x.min);
    const double y_units = std::abs(placed.y.max - placed.y.min);
    const double unit = std::min(placed.plot.width / x_units, placed.plot.height / y_units);
    const double width = std::max(1.0, std::floor(unit * x_units));
    const double height = std::max(1.0, std::floor(unit * y_units));
    placed.plot.x += std::floor((placed.plot.width - width) / 2);
    placed.plot.width = width;
    placed.plot.height = height;
}

/// Widens the range of the longer side around its middle.
void make_equal(PlacedPanel& placed) {
    if (placed.x.scale != AxisScale::linear || placed.y.scale != AxisScale::linear) {
        return;
    }
    const double x_per_px = (placed.x.max - placed.x.min) / placed.plot.width;
    const double y_per_px = (placed.y.max - placed.y.min) / placed.plot.height;
    const double per_px = std::max(std::abs(x_per_px), std::abs(y_per_px));
    const auto widen = [per_px](Axis& axis, double now_per_px, double length) {
        const double middle = axis.min / 2 + axis.max / 2;
        const double half = std::copysign(per_px * length / 2, now_per_px);
        axis.min = middle - half;
        axis.max = middle + half;
    };
    widen(placed.x, x_per_px, placed.plot.width);
    widen(placed.y, y_per_px, placed.plot.height);
}

void finish(PanelLayout& layout, std::span<const LegendEntry> legend, const Pen& pen) {
    PlacedPanel& placed = layout.placed;
    const Rect frame = placed.frame;
    const Gutters room = layout.gutters;
    placed.plot.x = std::round(frame.x + room.left);
    placed.plot.y = std::round(frame.y + room.top);
    placed.plot.width =
        std::max(1.0, std::floor(frame.x + frame.width - room.right - placed.plot.x));
    placed.plot.height =
        std::max(1.0, std::floor(frame.y + frame.height - room.bottom - placed.plot.y));
    if (is_square_map(*placed.panel)) {
        make_square(placed);
    }
    if (placed.panel->equal_aspect) {
        make_equal(placed);
        layout.names = end_names(placed, legend);
    }
    layout.more = fit_panel_tracks(placed, pen) + fit_panel_facts(placed, pen);
    if (layout.detail.ticks && placed.panel->x.visible) {
        layout.x_ticks = level_ticks(placed.x, placed.plot.width, pen);
    }
    if (!layout.y_ticks.empty()) {
        layout.y_ticks = upright_ticks(placed.y, placed.plot.height, pen);
    }
    if (layout.heat_map != nullptr) {
        layout.color_bar = {placed.plot.x + placed.plot.width + std::round(pen.px(kBarGap)),
                            placed.plot.y, std::round(pen.px(kBarWidth)), placed.plot.height};
        layout.bar_ticks = upright_ticks(color_axis(*layout.heat_map), placed.plot.height, pen);
    }
}

}  // namespace

namespace {

/// Frames of the figure's grid, with rows as high as their panels need, if they can be.
void give_heights(std::vector<PanelLayout>& layouts, const Grid& grid, Rect area, double gap,
                  const Pen& pen) {
    std::vector<double> needed;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        std::set<double> rows_of_tiles;
        for (std::size_t j = 0; j < layouts.size(); ++j) {
            if (grid.cells[i] == grid.cells[j]) {
                rows_of_tiles.insert(layouts[j].placed.frame.y);
            }
        }
        needed.push_back(needed_height(layouts[i], pen) * to_double(std::ssize(rows_of_tiles)));
    }
    const std::vector<Rect> frames =
        grid_frames(with_needed_heights(grid, needed, area.height, gap), area, gap);
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        layouts[i].placed.frame = frames[i];
    }
}

}  // namespace

std::vector<PanelLayout> lay_out_panels(const Figure& figure, std::span<const LegendEntry> legend,
                                        Rect area, const Pen& pen) {
    const double gap = std::round(std::min(pen.px(12), 0.03 * std::min(area.width, area.height)));
    const Grid own = grid_of(figure);
    const Grid grid = grid_for(own, figure.panels, area, gap, pen.px(1));
    const std::vector<Rect> frames = grid_frames(grid, area, gap);
    std::vector<PanelLayout> layouts(figure.panels.size());
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const Panel& panel = figure.panels[i];
        layouts[i].placed = {&panel, frames[i], {}, drawable(panel.x), drawable(panel.y)};
        layouts[i].names = end_names(layouts[i].placed, legend);
    }
    plan_all_corners(layouts, pen);
    give_heights(layouts, grid, area, gap, pen);
    for (PanelLayout& layout : layouts) {
        choose_detail(layout, pen);
    }
    align(layouts, grid.cells, own.cells, pen);
    for (PanelLayout& layout : layouts) {
        finish(layout, legend, pen);
    }
    return layouts;
}

namespace {

/// Whether a table shows one of the rows that count.
bool shows_a_row(const PlacedPanel& placed) {
    const std::vector<Track>& rows = placed.panel->rows;
    return std::ranges::none_of(rows, &Track::counted) ||
           std::ranges::any_of(rows, [&](const Track& row) {
               return row.counted && placed.rows.shows((row.first + row.last) / 2);
           });
}

bool shows_a_fact(const PlacedPanel& placed, const Pen& pen) {
    return std::ranges::all_of(placed.panel->marks, [&](const Mark& mark) {
        const auto* facts = std::get_if<Facts>(&mark);
        return facts == nullptr || facts->rows.empty() ||
               facts_left_out(*facts, placed.plot, pen) < std::ssize(facts->rows);
    });
}

}  // namespace

bool has_numbers(const PanelLayout& layout) {
    const Panel& panel = *layout.placed.panel;
    const auto counts = [](const Axis& axis, const std::vector<Tick>& ticks) {
        return !axis.visible || std::ranges::count(ticks, true, &Tick::major) >= 2;
    };
    return counts(panel.x, layout.x_ticks) && counts(panel.y, layout.y_ticks);
}

bool is_readable(const PanelLayout& layout, const Pen& pen) {
    const bool titled = layout.detail.header || layout.placed.panel->title.empty();
    const bool named = layout.detail.names || layout.names.empty();
    return titled && named && shows_a_row(layout.placed) && shows_a_fact(layout.placed, pen);
}

}  // namespace ropescope::plot
