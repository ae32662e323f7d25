// Lays out and draws the title, the subtitle and the legend of a figure.
#include "app/plot/header.h"

#include <algorithm>
#include <cmath>

#include "app/plot/rich_text.h"

namespace ropescope::plot {
namespace {

constexpr double kSmallTitle = 0.75;  ///< of a title that would be cut

enum class Level { full, single_lines, title_only, title_line, nothing };

double widest(const std::vector<std::string>& lines, const TextStyle& style, const Pen& pen) {
    double width = 0;
    for (const std::string& line : lines) {
        width = std::max(width, rich_text_size(line, style, pen.painter).x);
    }
    return width;
}

bool is_cut(const std::vector<std::string>& lines, std::string_view text) {
    constexpr std::string_view kCut = "…";
    return lines.empty() || (lines.back().ends_with(kCut) && !text.ends_with(kCut));
}

Header lay_out(const Figure& figure, Rect area, Level level, const Pen& pen) {
    Header header;
    header.below = area;
    if (level == Level::nothing) {
        return header;
    }
    const std::size_t most_lines = level == Level::full ? 2 : 1;
    const bool whole_title = level == Level::full || level == Level::title_only;
    const auto height = [&pen](const std::vector<std::string>& lines, const TextStyle& style) {
        return to_double(std::ssize(lines)) * pen.line_height(style);
    };
    double y = area.y;
    header.title_style = pen.title();
    const std::size_t title_lines = whole_title ? 2 : 1;
    header.title = wrapped(figure.title, area.width, title_lines, header.title_style, pen.painter);
    if (whole_title && is_cut(header.title, figure.title)) {
        header.title_style.size_px *= kSmallTitle;
        header.title =
            wrapped(figure.title, area.width, title_lines, header.title_style, pen.painter);
    }
    header.title_at = {area.x, y};
    y += height(header.title, header.title_style);
    if (level == Level::full || level == Level::single_lines) {
        y += header.title.empty() ? 0 : pen.px(7);
        header.subtitle =
            wrapped(figure.subtitle, area.width, most_lines, pen.caption(), pen.painter);
        header.legend = flow_legend(figure.legend, area.width, pen);
        header.subtitle_at = {area.x, y};
        y += height(header.subtitle, pen.caption());
        const double gap = pen.px(24);
        const double first_line = pen.line_height(pen.caption());
        const bool beside =
            header.legend.height <= first_line && !header.subtitle.empty() &&
            widest(header.subtitle, pen.caption(), pen) + gap + header.legend.width <= area.width;
        const double right = area.x + area.width - header.legend.width;
        if (beside) {
            header.legend_at = {right, header.subtitle_at.y};
        } else if (!header.legend.items.empty()) {
            y += header.subtitle.empty() ? 0 : pen.px(6);
            header.legend_at = {area.x, y};
            y += header.legend.height;
        }
    }
    y = std::round(y + (y > area.y ? pen.px(12) : 0));
    header.below = {area.x, y, area.width, std::max(0.0, area.y + area.height - y)};
    return header;
}

}  // namespace

Header lay_out_header(const Figure& figure, Rect area, const Pen& pen) {
    for (const Level level :
         {Level::full, Level::single_lines, Level::title_only, Level::title_line}) {
        Header header = lay_out(figure, area, level, pen);
        if (header.below.height >= area.height * 2 / 3) {
            return header;
        }
    }
    return lay_out(figure, area, Level::nothing, pen);
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

}  // namespace ropescope::plot
