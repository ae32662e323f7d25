// Applies a look to a figure, and computes the ranges of zooming and panning.
#include "app/plot/look.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>
#include <vector>

#include "app/plot/axis.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/parse_list.h"

namespace ropescope::plot {
namespace {

/// The label and the role of a mark that can be hidden; null for all others.
struct Named {
    std::string_view label;
    Role role;
    LegendEntry::Kind kind;
    Dash dash = Dash::none;
};

std::optional<Named> named(const Mark& mark) {
    using Kind = LegendEntry::Kind;
    if (const auto* line = std::get_if<Line>(&mark)) {
        return Named{line->label, line->role, Kind::line, line->dash};
    }
    if (const auto* points = std::get_if<Points>(&mark)) {
        return Named{points->label, points->role, points->ring ? Kind::ring : Kind::point};
    }
    if (const auto* area = std::get_if<Area>(&mark)) {
        return Named{"", area->role, Kind::box};
    }
    return std::nullopt;
}

/// Every name in the figure with its role.
std::vector<LegendEntry> all_names(const Figure& figure) {
    std::vector<LegendEntry> names = figure.legend;
    for (const Panel& panel : figure.panels) {
        for (const Mark& mark : panel.marks) {
            const auto found = named(mark);
            if (found && !found->label.empty()) {
                names.push_back({std::string(found->label), found->role, found->kind, found->dash});
            }
        }
    }
    return names;
}

/// Which marks belong to a name: those that carry it, and marks without a name that have its colour
/// if no other name has it (the band around a curve), or its kind if nothing carries the name.
class Belongs {
  public:
    Belongs(const Figure& figure, std::string_view name) : name_(name) {
        const std::vector<LegendEntry> names = all_names(figure);
        const auto first = std::ranges::find_if(
            names, [&](const LegendEntry& entry) { return entry.label == name; });
        found_ = first != names.end();
        if (!found_) {
            return;
        }
        entry_ = *first;
        alone_ = std::ranges::none_of(names, [&](const LegendEntry& other) {
            return other.role == entry_.role && other.label != entry_.label;
        });
        carried_ = std::ranges::any_of(figure.panels, [&](const Panel& panel) {
            return std::ranges::any_of(panel.marks, [&](const Mark& mark) {
                const auto one = named(mark);
                return one && one->label == name_;
            });
        });
    }
    bool operator()(const Mark& mark) const {
        const auto one = named(mark);
        if (!found_ || !one) {
            return false;
        }
        if (!one->label.empty()) {
            return one->label == name_;
        }
        return one->role == entry_.role &&
               (alone_ || (!carried_ && one->kind == entry_.kind && one->dash == entry_.dash));
    }

