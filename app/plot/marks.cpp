// Draws each kind of mark with the primitives of a painter.
#include "app/plot/marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "app/plot/heat_raster.h"
#include "app/plot/rich_text.h"
#include "app/plot/shapes.h"

namespace ropescope::plot {
namespace {

Rect expanded(Rect rect, double by) {
    return {rect.x - by, rect.y - by, rect.width + 2 * by, rect.height + 2 * by};
}

Rect common(Rect a, Rect b) {
    const double left = std::max(a.x, b.x);
    const double top = std::max(a.y, b.y);
    return {left, top, std::max(0.0, std::min(a.x + a.width, b.x + b.width) - left),
            std::max(0.0, std::min(a.y + a.height, b.y + b.height) - top)};
}

/// For linear axes.
Placement placement_of(const PlacedPanel& placed) {
    const Pixel origin = placed.to_pixel({0, 0}), one = placed.to_pixel({1, 1});
    return {origin, {one.x - origin.x, one.y - origin.y}};
}

/// The plot, a little widened, so that points and thick lines on its border are drawn whole.
Rect drawing_area(const PlacedPanel& placed, const Pen& pen) {
    return common(expanded(placed.plot, pen.px(7)), placed.frame);
}

void stroke(const std::vector<Pixel>& pixels, const PlacedPanel& placed, Color color, double width,
            Dash dash, const Pen& pen) {
    // Lines end at the plot's border, but half of their width may reach beyond it.
    const Rect window = common(expanded(placed.plot, width / 2), placed.frame);
    for (const Path& run : visible_runs(pixels, window)) {
        draw_line(decimated(run), color, width, dash, pen);
    }
}

struct Drawer {
    const PlacedPanel& placed;
    const Pen& pen;

    void operator()(const Line& line) const {
        if (std::ranges::none_of(line.points, [&](Point at) { return placed.shows(at); })) {
            return;  // in rows or columns that are left out
        }
        std::vector<Pixel> pixels;
        pixels.reserve(line.points.size());
        for (const Point& point : line.points) {
            pixels.push_back(placed.to_pixel(point));
        }
        stroke(pixels, placed, faded(pen.color(line.role), line.opacity),
               pen.px(pen.theme.line_px * line.width), line.dash, pen);
    }

    double radius_of(const Points& points) const {
        const double wanted = pen.px(points.radius_px * pen.theme.line_px / 2);
        if (points.most_radius <= 0) {
            return wanted;
        }
        const Pixel unit = placement_of(placed).unit;
        return std::min(wanted, points.most_radius * std::min(std::abs(unit.x), std::abs(unit.y)));
    }

    void operator()(const Points& points) const {
        const Color color = pen.color(points.role);
        const double radius = radius_of(points);
        if (points.live.tensor) {
            const double first = points.opacity_first < 0 ? points.opacity : points.opacity_first;
            pen.painter.live_dots(points.live, placement_of(placed), radius, faded(color, first),
                                  faded(color, points.opacity));
            return;
        }
        const Rect seen = expanded(drawing_area(placed, pen), radius);
        const double last = to_double(std::ssize(points.points)) - 1;
        Pixel previous{std::numeric_limits<double>::quiet_NaN(), 0};
        for (Index i = 0; i < std::ssize(points.points); ++i) {
            const Pixel at = placed.to_pixel(points.points[i]);
            // A point in the same place as the one before would not be visible; points that fade do
            // add up.
            const bool hidden = std::abs(at.x - previous.x) < 0.25 &&
                                std::abs(at.y - previous.y) < 0.25 && points.opacity_first < 0;
            if (!seen.contains(at) || hidden || !placed.shows(points.points[i])) {
                continue;
            }
            previous = at;
            const double share = last > 0 ? to_double(i) / last : 1;
            const double opacity = points.opacity_first < 0
                                       ? points.opacity
                                       : std::lerp(points.opacity_first, points.opacity, share);
            if (points.ring && !pen.dress.cards) {
                draw_open_ring(at, radius, faded(color, opacity), pen);
                continue;
            }
            pen.painter.circle(at, radius, faded(color, opacity));
            if (points.ring) {
                pen.painter.circle(at, std::max(0.0, radius - pen.px(pen.theme.line_px)),
                                   pen.color(Role::panel));
            }
        }
    }

    void operator()(const Vector& vector) const {
        if (vector.live_to.tensor) {
            pen.painter.live_arrow(placed.to_pixel(vector.from), vector.live_to,
                                   placement_of(placed), pen.color(vector.role), arrow_size(pen));
            return;
        }
        const std::array<Pixel, 2> ends = {placed.to_pixel(vector.from),
                                           placed.to_pixel(vector.to)};
        const auto runs = visible_runs(ends, expanded(placed.frame, placed.frame.width));
        if (!runs.empty()) {
            draw_arrow(runs.front().front(), runs.front().back(), pen.color(vector.role), pen);
        }
    }

