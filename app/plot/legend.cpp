// Flows the entries of a legend into rows, and draws them.
#include <algorithm>

#include "app/plot/header.h"
#include "app/plot/rich_text.h"
#include "app/plot/shapes.h"

namespace ropescope::plot {
namespace {

// In units; multiplied by the scale.
constexpr double kSample = 28, kSampleGap = 8, kEntryGap = 22, kRowGap = 4;

double sample_width(const LegendEntry& entry, const Pen& pen) {
    switch (entry.kind) {
        case LegendEntry::Kind::point:
        case LegendEntry::Kind::ring:
            return pen.px(8);
        case LegendEntry::Kind::box:
            return pen.px(14);
        default:
            return pen.px(kSample);
    }
}

void draw_sample(const LegendEntry& entry, Pixel left, const Pen& pen) {
    const Color color = pen.color(entry.role);
    const double width = sample_width(entry, pen);
    const Pixel right{left.x + width, left.y};
    const double line_px = pen.px(pen.theme.line_px);
    switch (entry.kind) {
        case LegendEntry::Kind::line:
            draw_line(std::vector{left, right}, color, line_px, entry.dash, pen);
            break;
        case LegendEntry::Kind::arrow:
            draw_arrow(left, right, color, pen);
            break;
        case LegendEntry::Kind::point:
            pen.painter.circle({left.x + width / 2, left.y}, pen.px(4), color);
            break;
        case LegendEntry::Kind::ring:
            pen.painter.circle({left.x + width / 2, left.y}, pen.px(4), color);
            pen.painter.circle({left.x + width / 2, left.y}, pen.px(4) - 0.8 * line_px,
                               pen.color(Role::panel));
            break;
        case LegendEntry::Kind::box: {
            const double height = pen.px(10);
            pen.painter.fill_rect({left.x, left.y - height / 2, width, height}, color, pen.px(2));
            break;
        }
    }
}

}  // namespace

LegendFlow flow_legend(std::span<const LegendEntry> entries, double width, const Pen& pen) {
    LegendFlow flow;
    const double row_height = pen.line_height(pen.caption());
    Pixel at;
    for (LegendEntry entry : entries) {
        const double front = sample_width(entry, pen) + pen.px(kSampleGap);
        const std::string name = entry.label;
        entry.label = fitted(entry.label, width - front, pen.caption(), pen.painter);
        if (entry.label.empty()) {
            continue;
        }
        const double entry_width =
            front + rich_text_size(entry.label, pen.caption(), pen.painter).x;
        if (at.x > 0 && at.x + entry_width > width) {
            at = {0, at.y + row_height + pen.px(kRowGap)};
        }
        flow.items.push_back({entry, at, name});
        flow.width = std::max(flow.width, at.x + entry_width);
        flow.height = at.y + row_height;
        at.x += entry_width + pen.px(kEntryGap);
    }
    return flow;
}

std::vector<Rect> legend_places(const LegendFlow& legend, Pixel at, const Pen& pen) {
    std::vector<Rect> places;
    for (const LegendFlow::Item& item : legend.items) {
        const double front = sample_width(item.entry, pen) + pen.px(kSampleGap);
        const Pixel text = rich_text_size(item.entry.label, pen.caption(), pen.painter);
        places.push_back(
            {at.x + item.at.x, at.y + item.at.y, front + text.x, pen.line_height(pen.caption())});
    }
    return places;
}

void draw_legend(const LegendFlow& legend, Pixel at, const Pen& pen) {
    const double middle = pen.line_height(pen.caption()) / 2;
    for (const LegendFlow::Item& item : legend.items) {
        const Pixel left{at.x + item.at.x, at.y + item.at.y};
        draw_sample(item.entry, {left.x, std::round(left.y + middle)}, pen);
        const double front = sample_width(item.entry, pen) + pen.px(kSampleGap);
        draw_rich_text({left.x + front, left.y}, item.entry.label, pen.caption(item.entry.role),
                       pen.painter);
    }
}

}  // namespace ropescope::plot
