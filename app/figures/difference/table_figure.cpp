// Draws where two tables part.
#include <algorithm>
#include <string>
#include <utility>

#include "app/figures/difference/difference.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// The table that differs first, else the first one.
const diff::TableDifference& drawn_table(const std::vector<diff::TableDifference>& tables) {
    const auto found =
        std::ranges::find_if(tables, [](const auto& each) { return each.different > 0; });
    return found == tables.end() ? tables.front() : *found;
}

plot::Axis table_pairs_axis(Index pairs) {
    return {.label = "pair", .min = -0.5, .max = to_double(pairs) - 0.5, .integers = true};
}

/// Neighbouring rows share a column of a long table, with the largest of their differences.
std::vector<double> in_columns(const std::vector<double>& map, Index pairs, Index rows,
                               Index together) {
    const Index columns = (rows + together - 1) / together;
    std::vector<double> narrow(static_cast<std::size_t>(pairs * columns));
    for (Index pair = 0; pair < pairs; ++pair) {
        for (Index row = 0; row < rows; ++row) {
            double& cell = narrow[pair * columns + row / together];
            cell = std::max(cell, map[pair * rows + row]);
        }
    }
    return narrow;
}

plot::Panel rows_panel(const std::vector<double>& map, Index pairs, Index rows) {
    constexpr Index kMostColumns = 1024;
    const Index together = std::max<Index>(1, (rows + kMostColumns - 1) / kMostColumns);
    plot::Panel panel{.id = "rows", .title = "difference of cos and sin"};
    panel.x = {.label = "row", .min = -0.5, .max = to_double(rows) - 0.5, .integers = true};
    panel.y = table_pairs_axis(pairs);
    add_difference_map(panel, in_columns(map, pairs, rows, together),
                       (rows + together - 1) / together, to_double(together), decades_above(map));
    return panel;
}

/// Frequencies or factors of B over those of A.
plot::Panel values_panel(const diagnosis::RopeTable& a, const diagnosis::RopeTable& b) {
    plot::Panel panel{.id = "ratio", .title = "value in B over value in A"};
    plot::Points ratios{.points = {}, .role = Role::second};
    double low = 1.0, high = 1.0;
    for (Index pair = 0; pair < std::min(a.pairs, b.pairs); ++pair) {
        if (a.values[pair] != 0.0) {
            const double ratio = b.values[pair] / a.values[pair];
            ratios.points.push_back({to_double(pair), ratio});
            low = std::min(low, ratio);
            high = std::max(high, ratio);
        }
    }
    const double margin = std::max(0.01, 0.1 * (high - low));
    panel.x = table_pairs_axis(std::min(a.pairs, b.pairs));
    panel.y = {.label = "B / A", .min = low - margin, .max = high + margin};
    panel.marks.emplace_back(plot::Rule{.vertical = false, .at = 1.0});
    panel.marks.emplace_back(std::move(ratios));
    return panel;
}

/// A row for each pair of each row of the table.
plot::DataTable table_data(const std::vector<double>& map, Index pairs, Index rows) {
    std::vector<std::int64_t> row_numbers, pair_numbers;
    for (Index pair = 0; pair < pairs; ++pair) {
        for (Index row = 0; row < rows; ++row) {
            row_numbers.push_back(row);
            pair_numbers.push_back(pair);
        }
    }
    return {{{"row", std::move(row_numbers)},
             {"pair", std::move(pair_numbers)},
             {"difference_allowances", map}}};
}

}  // namespace

plot::Figure difference_figure(const std::vector<diff::TableDifference>& tables,
                               const BothTables& both, const diff::DiffReport& report) {
    const diff::TableDifference& drawn = drawn_table(tables);
    const diagnosis::RopeTable& a = both.a[static_cast<std::size_t>(drawn.place_a)];
    const diagnosis::RopeTable& b = both.b[static_cast<std::size_t>(drawn.place_b)];
    const Index pairs = std::min(a.pairs, b.pairs);
    const std::vector<double> map = diff::map_of_tables(a, b);
    const Index rows = std::ssize(map) / std::max<Index>(pairs, 1);
    plot::Figure figure = titled_difference(
        report, plot::say("The table {}. One allowance is what rounding explains.", drawn.name));
    figure.panels.push_back(a.form == diagnosis::TableForm::cos_sin ? rows_panel(map, pairs, rows)
                                                                    : values_panel(a, b));
    figure.row_weights = {1.0};
    figure.data = table_data(map, pairs, rows);
    return figure;
}

}  // namespace ropescope::figures
