// Draws the matrix of the systems, and finds systems in it.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/layouts/panels.h"
#include "app/plot/pick.h"

namespace ropescope::figures {
namespace {

using plot::Role;

constexpr double kNames = 13;      ///< room for the systems' titles, in cells
constexpr double kNumbers = 1.4;   ///< of it for their numbers
constexpr double kDigit = 0.41;    ///< of a cell's width: all numbers shrink and go together
constexpr double kSmallest = 0.7;  ///< share of their size that marks shrink to in small cells

/// Moderate colours of the diverging map, so that the marks in the cells stay legible.
float shade(Verdict verdict) {
    switch (verdict) {
        case Verdict::identical:
            return -0.55F;
        case Verdict::equal_after_permutation:
            return -0.25F;
        case Verdict::different:
            return 0.2F;
        case Verdict::not_a_rotation:
            break;
    }
    return 0.5F;
}

/// Row 0 stands on top.
double row_middle(Index row) {
    return to_double(std::ssize(system_matrix().systems) - row) - 0.5;
}

plot::HeatMap heat(const EquivalenceMatrix& matrix) {
    const Index count = std::ssize(matrix.systems);
    plot::HeatMap heat{
        .columns = count, .rows = count, .min = -1, .max = 1, .map = plot::ColorMap::diverging};
    for (Index row = count; row-- > 0;) {
        for (Index column = 0; column < count; ++column) {
            heat.values.push_back(shade(matrix.at(row, column).verdict));
        }
    }
    return heat;
}

void add_cell_marks(plot::Panel& panel, const EquivalenceMatrix& matrix) {
    for (Index row = 0; row < std::ssize(matrix.systems); ++row) {
        for (Index column = 0; column < std::ssize(matrix.systems); ++column) {
            panel.marks.emplace_back(
                plot::Label{.at = {to_double(column) + 0.5, row_middle(row)},
                            .text = verdict_mark(matrix.at(row, column).verdict),
                            .role = Role::text,
                            .anchor_x = 0.5,
                            .anchor_y = 0.5,
                            .height = 1.1,
                            .smallest = kSmallest});
        }
    }
}

/// The two systems stay, and the names.
void add_tracks(plot::Panel& panel, const Scene& scene, const EquivalenceMatrix& matrix) {
    constexpr double kCell = 17;  ///< units: a mark or a number of two digits
    const double top = to_double(std::ssize(matrix.systems));
    panel.columns = {{.first = -kNames, .last = 0, .keep = 3, .least_px = 96, .counted = false}};
    panel.rows = {{.first = top, .last = top + 1.1, .keep = 3, .counted = false}};
    for (Index at = 0; at < std::ssize(matrix.systems); ++at) {
        const System& system = *matrix.systems[at];
        const int keep = system.id == scene.system_a || system.id == scene.system_b ? 1 : 0;
        const double column = to_double(at), row = row_middle(at);
        panel.columns.push_back(
            {.first = column, .last = column + 1, .keep = keep, .least_px = kCell});
        panel.rows.push_back({.first = row - 0.5, .last = row + 0.5, .keep = keep});
    }
}

/// Titles at the rows, their numbers at rows and columns; a's row and b's column in their colours.
void add_names(plot::Panel& panel, const Scene& scene, const EquivalenceMatrix& matrix) {
    const double top = to_double(std::ssize(matrix.systems));
    for (Index at = 0; at < std::ssize(matrix.systems); ++at) {
        const System& system = *matrix.systems[at];
        const bool is_a = system.id == scene.system_a, is_b = system.id == scene.system_b;
        const auto add = [&](plot::Point place, const std::string& words, Role role,
                             double anchor_x, double width) {
            panel.marks.emplace_back(plot::Label{.at = place,
                                                 .text = words,
                                                 .role = role,
                                                 .anchor_x = anchor_x,
                                                 .anchor_y = 0.5,
                                                 .width = width,
                                                 .height = 1.1,
                                                 .smallest = kSmallest});
        };
        const std::string number = fmt::format("{}", at + 1);
        const Role row_role = is_a ? Role::first : Role::dim;
        add({-0.3, row_middle(at)}, number, row_role, 1, kNumbers);
        add({-kNumbers - 0.3, row_middle(at)}, system.title, row_role, 1, kNames - kNumbers - 0.4);
        panel.marks.emplace_back(plot::Label{.at = {to_double(at) + 0.5, top + 0.55},
                                             .text = number,
                                             .role = is_b ? Role::second : Role::dim,
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5,
                                             .width = kDigit * to_double(std::ssize(number)),
                                             .whole = true,
                                             .height = 1.1,
                                             .smallest = kSmallest});
        if (is_a) {
            const double y = row_middle(at);
            const auto found = std::ranges::find(matrix.systems, scene.system_b,
                                                 [](const System* s) { return s->id; });
            const double b = to_double(
                std::min<Index>(found - matrix.systems.begin(), std::ssize(matrix.systems) - 1));
            panel.marks.emplace_back(plot::Line{
                .points =
                    {{b, y - 0.5}, {b + 1, y - 0.5}, {b + 1, y + 0.5}, {b, y + 0.5}, {b, y - 0.5}},
                .role = Role::text});
        }
    }
}

}  // namespace

std::string verdict_mark(Verdict verdict) {
    switch (verdict) {
        case Verdict::identical:
            return "=";
        case Verdict::equal_after_permutation:
            return "P";
        case Verdict::different:
            return "≠";
        case Verdict::not_a_rotation:
            break;
    }
    return "×";
}

Index system_of_row(double y) {
    const Index count = std::ssize(system_matrix().systems);
    return plot::pick_cell(to_double(count) - y, count);
}

Index system_of_column(double x) {
    return plot::pick_cell(x, std::ssize(system_matrix().systems));
}

plot::Panel matrix_panel(const Scene& scene) {
    const EquivalenceMatrix& matrix = system_matrix();
    const double count = to_double(std::ssize(matrix.systems));
    plot::Panel panel{.id = "matrix",
                      .title = "every system against every other",
                      .corners = {.bottom_left = "= same  P permuted  ≠ other  × no rotation"},
                      .x = {.min = -kNames, .max = count, .visible = false},
                      .y = {.min = 0, .max = count + 1.1, .visible = false},
                      .row = 1,
                      .row_span = 3};
    panel.marks.emplace_back(heat(matrix));
    add_cell_marks(panel, matrix);
    add_names(panel, scene, matrix);
    add_tracks(panel, scene, matrix);
    return panel;
}

}  // namespace ropescope::figures
