// Plans and draws the texts in the corners of panels.
#include "app/plot/corners.h"

#include <algorithm>
#include <cmath>

#include "app/plot/rich_text.h"

namespace ropescope::plot {
namespace {

constexpr double kSmallestShare = 0.76;    ///< share of their size that texts are written at
constexpr double kSmallestInAPlane = 0.9;  ///< in one of many planes tiny texts cannot be read
constexpr double kInset = 0.85;            ///< of the padding: texts above and below the plot
constexpr double kReach = 1.2;             ///< of a plane, in radii of its circle

struct Ends {
    std::string_view left, right;
    TextStyle left_style, right_style;

    Ends scaled(double size) const {
        Ends ends = *this;
        ends.left_style.size_px *= size;
        ends.right_style.size_px *= size;
        return ends;
    }
    double width(const Pen& pen) const {
        const double gap = left.empty() || right.empty() ? 0 : pen.px(8);
        return rich_text_size(left, left_style, pen.painter).x + gap +
               rich_text_size(right, right_style, pen.painter).x;
    }
};

Ends header_of(const Panel& panel, const Pen& pen) {
    return {panel.title.empty() ? panel.corners.top_left : panel.title, panel.corners.top_right,
            pen.panel_title(), pen.mono()};
}

Ends bottom_of(const Panel& panel, const Pen& pen) {
    return {panel.corners.bottom_left, panel.corners.bottom_right, pen.mono(),
            pen.mono(Role::text)};
}

double padding_of(Rect frame, const Pen& pen) {
    return std::min(pen.px(kPanelPadding), 0.08 * frame.width);
}

/// Makes both texts a little smaller if they do not fit, and leaves out the right one if that does
/// not help. It tries step by step, because the width of hinted text is not proportional to its
/// size.
EndsPlan plan(const Ends& ends, double room, double smallest, const Pen& pen) {
    for (double size = 1; size > smallest - 0.04; size -= 0.04) {
        if (ends.scaled(size).width(pen) <= room + 0.5) {
            return {size, true};
        }
    }
    return {1, false};
}

EndsPlan in_common(const EndsPlan& a, const EndsPlan& b) {
    const bool both = a.both && b.both;
    return {both ? std::min(a.size, b.size) : 1, both};
}

/// Returns the places taken. Each is one line high, whatever the size of the text.
std::vector<Rect> draw_ends(Ends ends, const EndsPlan& planned, double y, Rect frame,
                            const Pen& pen) {
    std::vector<Rect> taken;
    const double middle = y + pen.line_height(ends.left_style) / 2;
    const double padding = padding_of(frame, pen), width = frame.width - 2 * padding;
    ends = ends.scaled(planned.size);
    const auto draw = [&](std::string_view text, const TextStyle& style, double align) {
        const std::string shown = fitted(text, width, style, pen.painter);
        const Pixel size = rich_text_size(shown, style, pen.painter);
        const Rect place{frame.x + padding + align * (width - size.x), middle - size.y / 2, size.x,
                         size.y};
        draw_rich_text({place.x, place.y}, shown, style, pen.painter);
        if (!shown.empty()) {
            taken.push_back(place);
        }
    };
    draw(ends.left, ends.left_style, 0);
    if (planned.both) {
        draw(ends.right, ends.right_style, 1);
    }
    return taken;
}

}  // namespace

CornersPlan plan_corners(const Panel& panel, Rect frame, const Pen& pen) {
    const double room = frame.width - 2 * padding_of(frame, pen);
    const double smallest = is_plane(panel) ? kSmallestInAPlane : kSmallestShare;
    return {plan(header_of(panel, pen), room, smallest, pen),
            plan(bottom_of(panel, pen), room, smallest, pen)};
}

CornersPlan in_common(const CornersPlan& a, const CornersPlan& b) {
    return {in_common(a.header, b.header), in_common(a.bottom, b.bottom)};
}

bool header_meets_circle(const Panel& panel, const CornersPlan& plan, Rect frame, Rect plot,
                         const Pen& pen) {
    const Ends header = header_of(panel, pen).scaled(plan.header.size);
    const double padding = padding_of(frame, pen);
    const double below =
        frame.y + 0.85 * pen.px(kPanelPadding) + pen.line_height(header.left_style);
    const Pixel middle{plot.x + plot.width / 2, plot.y + plot.height / 2};
    const double radius = std::min(plot.width, plot.height) / (2 * kReach) + pen.px(3);
    const double left_end =
        frame.x + padding + rich_text_size(header.left, header.left_style, pen.painter).x;
    const double right_end =
        plan.header.both ? frame.x + frame.width - padding -
                               rich_text_size(header.right, header.right_style, pen.painter).x
                         : frame.x + frame.width;
    const auto meets = [&](double away) {  // how far the text's end is from the middle
        return std::hypot(std::max(0.0, away), middle.y - below) < radius;
    };
    return meets(middle.x - left_end) || meets(right_end - middle.x);
}

std::vector<Rect> draw_header_corners(const Panel& panel, const CornersPlan& plan, Rect frame,
                                      const Pen& pen) {
    return draw_ends(header_of(panel, pen), plan.header, frame.y + pen.px(kPanelPadding) * kInset,
                     frame, pen);
}

std::vector<Rect> draw_bottom_corners(const Panel& panel, const CornersPlan& plan, Rect frame,
                                      const Pen& pen) {
    const double y =
        frame.y + frame.height - pen.px(kPanelPadding) * kInset - pen.line_height(pen.mono());
    return draw_ends(bottom_of(panel, pen), plan.bottom, y, frame, pen);
}

}  // namespace ropescope::plot