  private:
    std::string_view name_;
    LegendEntry entry_;
    bool found_ = false, alone_ = false, carried_ = false;
};

void hide(Mark& mark) {
    if (auto* line = std::get_if<Line>(&mark)) {
        line->opacity = 0;
        line->role = Role::dim;
    } else if (auto* points = std::get_if<Points>(&mark)) {
        points->opacity = 0;
        points->opacity_first = -1;
        points->ring = false;
        points->role = Role::dim;
    } else if (auto* area = std::get_if<Area>(&mark)) {
        area->opacity = 0;
    }
}

void hide_name(Figure& figure, const std::string& name) {
    const Belongs belongs(figure, name);
    std::vector<Mark*> marks;
    for (Panel& panel : figure.panels) {
        for (Mark& mark : panel.marks) {
            if (belongs(mark)) {
                marks.push_back(&mark);
            }
        }
    }
    std::ranges::for_each(marks, [](Mark* mark) { hide(*mark); });
    for (LegendEntry& entry : figure.legend) {
        if (entry.label == name && !marks.empty()) {
            entry.role = Role::dim;
        }
    }
}

/// The axis from one of its places to another; empty if it cannot be drawn so.
std::optional<AxisRange> part_of(const Axis& axis, double first, double last) {
    const Axis part{.min = from_unit(axis, first),
                    .max = from_unit(axis, last),
                    .scale = axis.scale,
                    .integers = axis.integers};
    const Axis drawn = drawable(part);
    const bool kept = std::isfinite(part.min) && std::isfinite(part.max) && drawn.min == part.min &&
                      drawn.max == part.max;
    return kept ? std::optional(AxisRange{part.min, part.max}) : std::nullopt;
}

std::optional<PanelRange> both(const std::optional<AxisRange>& x,
                               const std::optional<AxisRange>& y) {
    return x && y ? std::optional(PanelRange{*x, *y}) : std::nullopt;
}

/// "-8:8"; empty if it is anything else.
std::optional<AxisRange> range_of(std::string_view text) {
    const std::vector<std::string_view> ends = split(text, ':');
    if (ends.size() != 2) {
        return std::nullopt;
    }
    const auto first = parse_number<double>(ends[0]), last = parse_number<double>(ends[1]);
    return first && last && *first != *last ? std::optional(AxisRange{*first, *last})
                                            : std::nullopt;
}

/// Whether the mark is a word that stands outside what the panel shows.
bool is_outside(const Mark& mark, const Panel& panel) {
    const auto* label = std::get_if<Label>(&mark);
    const auto inside = [](const Axis& axis, double at) {
        const double unit = to_unit(drawable(axis), at);
        return unit >= 0 && unit <= 1;
    };
    return label != nullptr && !(inside(panel.x, label->at.x) && inside(panel.y, label->at.y));
}

}  // namespace

namespace {

/// Whether the panel has marks in the entry's colour, for lines also broken like it.
bool is_explained(const Panel& panel, const LegendEntry& entry) {
    return std::ranges::any_of(panel.marks, [&](const Mark& mark) {
        if (const auto* line = std::get_if<Line>(&mark)) {
            return line->role == entry.role &&
                   (line->dash == entry.dash || entry.kind != LegendEntry::Kind::line);
        }
        return std::visit(
            [&](const auto& one) {
                if constexpr (requires { one.role; }) {
                    return one.role == entry.role;
                } else {
                    return false;
                }
            },
            mark);
    });
}

/// Gives the panel the room of all; without it the figure stays as it is.
void show_alone(Figure& figure, std::string_view id) {
    if (std::ranges::find(figure.panels, id, &Panel::id) == figure.panels.end()) {
        return;
    }
    std::vector<Panel> others;
    std::ranges::copy_if(figure.panels, std::back_inserter(others),
                         [&](const Panel& panel) { return panel.id != id; });
    std::erase_if(figure.panels, [&](const Panel& panel) { return panel.id != id; });
    keep_legend_of_panels(figure, {.panels = std::move(others)});
    Panel& only = figure.panels.front();
    only.row = only.column = 0;
    only.row_span = only.column_span = 1;
    figure.row_weights = figure.column_weights = {1};
}

}  // namespace

void keep_legend_of_panels(Figure& figure, const Figure& whole) {
    std::erase_if(figure.legend, [&](const LegendEntry& entry) {
        const auto explained = [&](const Panel& panel) { return is_explained(panel, entry); };
        return std::ranges::none_of(figure.panels, explained) &&
               std::ranges::any_of(whole.panels, explained);
    });
}

namespace {

bool meet(const Cell& a, const Cell& b) {
    return a.row < b.row_end && b.row < a.row_end && a.column < b.column_end &&
           b.column < a.column_end;
}

/// Lets each cell reach to the sides, then down and up, as far as no other one is in its way.
/// Panels of one cell stay together.
void fill_gaps(Grid& grid) {
    const int rows = narrow<int>(std::ssize(grid.row_weights));
    const int columns = narrow<int>(std::ssize(grid.column_weights));
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
        const Cell own = grid.cells[i];
        Cell grown = own;
        const auto reach = [&](int Cell::*end, int step, int limit) {
            for (Cell wider = grown; wider.*end != limit; grown = wider) {
                wider.*end += step;
                if (std::ranges::any_of(grid.cells, [&](const Cell& other) {
                        return other != own && meet(other, wider);
                    })) {
                    return;
                }
            }
        };
        reach(&Cell::column_end, 1, columns);
        reach(&Cell::column, -1, 0);
        reach(&Cell::row_end, 1, rows);
        reach(&Cell::row, -1, 0);
        std::ranges::replace(grid.cells, own, grown);
    }
}

}  // namespace

Figure without_panel(Figure figure, std::string_view id) {
    const auto gone = std::ranges::find(figure.panels, id, &Panel::id);
    if (gone == figure.panels.end() || figure.panels.size() == 1) {
        return figure;
    }
    Grid grid = grid_of(figure);
    grid.cells.erase(grid.cells.begin() + (gone - figure.panels.begin()));
    Figure others;
    others.panels.push_back(std::move(*gone));
    figure.panels.erase(gone);
    keep_legend_of_panels(figure, others);
    fill_gaps(grid);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        Panel& panel = figure.panels[i];
        const Cell& cell = grid.cells[i];
        panel.row = cell.row;
        panel.column = cell.column;
        panel.row_span = cell.row_end - cell.row;
        panel.column_span = cell.column_end - cell.column;
    }
    figure.row_weights = std::move(grid.row_weights);
    figure.column_weights = std::move(grid.column_weights);
    return figure;
}

