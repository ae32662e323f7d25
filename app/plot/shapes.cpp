// Draws dashes, arrows and sharp lines.
#include "app/plot/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace ropescope::plot {
namespace {

/// In units, drawn and left out in turn.
std::vector<double> lengths_of(Dash dash) {
    switch (dash) {
        case Dash::dashed:
            return {5, 4};
        case Dash::dotted:
            return {1.5, 3.5};
        case Dash::dash_dot:
            return {8, 3.5, 1.5, 3.5};
        case Dash::long_dash:
            return {13, 5};
        case Dash::none:
            break;
    }
    return {};
}

}  // namespace

void draw_line(std::span<const Pixel> path, Color color, double width, Dash dash, const Pen& pen) {
    std::vector<double> lengths = lengths_of(dash);
    if (lengths.empty()) {
        pen.painter.polyline(path, color, width);
        return;
    }
    for (double& length : lengths) {
        length = pen.px(length);
    }
    pen.painter.dashed(path, color, width, lengths);
}

ArrowSize arrow_size(const Pen& pen) {
    return {.head = pen.px(5.5 * pen.theme.line_px), .width = pen.px(pen.theme.line_px * 1.25)};
}

void draw_arrow(Pixel from, Pixel to, Color color, const Pen& pen) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (!(length > 0)) {
        return;
    }
    const ArrowSize size = arrow_size(pen);
    const double head = std::min(size.head, length);
    const double half = head * 0.38;
    const Pixel along{(to.x - from.x) / length, (to.y - from.y) / length};
    const Pixel base{to.x - along.x * head, to.y - along.y * head};
    // The shaft reaches into the head, so that no seam shows between them.
    const Pixel shaft{to.x - along.x * head * 0.7, to.y - along.y * head * 0.7};
    pen.painter.line(from, shaft, color, size.width);
    const std::array<Pixel, 3> triangle = {to,
                                           {base.x - along.y * half, base.y + along.x * half},
                                           {base.x + along.y * half, base.y - along.x * half}};
    pen.painter.polygon(triangle, color);
}

void draw_open_ring(Pixel center, double radius, Color color, const Pen& pen) {
    pen.painter.stroke_rect({center.x - radius, center.y - radius, 2 * radius, 2 * radius}, color,
                            std::min(radius, pen.px(pen.theme.line_px)), radius);
}

void draw_horizontal(double x, double y, double width, Color color, const Pen& pen) {
    const double thick = pen.hairline();
    pen.painter.fill_rect({x, std::round(y - thick / 2), width, thick}, color);
}

void draw_vertical(double x, double y, double height, Color color, const Pen& pen) {
    const double thick = pen.hairline();
    pen.painter.fill_rect({std::round(x - thick / 2), y, thick, height}, color);
}

// Breaks, clips, thins and dashes polylines.

namespace {

bool is_finite(Pixel p) {
    return std::isfinite(p.x) && std::isfinite(p.y);
}
bool same(Pixel a, Pixel b) {
    return a.x == b.x && a.y == b.y;
}
Pixel between(Pixel a, Pixel b, double share) {
    return {std::lerp(a.x, b.x, share), std::lerp(a.y, b.y, share)};
}

/// The part of a segment inside the window as shares of its length (Liang and Barsky 1984).
std::optional<std::pair<double, double>> clipped(Pixel a, Pixel b, Rect window) {
    double enter = 0;
    double leave = 1;
    const auto keep = [&](double from, double to, double low, double high) {
        const double length = to - from;
        if (length == 0) {
            return from >= low && from <= high;
        }
        const auto [first, last] = std::minmax({(low - from) / length, (high - from) / length});
        enter = std::max(enter, first);
        leave = std::min(leave, last);
        return enter <= leave;
    };
    const bool inside = keep(a.x, b.x, window.x, window.x + window.width) &&
                        keep(a.y, b.y, window.y, window.y + window.height);
    return inside ? std::optional(std::pair(enter, leave)) : std::nullopt;
}

}  // namespace

std::vector<Path> visible_runs(std::span<const Pixel> points, Rect window) {
    std::vector<Path> runs;
    Path run;
    const auto finish = [&] {
        if (run.size() > 1) {
            runs.push_back(std::move(run));
        }
        run = {};
    };
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Pixel a = points[i - 1];
        const Pixel b = points[i];
        const auto part = is_finite(a) && is_finite(b) ? clipped(a, b, window) : std::nullopt;
        if (!part) {
            finish();
            continue;
        }
        const Pixel begin = part->first > 0 ? between(a, b, part->first) : a;
        if (run.empty() || !same(run.back(), begin)) {
            finish();
            run.push_back(begin);
        }
        run.push_back(part->second < 1 ? between(a, b, part->second) : b);
    }
    finish();
    return runs;
}

Path decimated(const Path& path) {
    Path result;
    std::size_t begin = 0;
    while (begin < path.size()) {
        const double column = std::floor(path[begin].x);
        std::size_t end = begin;
        std::size_t low = begin;
        std::size_t high = begin;
        while (end < path.size() && std::floor(path[end].x) == column) {
            low = path[end].y < path[low].y ? end : low;
            high = path[end].y > path[high].y ? end : high;
            ++end;
        }
        std::size_t previous = begin;
        result.push_back(path[begin]);
        for (const std::size_t next : {std::min(low, high), std::max(low, high), end - 1}) {
            if (next != previous) {
                result.push_back(path[next]);
                previous = next;
            }
        }
        begin = end;
    }
    return result;
}

std::vector<Path> dashes(const Path& path, std::span<const double> lengths) {
    std::vector<Path> strokes;
    Path stroke;
    bool drawing = true;
    std::size_t at = 0;
    double left = lengths[at];
    for (std::size_t i = 1; i < path.size(); ++i) {
        Pixel from = path[i - 1];
        const Pixel to = path[i];
        double length = std::hypot(to.x - from.x, to.y - from.y);
        if (drawing && stroke.empty()) {
            stroke.push_back(from);
        }
        while (length > left) {
            from = between(from, to, left / length);
            length -= left;
            if (drawing) {
                stroke.push_back(from);
                strokes.push_back(std::move(stroke));
            }
            drawing = !drawing;
            stroke = drawing ? Path{from} : Path{};
            at = (at + 1) % lengths.size();
            left = lengths[at];
        }
        left -= length;
        if (drawing) {
            stroke.push_back(to);
        }
    }
    if (drawing && stroke.size() > 1) {
        strokes.push_back(std::move(stroke));
    }
    return strokes;
}

}  // namespace ropescope::plot
