// Measures texts to find the room that columns and rows need.
#include "app/plot/panel_tracks.h"

#include <algorithm>
#include <fmt/format.h>
#include <variant>
#include <vector>

#include "app/plot/facts.h"
#include "app/plot/rich_text.h"

namespace ropescope::plot {
namespace {

/// The length that each column needs for the longest text that begins or ends in it.
std::vector<double> needed_widths(const Panel& panel, const Pen& pen) {
    constexpr double kBetweenColumns = 18;  ///< units between two columns
    std::vector<double> needed;
    for (const Track& column : panel.columns) {
        double width = pen.px(column.least_px);
        for (const Mark& mark : panel.marks) {
            const auto* label = std::get_if<Label>(&mark);
            if (column.least_px > 0 || label == nullptr) {
                continue;
            }
            const double x = label->at.x + (1 - 2 * label->anchor_x) * 1e-6;
            if (x >= column.first && x <= column.last) {
                const TextStyle style = label->mono ? pen.mono() : pen.small();
                width = std::max(width, rich_text_size(label->text, style, pen.painter).x +
                                            pen.px(kBetweenColumns));
            }
        }
        needed.push_back(width);
    }
    return needed;
}

std::vector<double> needed_heights(const Panel& panel, const Pen& pen) {
    const double line = std::max(pen.line_height(pen.mono()), pen.line_height(pen.small()));
    std::vector<double> needed;
    for (const Track& row : panel.rows) {
        needed.push_back(row.least_px > 0 ? pen.px(row.least_px) : line + pen.px(2));
    }
    return needed;
}

std::string more_text(int rows, int columns) {
    const auto counted = [](int count, const char* one) {
        return count == 0 ? "" : fmt::format("{} more {}{}", count, one, count == 1 ? "" : "s");
    };
    const std::string first = counted(rows, "row"), second = counted(columns, "column");
    return first + (first.empty() || second.empty() ? "" : ", ") + second;
}

void fit(PlacedPanel& placed, const Pen& pen) {
    constexpr double kHighestRow = 1.9;  ///< times what a line of text needs
    const Panel& panel = *placed.panel;
    if (!panel.columns.empty()) {
        placed.columns =
            fit_tracks(panel.columns, needed_widths(panel, pen), {.room = placed.plot.width});
    }
    if (!panel.rows.empty()) {
        placed.rows = fit_tracks(
            panel.rows, needed_heights(panel, pen),
            {.room = placed.plot.height, .most_growth = kHighestRow, .from_the_end = true});
    }
}

}  // namespace

double least_rows_height(const Panel& panel, const Pen& pen) {
    const std::vector<double> needed = needed_heights(panel, pen);
    double height = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(needed.size(), 4); ++i) {
        height += needed[i];
    }
    return height;
}

std::string fit_panel_tracks(PlacedPanel& placed, const Pen& pen) {
    fit(placed, pen);
    const double line = pen.line_height(pen.small());
    const int left_out = placed.columns.left_out + placed.rows.left_out;
    if (left_out == 0 || placed.plot.height < 2.4 * line) {
        return {};
    }
    placed.plot.height = std::max(1.0, placed.plot.height - line);
    fit(placed, pen);
    return more_text(placed.rows.left_out, placed.columns.left_out);
}

std::string fit_panel_facts(PlacedPanel& placed, const Pen& pen) {
    const double line = pen.line_height(pen.small());
    for (const Mark& mark : placed.panel->marks) {
        const auto* facts = std::get_if<Facts>(&mark);
        if (facts == nullptr || placed.plot.height < 2.4 * line ||
            facts_left_out(*facts, placed.plot, pen) == 0) {
            continue;
        }
        placed.plot.height -= line;
        return more_text(facts_left_out(*facts, placed.plot, pen), 0);
    }
    return {};
}

}  // namespace ropescope::plot
