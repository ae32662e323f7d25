// The texts around a panel: the figure's title, subtitle and legend above its panels, and what
// stands in a panel's corners.
#include "app/plot/header.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/plot/rich_text.h"
#include "app/plot/shapes.h"

namespace ropescope::plot {

// Lays out and draws the title, the subtitle and the legend of a figure.

namespace {

/// Of a title that would be cut, and the lines that it may have then.
constexpr double kSmallTitle = 0.75;
constexpr Index kMostTitleLines = 5;

/// How much of the header is shown.
struct Level {
    std::size_t title_lines = 0, subtitle_lines = 0;
    bool legend = true;
    bool whole_title = false;  ///< it is only taken if no word of the title is cut
    double most = 1.0 / 3;     ///< of the area's height
    double least_height = 0;   ///< units: in a lower area it is not taken
};

/// In units: the height of a picture in which the names of a legend can be read.
constexpr double kReadable = 180;

/// From all of it to nothing. The names of lines stay longest, for without them a picture says
/// nothing; in a thumbnail of several panels, whose names nobody could read, the title does.
std::span<const Level> levels_of(const Figure& figure) {
    static constexpr std::array<Level, 6> kOnePanel = {{
        {.title_lines = 2, .subtitle_lines = 2},
        {.title_lines = 1, .subtitle_lines = 1, .whole_title = true},
        {.title_lines = 2},
        {.title_lines = 1},
        {.most = 0.5},
        {.legend = false, .most = 1},
    }};
    static constexpr std::array<Level, 10> kSeveral = {{
        {.title_lines = 2, .subtitle_lines = 2},
        {.title_lines = 1, .subtitle_lines = 1, .whole_title = true},
        {.title_lines = 2},
        {.title_lines = 1, .whole_title = true},
        {.title_lines = 2, .most = 0.5, .least_height = kReadable},
        {.title_lines = 1, .most = 0.5, .least_height = kReadable},
        {.most = 0.5, .least_height = kReadable},
        {.title_lines = 2, .legend = false},
        {.title_lines = 1, .legend = false},
        {.legend = false, .most = 1},
    }};
    return figure.panels.size() == 1 ? std::span<const Level>(kOnePanel)
                                     : std::span<const Level>(kSeveral);
}

double widest(const std::vector<std::string>& lines, const TextStyle& style, const Pen& pen) {
    double width = 0;
    for (const std::string& line : lines) {
        width = std::max(width, rich_text_size(line, style, pen.painter).x);
    }
    return width;
}

Header lay_out(const Figure& figure, std::span<const LegendEntry> legend, Rect area,
               const Level& level, const Pen& pen) {
    Header header;
    const auto height = [&pen](const std::vector<std::string>& lines, const TextStyle& style) {
        return to_double(std::ssize(lines)) * pen.line_height(style);
    };
    const auto fill = [&](std::string_view text, std::size_t lines, const TextStyle& style) {
        return lines == 0 || !pen.dress.title
                   ? std::vector<std::string>{}
                   : wrapped(text, area.width, lines, style, pen.painter);
    };
    double y = area.y;
    header.title_style = pen.title();
    header.title = fill(figure.title, level.title_lines, header.title_style);
    if (level.title_lines > 1 && is_cut(header.title, figure.title)) {
        header.title_style.size_px *= kSmallTitle;
        header.title = fill(figure.title, kMostTitleLines, header.title_style);
    }
    header.title_at = {area.x, y};
    y += height(header.title, header.title_style);
    header.subtitle = fill(figure.subtitle, level.subtitle_lines, pen.caption());
    const bool has_second = level.subtitle_lines > 0;
    y += header.title.empty() || !has_second ? 0 : pen.px(7);
    header.subtitle_at = {area.x, y};
    y += height(header.subtitle, pen.caption());
    header.legend =
        flow_legend(level.legend ? legend : std::span<const LegendEntry>{}, area.width, pen);
    const double gap = pen.px(24);
    const double first_line = pen.line_height(pen.caption());
    const bool beside =
        header.legend.height <= first_line && !header.subtitle.empty() &&
        widest(header.subtitle, pen.caption(), pen) + gap + header.legend.width <= area.width;
    if (beside) {
        header.legend_at = {area.x + area.width - header.legend.width, header.subtitle_at.y};
    } else if (!header.legend.items.empty()) {
        const bool below_words = has_second ? !header.subtitle.empty() : !header.title.empty();
        y += below_words ? pen.px(6) : 0;
        header.legend_at = {area.x, y};
        y += header.legend.height;
    }
    y = std::round(y + (y > area.y ? pen.px(12) : 0));
    header.below = {area.x, y, area.width, std::max(0.0, area.y + area.height - y)};
    return header;
}

}  // namespace

Header lay_out_header(const Figure& figure, std::span<const LegendEntry> legend, Rect area,
                      const Pen& pen, bool with_subtitle) {
    Header header;
    for (const Level& level : levels_of(figure)) {
        if ((level.subtitle_lines > 0 && !with_subtitle) ||
            area.height < pen.px(level.least_height)) {
            continue;
        }
        header = lay_out(figure, legend, area, level, pen);
        const bool fits = header.below.height >= area.height * (1 - level.most);
        const bool cuts =
            pen.dress.title && !figure.title.empty() && is_cut(header.title, figure.title);
        if (fits && !(level.whole_title && cuts)) {
            break;
        }
    }
    return header;
}

void draw_header(const Header& header, const Pen& pen) {
    const auto draw_lines = [&pen](const std::vector<std::string>& lines, Pixel at,
                                   const TextStyle& style) {
        for (const std::string& line : lines) {
            draw_rich_text(at, line, style, pen.painter);
            at.y += pen.line_height(style);
        }
    };
    draw_lines(header.title, header.title_at, header.title_style);
    draw_lines(header.subtitle, header.subtitle_at, pen.caption());
    draw_legend(header.legend, header.legend_at, pen);
}

// Flows the entries of a legend into rows, and draws them.

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
            if (!pen.dress.cards) {
                draw_open_ring({left.x + width / 2, left.y}, pen.px(4), color, pen);
                break;
            }
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

// Plans and draws the texts in the corners of panels.

namespace {

constexpr double kSmallestShare = 0.76;    ///< share of their size that texts are written at
constexpr double kSmallestInAPlane = 0.9;  ///< in one of many planes tiny texts cannot be read
constexpr double kInset = 0.85;            ///< of the padding: texts above and below the plot
constexpr double kReach = 1.2;             ///< of a plane, in radii of its circle

struct Ends {
    std::string_view left, right;
    TextStyle left_style, right_style;
    double smallest = kSmallestShare;
    Index most_lines = 1;  ///< of the left text; 0: rather than cut it is left out

