// Plans the lines of the labels at axes, and draws them.
#include "app/plot/axis_labels.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "app/plot/rich_text.h"
#include "core/base/index.h"

namespace ropescope::plot {
namespace {

constexpr Index kMostLines = 4;

double width_of(const LabelLines& label, const Pen& pen) {
    double width = 0;
    for (const std::string& line : label.lines) {
        width = std::max(width, rich_text_size(line, label.style, pen.painter).x);
    }
    return width;
}

double height_of(const LabelLines& label, const Pen& pen) {
    return to_double(std::ssize(label.lines)) * pen.line_height(pen.small());
}

/// The label in one line, if it has room there at a somewhat smaller size, else in several.
LabelLines lines_in(double room, std::string_view words, const Pen& pen) {
    constexpr double kSmallest = 0.75, kStep = 0.05;
    if (words.empty()) {
        return {};
    }
    TextStyle style = pen.small();
    for (double share = 1; share >= kSmallest - kStep / 2; share -= kStep) {
        style = pen.smaller(pen.small(), share);
        if (rich_text_size(words, style, pen.painter).x <= room) {
            return {{std::string(words)}, style};
        }
    }
    LabelLines broken{wrapped(words, room, kMostLines, pen.small(), pen.painter), pen.small()};
    if (is_cut(broken.lines, words)) {
        broken = {wrapped(words, room, kMostLines, style, pen.painter), style};
        broken.cut = is_cut(broken.lines, words);
    }
    return broken;
}

std::string_view bar_words(const Panel& panel) {
    const auto map = std::ranges::find_if(
        panel.marks, [](const Mark& mark) { return std::holds_alternative<HeatMap>(mark); });
    return map == panel.marks.end() ? std::string_view()
                                    : std::string_view(std::get<HeatMap>(*map).label);
}

void draw_lines(const LabelLines& label, Pixel at, double align, const Pen& pen) {
    for (const std::string& line : label.lines) {
        const double width = rich_text_size(line, label.style, pen.painter).x;
        draw_rich_text({at.x - align * width, at.y}, line, label.style, pen.painter);
        at.y += pen.line_height(pen.small());
    }
}

}  // namespace

AxisLabels plan_axis_labels(const Panel& panel, bool color_bar, Rect frame, const Pen& pen) {
    const double gap = pen.padding(), room = frame.width - 2 * gap;
    const std::string_view y = panel.y.visible ? std::string_view(panel.y.label) : "";
    const std::string_view bar = color_bar ? bar_words(panel) : "";
    AxisLabels labels;
    labels.x = lines_in(room, panel.x.visible ? std::string_view(panel.x.label) : "", pen);
    // Of the line above the plot the shorter label has what it needs, and the other the rest.
    const double between = y.empty() || bar.empty() ? 0 : gap;
    const double half = (room - between) / 2;
    const double y_width = rich_text_size(y, pen.small(), pen.painter).x;
    const double bar_width = rich_text_size(bar, pen.small(), pen.painter).x;
    const double y_room = y_width <= half ? y_width : std::max(half, room - between - bar_width);
    labels.y = lines_in(std::min(y_room, room - between), y, pen);
    labels.bar = lines_in(room - between - width_of(labels.y, pen), bar, pen);
    labels.above = std::max(height_of(labels.y, pen), height_of(labels.bar, pen));
    labels.below = height_of(labels.x, pen);
    return labels;
}

void draw_axis_labels(const PlacedPanel& placed, const AxisLabels& labels,
                      const LabelPlaces& places, const Pen& pen) {
    const Rect frame = placed.frame;
    const double padding = pen.padding();
    const double first = frame.x + padding, last = frame.x + frame.width - padding;
    // A square map may leave room beside itself and its bar, where its labels stand, too.
    double left = first, right = last;
    if (places.color_bar != nullptr) {
        const double bar = width_of(labels.bar, pen);
        const double both = width_of(labels.y, pen) + (bar > 0 ? padding : 0) + bar;
        right = std::min(last, places.color_bar->x + places.color_bar->width + pen.px(60));
        left = std::clamp(places.left + padding, first, std::max(first, last - both));
        right = std::min(last, std::max(right, left + both));
    }
    draw_lines(labels.y, {left, places.above - height_of(labels.y, pen)}, 0, pen);
    draw_lines(labels.bar, {right, places.above - height_of(labels.bar, pen)}, 1, pen);
    const double width = width_of(labels.x, pen);
    const double middle = placed.plot.x + placed.plot.width / 2;
    const double begin = std::max(first, std::min(middle - width / 2, last - width));
    draw_lines(labels.x, {begin + width / 2, places.below}, 0.5, pen);
}

}  // namespace ropescope::plot
