// Writes the table view's table for CSV and its text report.
#include <fmt/format.h>

#include "app/figures/shared/text.h"
#include "app/figures/table/table.h"

namespace ropescope::figures {

plot::DataTable table_data(const TableGrid& grid) {
    std::vector<Index> position, averaged, pairs;
    std::vector<double> values;
    const std::size_t cells = grid.values.size();
    position.reserve(cells);
    averaged.reserve(cells);
    pairs.reserve(cells);
    values.reserve(cells);
    for (Index column = 0; column < grid.columns; ++column) {
        for (Index pair = 0; pair < grid.pairs; ++pair) {
            position.push_back(grid.first + column * grid.block);
            averaged.push_back(grid.block);
            pairs.push_back(pair);
            values.push_back(grid.at(pair, column));
        }
    }
    return {{{"position", std::move(position)},
             {"positions_averaged", std::move(averaged)},
             {"pair", std::move(pairs)},
             {column_name(grid.quantity), std::move(values)}}};
}

std::string table_report(const TableState& state) {
    constexpr Index kMost = 16;
    const std::vector<Index> pairs = evenly_chosen(state.grid.pairs, kMost);
    std::vector<std::string> header = {"position"};
    for (const Index pair : pairs) {
        header.push_back(fmt::format("pair {}", pair));
    }
    std::vector<std::vector<std::string>> rows;
    for (const Index offset : evenly_chosen(state.count, kMost)) {
        const Index position = state.first + offset;
        rows.push_back({fmt::format("{}", position)});
        for (const Index pair : pairs) {
            rows.back().push_back(signed_text(state.value(pair, position), 4));
        }
    }
    return text_table(header, rows) + "positions and pairs evenly chosen\n";
}

}  // namespace ropescope::figures
