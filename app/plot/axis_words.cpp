// Measures the words of labels against the room between the ends of their columns and rows.
#include "app/plot/axis_words.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "app/plot/rich_text.h"

namespace ropescope::plot {
namespace {

/// Below this share of their size whole names are harder to read than brief ones.
constexpr double kLeastOfWholeNames = 0.85;

/// The width and the height that a label may have.
Pixel room_of(const Label& label, const PlacedPanel& placed, const Pen& pen) {
    // From end to end of the text: columns have widths of their own.
    const Point begin{label.at.x - label.anchor_x * label.width, label.at.y};
    Pixel at = placed.to_pixel(begin);
    Pixel end = placed.to_pixel({begin.x + label.width, label.at.y + label.height});
    // What ends at its point is not moved over it by the border.
    const double margin = pen.px(kWordMargin);
    if (label.anchor_x == 1) {
        at.x = std::min(end.x, std::max(at.x, placed.frame.x + margin));
    } else if (label.anchor_x == 0) {
        end.x = std::max(at.x, std::min(end.x, placed.frame.x + placed.frame.width - margin));
    }
    // A row that is shown has room for its texts.
    const bool limited = label.height > 0 && placed.rows.empty();
    return {label.width > 0 ? std::abs(end.x - at.x) : placed.plot.width,
            limited ? std::abs(end.y - at.y) : placed.frame.height};
}

TextStyle whole_style(const Label& label, const Pen& pen) {
    return label.mono ? pen.mono(label.role) : pen.small(label.role);
}

const Text& words_of(const Label& label, bool brief) {
    return brief && !label.brief.empty() ? label.brief : label.text;
}

bool has_room(const Label& label, bool brief, double share, const PlacedPanel& placed,
              const Pen& pen) {
    const TextStyle style = pen.smaller(whole_style(label, pen), share);
    const Pixel room = room_of(label, placed, pen);
    const Pixel size = rich_text_size(words_of(label, brief), style, pen.painter);
    return size.y <= room.y && (size.x <= room.x || !label.whole);
}

/// The share of its size at which a label has room, down to its smallest.
double fitting_share(const Label& label, bool brief, const PlacedPanel& placed, const Pen& pen) {
    double share = 1;
    while (share > label.smallest && !has_room(label, brief, share, placed, pen)) {
        share = std::max(label.smallest, share - 0.05);
    }
    return share;
}

bool is_along_an_axis(const Label& label) {
    return label.whole && label.smallest < 1;
}

/// Such words have their neighbours above and below them.
bool is_beside_lines(const Label& label) {
    return label.anchor_x != 0.5 && label.anchor_y == 0.5 && label.height > 0;
}

/// How many lines of the row the label takes.
std::size_t lines_taken(const Label& label, const RowOfWords& row, const PlacedPanel& placed,
                        const Pen& pen) {
    const TextStyle style = pen.smaller(whole_style(label, pen), row.share);
    const double room = room_of(label, placed, pen).y;
    const double needed = rich_text_size(words_of(label, row.brief), style, pen.painter).y;
    return room <= 0 ? 1 : static_cast<std::size_t>(std::ceil(needed / room));
}

}  // namespace

bool RowOfWords::has(const Label& label) const {
    return is_along_an_axis(label) && label.anchor_x == anchor_x && label.anchor_y == anchor_y;
}

bool RowOfWords::writes(const Label& label) const {
    const auto line = std::ranges::lower_bound(lines, label.at.y) - lines.begin();
    return static_cast<std::size_t>(line) % every == 0;
}

std::vector<RowOfWords> words_along_axes(const PlacedPanel& placed, const Pen& pen) {
    std::vector<RowOfWords> rows;
    const auto each_word = [&](const auto& take) {
        for (const Mark& mark : placed.panel->marks) {
            const auto* label = std::get_if<Label>(&mark);
            if (label != nullptr && is_along_an_axis(*label)) {
                take(*label);
            }
        }
    };
    const auto row_of = [&](const Label& label) -> RowOfWords& {
        const auto row =
            std::ranges::find_if(rows, [&](const RowOfWords& each) { return each.has(label); });
        if (row != rows.end()) {
            return *row;
        }
        rows.push_back({label.anchor_x, label.anchor_y});
        return rows.back();
    };
    each_word([&](const Label& label) {
        RowOfWords& row = row_of(label);
        const double least = std::max(kLeastOfWholeNames, label.smallest);
        row.brief =
            row.brief || (!label.brief.empty() && !has_room(label, false, least, placed, pen));
    });
    each_word([&](const Label& label) {
        RowOfWords& row = row_of(label);
        row.share = std::min(row.share, fitting_share(label, row.brief, placed, pen));
    });
    each_word([&](const Label& label) {
        if (is_beside_lines(label)) {
            RowOfWords& row = row_of(label);
            row.lines.push_back(label.at.y);
            row.every = std::max(row.every, lines_taken(label, row, placed, pen));
        }
    });
    for (RowOfWords& row : rows) {
        std::ranges::sort(row.lines);
    }
    return rows;
}

std::optional<Wording> wording_of(const Label& label, const std::vector<RowOfWords>& rows,
                                  const PlacedPanel& placed, const Pen& pen) {
    const auto row =
        std::ranges::find_if(rows, [&](const RowOfWords& each) { return each.has(label); });
    const bool brief = row != rows.end() && row->brief;
    const TextStyle style =
        pen.smaller(whole_style(label, pen),
                    row != rows.end() ? row->share : fitting_share(label, brief, placed, pen));
    Pixel room = room_of(label, placed, pen);
    if (row != rows.end()) {
        if (!row->writes(label)) {
            return std::nullopt;
        }
        room.y *= static_cast<double>(row->every);
    }
    const Text& words = words_of(label, brief);
    const std::string text = fitted(words, room.x, style, pen.painter);
    if (rich_text_size(text, style, pen.painter).y > room.y || (label.whole && text != words)) {
        return std::nullopt;
    }
    return Wording{text, style};
}

}  // namespace ropescope::plot