Figure as_seen(Figure figure, const Look& look) {
    for (Panel& panel : figure.panels) {
        const auto range = look.ranges.find(panel.id);
        if (range != look.ranges.end() && can_zoom(panel)) {
            panel.x.min = range->second.x.min;
            panel.x.max = range->second.x.max;
            panel.y.min = range->second.y.min;
            panel.y.max = range->second.y.max;
            std::erase_if(panel.marks, [&](const Mark& mark) { return is_outside(mark, panel); });
        }
    }
    for (const std::string& name : look.hidden) {
        hide_name(figure, name);
    }
    if (!look.panel.empty()) {
        show_alone(figure, look.panel);
    }
    return figure;
}

bool can_zoom(const Panel& panel) {
    const bool drawn = std::ranges::any_of(panel.marks, [](const Mark& mark) {
        return named(mark) || std::holds_alternative<HeatMap>(mark);
    });
    return drawn && !panel.equal_aspect && (panel.x.visible || panel.y.visible);
}

bool can_hide(const Figure& figure, std::string_view name) {
    const Belongs belongs(figure, name);
    return std::ranges::any_of(figure.panels, [&](const Panel& panel) {
        return std::ranges::any_of(panel.marks, belongs);
    });
}

std::optional<PanelRange> zoomed(const PlacedPanel& placed, Pixel cursor, double factor,
                                 Along along) {
    const auto axis_part = [&](const Axis& axis, double unit, bool zooms) {
        const double at = std::clamp(unit, 0.0, 1.0), by = zooms && axis.visible ? factor : 1;
        return part_of(axis, at - at * by, at + (1 - at) * by);
    };
    return both(
        axis_part(placed.x, (cursor.x - placed.plot.x) / placed.plot.width, along != Along::y),
        axis_part(placed.y, 1 - (cursor.y - placed.plot.y) / placed.plot.height,
                  along != Along::x));
}

std::optional<PanelRange> panned(const PlacedPanel& placed, Pixel by) {
    const double x = placed.x.visible ? -by.x / placed.plot.width : 0;
    const double y = placed.y.visible ? by.y / placed.plot.height : 0;
    return both(part_of(placed.x, x, 1 + x), part_of(placed.y, y, 1 + y));
}

std::string range_text(std::string_view panel, const PanelRange& range) {
    return fmt::format("{}={:.6g}:{:.6g},{:.6g}:{:.6g}", panel, range.x.min, range.x.max,
                       range.y.min, range.y.max);
}

void add_range(Look& look, std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::vector<std::string_view> ranges =
        split_list(equals == std::string_view::npos ? "" : text.substr(equals + 1));
    for (const std::string_view range : ranges) {
        if (const std::string wrong = misread(split(range, ':')); !wrong.empty()) {
            throw InputError("--range: " + wrong);
        }
    }
    const auto x = range_of(ranges.front()), y = range_of(ranges.back());
    if (ranges.size() != 2 || !x || !y) {
        throw InputError(fmt::format(
            "--range: '{}' is not a range; write PANEL=X0:X1,Y0:Y1, as in score=-8:8,-1:1", text));
    }
    look.ranges[std::string(text.substr(0, equals))] = {*x, *y};
}

void require_applies(const Look& look, const Figure& figure) {
    std::vector<std::string> panels;
    for (const Panel& panel : figure.panels) {
        if (can_zoom(panel)) {
            panels.push_back(panel.id);
        }
    }
    for (const auto& [id, range] : look.ranges) {
        if (std::ranges::count(panels, id) == 0) {
            throw InputError(
                fmt::format("--range: the figure has no panel '{}' with axes; it has {}", id,
                            panels.empty() ? "none" : fmt::format("{}", fmt::join(panels, ", "))));
        }
    }
    if (!look.panel.empty() &&
        std::ranges::find(figure.panels, look.panel, &Panel::id) == figure.panels.end()) {
        std::vector<std::string> all;
        std::ranges::transform(figure.panels, std::back_inserter(all), &Panel::id);
        throw InputError(fmt::format("--panel: the figure has no panel {}; it has {}",
                                     in_quotes(look.panel), fmt::join(all, ", ")));
    }
    for (const std::string& name : look.hidden) {
        if (!can_hide(figure, name)) {
            std::vector<std::string> names;
            for (const LegendEntry& entry : all_names(figure)) {
                if (std::ranges::count(names, entry.label) == 0 && can_hide(figure, entry.label)) {
                    names.push_back(entry.label);
                }
            }
            throw InputError(
                fmt::format("--hide: the figure has no line '{}'; it has {}", name,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
        }
    }
}

}  // namespace ropescope::plot