    void operator()(const Arc& arc) const {
        constexpr double kTurn = 2 * std::numbers::pi;
        const double sweep = std::clamp(arc.last_rad - arc.first_rad, -kTurn, kTurn);
        const Pixel center = placed.to_pixel(arc.center);
        const Pixel rim = placed.to_pixel({arc.center.x + arc.radius, arc.center.y + arc.radius});
        const double radius = std::max(std::abs(rim.x - center.x), std::abs(rim.y - center.y));
        if (!std::isfinite(sweep) || !std::isfinite(radius)) {
            return;
        }
        // The chords are at most a twentieth of a pixel away from the arc: sagitta = r (1 -
        // cos(step / 2)).
        const double step = 2 * std::acos(1 - std::min(1.0, 0.05 / std::max(radius, 0.1)));
        const int count =
            static_cast<int>(std::clamp(std::ceil(std::abs(sweep) / step), 1.0, 2000.0));
        std::vector<Pixel> pixels;
        for (int i = 0; i <= count; ++i) {
            const double angle = arc.first_rad + sweep * i / count;
            pixels.push_back(placed.to_pixel({arc.center.x + arc.radius * std::cos(angle),
                                              arc.center.y + arc.radius * std::sin(angle)}));
        }
        stroke(pixels, placed, pen.color(arc.role), pen.px(pen.theme.line_px * arc.width),
               Dash::none, pen);
    }

    void operator()(const Rule& rule) const {
        const Rect plot = placed.plot;
        const Pixel at = placed.to_pixel({rule.at, rule.at});
        const Pixel from = rule.vertical ? Pixel{at.x, plot.y} : Pixel{plot.x, at.y};
        const Pixel to =
            rule.vertical ? Pixel{at.x, plot.y + plot.height} : Pixel{plot.x + plot.width, at.y};
        const double place = rule.vertical ? at.x - plot.x : at.y - plot.y;
        if (place >= 0 && place <= (rule.vertical ? plot.width : plot.height)) {
            stroke({from, to}, placed, pen.color(rule.role), pen.px(pen.theme.thin_px * 1.25),
                   rule.dashed ? Dash::dashed : Dash::none, pen);
        }
    }

    void operator()(const Band& band) const {
        const Rect plot = placed.plot;
        const auto edge = [&](double value) {
            const Pixel p = placed.to_pixel({value, value});
            const double unit =
                band.vertical ? (p.x - plot.x) / plot.width : (p.y - plot.y) / plot.height;
            return std::isnan(unit) ? 0.0 : std::clamp(unit, 0.0, 1.0);
        };
        const auto [first, last] = std::minmax({edge(band.first), edge(band.last)});
        const Rect place = band.vertical ? Rect{plot.x + first * plot.width, plot.y,
                                                (last - first) * plot.width, plot.height}
                                         : Rect{plot.x, plot.y + first * plot.height, plot.width,
                                                (last - first) * plot.height};
        pen.painter.fill_rect(place, faded(pen.color(band.role), band.opacity));
    }

    /// Drawn in upright strips on whole pixels, so that no edge shows between two of them.
    void operator()(const Area& area) const {
        constexpr double kStrip = 2;
        const Color color = faded(pen.color(area.role), area.opacity);
        const std::size_t count = std::min(area.low.size(), area.high.size());
        std::vector<Pixel> low, high;
        for (std::size_t i = 0; i < count; ++i) {
            low.push_back(placed.to_pixel(area.low[i]));
            high.push_back(placed.to_pixel(area.high[i]));
        }
        const Rect plot = placed.plot;
        const double right = plot.x + plot.width;
        std::size_t at = 0;
        for (double x = std::floor(plot.x); x < right; x += kStrip) {
            const double middle = x + kStrip / 2;
            while (at + 1 < count && low[at + 1].x < middle) {
                ++at;
            }
            if (at + 1 >= count || !(low[at].x <= middle)) {
                continue;
            }
            const double share = (middle - low[at].x) / (low[at + 1].x - low[at].x);
            const auto edge = [&](const std::vector<Pixel>& pixels) {
                const double y = std::lerp(pixels[at].y, pixels[at + 1].y, share);
                return std::clamp(y, plot.y, plot.y + plot.height);
            };
            const double bottom = edge(low), top = edge(high);
            const Rect strip =
                common({x, std::min(top, bottom), kStrip, std::abs(bottom - top)}, plot);
            if (strip.width > 0 && strip.height > 0) {
                pen.painter.fill_rect(strip, color);
            }
        }
    }

    void operator()(const HeatMap& map) const {
        if (map.live.tensor) {
            pen.painter.live_map(plan_raster(map, placed, pen.theme), map.live);
            return;
        }
        const Raster raster = rasterized(map, placed, pen.theme);
        if (!raster.pixels.empty()) {
            pen.painter.image(raster.place, raster.view());
        }
    }

    // Words come last: labels.cpp
    void operator()(const Label&) const {}
    void operator()(const Facts&) const {}
};

bool is_ground(const Mark& mark) {
    return std::holds_alternative<Band>(mark) || std::holds_alternative<Area>(mark) ||
           std::holds_alternative<HeatMap>(mark);
}

void draw(const PlacedPanel& placed, Rect clip, bool ground, const Pen& pen) {
    pen.painter.push_clip(clip);
    for (const Mark& mark : placed.panel->marks) {
        if (is_ground(mark) == ground) {
            std::visit(Drawer{placed, pen}, mark);
        }
    }
    pen.painter.pop_clip();
}

}  // namespace

void draw_ground(const PlacedPanel& placed, const Pen& pen) {
    draw(placed, placed.plot, true, pen);
}

void draw_marks(const PlacedPanel& placed, const Pen& pen) {
    draw(placed, drawing_area(placed, pen), false, pen);
}

}  // namespace ropescope::plot
