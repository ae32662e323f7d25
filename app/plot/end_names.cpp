// Names lines at their ends, without overlaps.
#include "app/plot/end_names.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/plot/axis.h"
#include "app/plot/rich_text.h"
#include "app/plot/shapes.h"

namespace ropescope::plot {
namespace {

/// Measured in units of the axes, so that it does not depend on the size of the plot.
std::vector<Pixel> in_units(const std::vector<Point>& points, const PlacedPanel& placed) {
    std::vector<Pixel> units;
    units.reserve(points.size());
    for (const Point& point : points) {
        units.push_back({to_unit(placed.x, point.x), to_unit(placed.y, point.y)});
    }
    return units;
}

/// The rightmost visible point; for a line also the place where it leaves the plot between two of
/// its points.
std::optional<Point> visible_end(const std::vector<Point>& points, bool joined,
                                 const PlacedPanel& placed) {
    const Rect unit_square{0, 0, 1, 1};
    const std::vector<Pixel> units = in_units(points, placed);
    std::optional<Point> end;
    const auto consider = [&end](Pixel p) {
        if (!end || p.x >= end->x) {
            end = Point{p.x, p.y};
        }
    };
    if (joined) {
        for (const Path& run : visible_runs(units, unit_square)) {
            std::ranges::for_each(run, consider);
        }
    } else {
        for (const Pixel& p : units) {
            if (p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1) {
                consider(p);
            }
        }
    }
    return end;
}

std::optional<EndName> name_of(const Mark& mark, const PlacedPanel& placed) {
    const auto make = [&](const auto& drawn, LegendEntry::Kind kind) -> std::optional<EndName> {
        const bool joined = kind == LegendEntry::Kind::line;
        const auto end = visible_end(drawn.points, joined, placed);
        return end ? std::optional(EndName{{drawn.label, drawn.role, kind}, *end}) : std::nullopt;
    };
    if (const auto* line = std::get_if<Line>(&mark); line && !line->label.empty()) {
        std::optional<EndName> name = make(*line, LegendEntry::Kind::line);
        if (name) {
            name->entry.dash = line->dash;
        }
        return name;
    }
    if (const auto* points = std::get_if<Points>(&mark); points && !points->label.empty()) {
        std::optional<EndName> name =
            make(*points, points->ring ? LegendEntry::Kind::ring : LegendEntry::Kind::point);
        if (name) {
            name->scattered = points->points.size() > 1;
        }
        return name;
    }
    return std::nullopt;
}

/// Labels that would touch form a stack around the mean of the heights that they ask for.
struct Stack {
    double sum = 0;  // of the first label's tops that would put each member where it asks to be
    Index count = 0;
    double extent(double height) const { return to_double(count) * height; }
    double top(double height, double low, double high) const {
        const double wish = sum / to_double(count);
        return std::max(low, std::min(wish, high - extent(height)));
    }
};

}  // namespace

std::vector<EndName> end_names(const PlacedPanel& placed, std::span<const LegendEntry> legend) {
    std::vector<EndName> names;
    for (const Mark& mark : placed.panel->marks) {
        const std::optional<EndName> name = name_of(mark, placed);
        const auto same = [&](const std::string& label) { return label == name->entry.label; };
        if (name &&
            std::ranges::none_of(legend,
                                 [&](const LegendEntry& entry) { return same(entry.label); }) &&
            std::ranges::none_of(names,
                                 [&](const EndName& other) { return same(other.entry.label); })) {
            names.push_back(*name);
        }
    }
    return names;
}

std::vector<double> spread(std::span<const double> wishes, double height, double low, double high) {
    std::vector<Stack> stacks;
    for (const double wish : wishes) {
        stacks.push_back({wish, 1});
        while (stacks.size() > 1) {
            const Stack last = stacks.back();
            Stack& before = stacks[stacks.size() - 2];
            if (before.top(height, low, high) + before.extent(height) <=
                last.top(height, low, high)) {
                break;
            }
            before.sum += last.sum - to_double(last.count) * before.extent(height);
            before.count += last.count;
            stacks.pop_back();
        }
    }
    std::vector<double> tops;
    for (const Stack& stack : stacks) {
        for (Index i = 0; i < stack.count; ++i) {
            tops.push_back(stack.top(height, low, high) + to_double(i) * height);
        }
    }
    return tops;
}

std::vector<std::pair<std::string, Rect>> draw_end_labels(const PlacedPanel& placed,
                                                          std::span<const EndName> names,
                                                          const Pen& pen) {
    std::vector<EndName> ends;
    std::ranges::copy_if(names, std::back_inserter(ends),
                         [](const EndName& name) { return name.beside(); });
    std::ranges::stable_sort(ends,
                             [](const EndName& a, const EndName& b) { return a.end.y > b.end.y; });
    const Rect plot = placed.plot;
    const double height = pen.line_height(pen.small());
    std::vector<double> wishes;
    wishes.reserve(ends.size());
    for (const EndName& name : ends) {
        wishes.push_back(plot.y + (1 - name.end.y) * plot.height - height / 2);
    }
    const std::vector<double> tops =
        spread(wishes, height, plot.y - height / 2, plot.y + plot.height + height / 2);
    const double right = plot.x + plot.width;
    std::vector<std::pair<std::string, Rect>> places;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const LegendEntry& entry = ends[i].entry;
        const double moved = tops[i] - wishes[i];
        // A thin line leads to the name if it stands away from the end of its line.
        if (std::abs(moved) > pen.px(3)) {
            const double middle = tops[i] + height / 2;
            pen.painter.line({right + pen.px(2), middle - moved}, {right + pen.px(8), middle},
                             faded(pen.color(entry.role), 0.6), pen.hairline());
        }
        draw_rich_text({right + pen.px(10), tops[i]}, entry.label, pen.small(entry.role),
                       pen.painter);
        const double width = rich_text_size(entry.label, pen.small(), pen.painter).x;
        places.emplace_back(entry.label, Rect{right + pen.px(10), tops[i], width, height});
    }
    return places;
}

}  // namespace ropescope::plot
