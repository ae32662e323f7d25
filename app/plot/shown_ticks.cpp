// Chooses as many ticks as have room for their labels.
#include "app/plot/shown_ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/plot/rich_text.h"
#include "core/base/index.h"

namespace ropescope::plot {
namespace {

/// Removes the labels of ticks that would run into the label before.
template <typename Extent>
void thin(std::vector<Tick>& ticks, const Axis& axis, double length, double gap, Extent extent) {
    double before = -std::numeric_limits<double>::infinity();
    for (Tick& tick : ticks) {
        const double at = std::abs(to_unit(axis, tick.value) - to_unit(axis, ticks.front().value));
        const double half = extent(tick) / 2;
        if (tick.major && at * length - half < before) {
            tick.major = false;
        } else if (tick.major) {
            before = at * length + half + gap;
        }
    }
}

Index labelled(const std::vector<Tick>& ticks) {
    return std::ranges::count(ticks, true, &Tick::major);
}

/// One number says nothing of the scale: of closer ticks the outermost two have labels.
template <typename Thin>
void add_second_label(std::vector<Tick>& ticks, const Axis& axis, const Thin& thin_out) {
    constexpr int kMost = 8;
    for (int most = 3; most <= kMost && labelled(ticks) < 2; ++most) {
        std::vector<Tick> closer = make_ticks(axis, most);
        const Index last = labelled(closer);
        Index number = 0;
        for (Tick& tick : closer) {
            number += tick.major;
            tick.major = tick.major && (number == 1 || number == last);
        }
        thin_out(closer);
        if (labelled(closer) == 2) {
            ticks = std::move(closer);
        }
    }
}

}  // namespace

double widest_label(std::span<const Tick> ticks, const Pen& pen) {
    double width = 0;
    for (const Tick& tick : ticks) {
        if (tick.major) {
            width = std::max(width, rich_text_size(tick.label, pen.mono(), pen.painter).x);
        }
    }
    return width;
}

/// The number of ticks of an upright axis: four if they just fit, more only if there is plenty of
/// room.
std::vector<Tick> upright_ticks(const Axis& axis, double height, const Pen& pen) {
    const double line = pen.line_height(pen.mono());
    const double lines = height / line;
    const double most = std::max(lines / 3.2, std::min(4.0, lines / 1.7));
    std::vector<Tick> ticks = make_ticks(axis, std::max(2, static_cast<int>(most)));
    // An exponent reaches above its line.
    const bool raised = std::ranges::any_of(
        ticks, [](const Tick& tick) { return tick.label.find('^') != std::string::npos; });
    const auto thin_out = [&](std::vector<Tick>& some) {
        thin(some, axis, height, raised ? 0.25 * line : 0, [line](const Tick&) { return line; });
    };
    thin_out(ticks);
    add_second_label(ticks, axis, thin_out);
    return ticks;
}

/// As many ticks as have room for their labels and a gap between them.
std::vector<Tick> level_ticks(const Axis& axis, double width, const Pen& pen) {
    const double gap = pen.px(14);
    std::vector<Tick> ticks;
    for (int most = std::max(2, static_cast<int>(width / pen.px(64))); most > 1; --most) {
        ticks = make_ticks(axis, most);
        const Index majors = labelled(ticks);
        const double room = width / to_double(std::max<Index>(majors - 1, 1));
        if (majors > 1 && widest_label(ticks, pen) + gap <= room) {
            return ticks;
        }
    }
    const auto thin_out = [&](std::vector<Tick>& some) {
        thin(some, axis, width, gap, [&pen](const Tick& tick) {
            return rich_text_size(tick.label, pen.mono(), pen.painter).x;
        });
    };
    thin_out(ticks);
    add_second_label(ticks, axis, thin_out);
    return ticks;
}

}  // namespace ropescope::plot
