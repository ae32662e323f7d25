// Breaks, clips, thins and dashes polylines.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/plot/shapes.h"

namespace ropescope::plot {
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