    Ends scaled(double size, const Pen& pen) const {
        Ends texts = *this;
        texts.left_style = pen.smaller(left_style, size);
        texts.right_style = pen.smaller(right_style, size);
        return texts;
    }
    double width(const Pen& pen) const {
        const double gap = left.empty() || right.empty() ? 0 : pen.px(8);
        return rich_text_size(left, left_style, pen.painter).x + gap +
               rich_text_size(right, right_style, pen.painter).x;
    }
};

Ends header_of(const Panel& panel, const Pen& pen) {
    constexpr Index kMostLines = 4;
    const bool plane = is_plane(panel);
    return {panel.title.empty() ? panel.corners.top_left : panel.title,
            panel.corners.top_right,
            pen.panel_title(),
            pen.mono(),
            plane ? kSmallestInAPlane : kSmallestShare,
            plane ? 1 : kMostLines};
}

Ends bottom_of(const Panel& panel, const Pen& pen) {
    return {panel.corners.bottom_left,
            panel.corners.bottom_right,
            pen.mono(),
            pen.mono(Role::text),
            is_plane(panel) ? kSmallestInAPlane : kSmallestShare,
            0};
}

double padding_of(Rect frame, const Pen& pen) {
    return std::min(pen.padding(), 0.08 * frame.width);
}

std::vector<std::string> left_lines(const Ends& ends, double room, const Pen& pen) {
    const Index most = std::max<Index>(1, ends.most_lines);
    return wrapped(ends.left, room + 0.5, most, ends.left_style, pen.painter);
}

/// Makes both texts a little smaller if they do not fit, and leaves out the right one if that does
/// not help; the left one is then made smaller alone, or broken into lines. It tries step by step,
/// because the width of hinted text is not proportional to its size.
EndsPlan plan(const Ends& ends, double room, const Pen& pen) {
    constexpr double kStep = 0.04;
    const auto fitting = [&](const Ends& texts) -> std::optional<double> {
        for (double size = 1; size > ends.smallest - kStep; size -= kStep) {
            if (texts.scaled(size, pen).width(pen) <= room + 0.5) {
                return size;
            }
        }
        return std::nullopt;
    };
    if (const auto size = fitting(ends)) {
        return {*size, true};
    }
    Ends left = ends;
    left.right = {};
    if (const auto size = fitting(left)) {
        return {*size, false};
    }
    if (ends.most_lines == 0) {
        return {ends.smallest, false, 0};
    }
    const double size = ends.most_lines > 1 ? 1 : ends.smallest;
    const Index lines = std::ssize(left_lines(ends.scaled(size, pen), room, pen));
    return {size, false, std::max<Index>(1, lines)};
}

EndsPlan in_common(const EndsPlan& a, const EndsPlan& b) {
    const bool both = a.both && b.both;
    return {std::min(a.size, b.size), both, std::min(a.lines, b.lines)};
}

/// Returns the places taken. Each line has the height of whole letters, whatever the size of the
/// text.
std::vector<Rect> draw_ends(Ends ends, const EndsPlan& planned, double y, Rect frame,
                            const Pen& pen) {
    std::vector<Rect> taken;
    const double line = pen.line_height(ends.left_style);
    double middle = y + line / 2;
    const double padding = padding_of(frame, pen), width = frame.width - 2 * padding;
    ends = ends.scaled(planned.size, pen);
    const auto draw = [&](std::string_view text, const TextStyle& style, double align) {
        const std::string shown = fitted(text, width + 0.5, style, pen.painter);
        const Pixel size = rich_text_size(shown, style, pen.painter);
        const Rect place{frame.x + padding + align * (width - size.x), middle - size.y / 2, size.x,
                         size.y};
        draw_rich_text({place.x, place.y}, shown, style, pen.painter);
        if (!shown.empty()) {
            taken.push_back(place);
        }
    };
    if (planned.both) {
        draw(ends.left, ends.left_style, 0);
        draw(ends.right, ends.right_style, 1);
        return taken;
    }
    if (planned.lines == 0) {
        return taken;
    }
    for (const std::string& words : left_lines(ends, width, pen)) {
        draw(words, ends.left_style, 0);
        middle += line;
    }
    return taken;
}

}  // namespace

CornersPlan plan_corners(const Panel& panel, Rect frame, const Pen& pen) {
    const double room = frame.width - 2 * padding_of(frame, pen);
    return {plan(header_of(panel, pen), room, pen), plan(bottom_of(panel, pen), room, pen)};
}

bool has_whole_title(const Panel& panel, Rect frame, const Pen& pen) {
    const Ends title =
        header_of(panel, pen).scaled(plan_corners(panel, frame, pen).header.size, pen);
    const double room = frame.width - 2 * padding_of(frame, pen);
    return title.left.empty() || !is_cut(left_lines(title, room, pen), title.left);
}

CornersPlan in_common(const CornersPlan& a, const CornersPlan& b) {
    return {in_common(a.header, b.header), in_common(a.bottom, b.bottom)};
}

bool header_meets_circle(const Panel& panel, const CornersPlan& plan, Rect frame, Rect plot,
                         const Pen& pen) {
    const Ends header = header_of(panel, pen).scaled(plan.header.size, pen);
    const double padding = padding_of(frame, pen);
    const double below = frame.y + 0.85 * pen.padding() + pen.line_height(header.left_style);
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
    return draw_ends(header_of(panel, pen), plan.header, frame.y + pen.padding() * kInset, frame,
                     pen);
}

std::vector<Rect> draw_bottom_corners(const Panel& panel, const CornersPlan& plan, Rect frame,
                                      const Pen& pen) {
    const double y = frame.y + frame.height - pen.padding() * kInset - pen.line_height(pen.mono());
    return draw_ends(bottom_of(panel, pen), plan.bottom, y, frame, pen);
}

}  // namespace ropescope::plot
