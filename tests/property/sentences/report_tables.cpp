// Holds the tables of a view's text report against the figure's own table.
#include <map>
#include <sstream>

#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

/// Cells stand two spaces apart or more.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t at = line.find_first_not_of(' ');
    while (at < line.size()) {
        const std::size_t end = std::min(line.find("  ", at), line.size());
        cells.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(' ', end);
    }
    return cells;
}

using Row = std::vector<plot::Readout>;  ///< names and texts of the cells

/// Whether it is the header of the table: every cell that the table names stands there.
bool is_header(const ReportTable& table, const std::vector<std::string>& cells) {
    const auto has = [&](const auto& name) {
        return std::ranges::find(cells, name.first) != cells.end();
    };
    return cells.size() > 1 && cells.front() == table.first &&
           std::ranges::all_of(table.keys, has) && std::ranges::all_of(table.values, has);
}

/// The rows under the header.
std::vector<Row> rows_of(const std::string& report, const ReportTable& table) {
    std::istringstream lines(report);
    std::vector<Row> rows;
    std::vector<std::string> header;
    int before = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> cells = cells_of(line);
        if (header.empty()) {
            if (is_header(table, cells) && before++ == table.skipped) {
                header = cells;
            }
            continue;
        }
        if (cells.size() < 2) {
            break;
        }
        rows.emplace_back();
        for (std::size_t i = 0; i < std::min(cells.size(), header.size()); ++i) {
            rows.back().push_back({header[i], cells[i]});
        }
    }
    return rows;
}

void hold_row(const ReportTable& table, const Under& under) {
    if (table.row) {
        table.row(under);
        return;
    }
    std::vector<Under::Key> keys;
    for (const auto& [name, column] : table.keys) {
        keys.emplace_back(column, under.value(name));
    }
    for (const auto& [name, column] : table.values) {
        under.is_if_listed(name, under.in_table(column, keys, table.words_in, table.word));
    }
}

}  // namespace

std::vector<std::string> lines_of(const std::string& report) {
    std::istringstream lines(report);
    std::vector<std::string> found;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("  ") == line.npos) {  // cells stand two spaces apart
            found.push_back(line);
        }
    }
    return found;
}

void hold_report_tables(const Scene& scene, const plot::Figure& figure, Under::Listings& listings) {
    const std::vector<ReportTable>& tables = claims_of(figure.view).report;
    bool any = tables.empty();
    for (const ReportTable& table : tables) {
        const std::vector<Row> rows = rows_of(figure.report, table);
        const std::string name = table.first + (table.skipped > 0 ? " again" : "");
        Under::Listed& listed = listings[figure.view + " report, table of " + name];
        ++listed.asked;
        listed.found += rows.empty() ? 0 : 1;
        any = any || !rows.empty() || table.may_lack;
        for (const Row& row : rows) {
            hold_row(table, {scene, figure, "report", row, &listings});
        }
    }
    EXPECT_TRUE(any) << figure.view << ": the report has no table that is registered";
}

}  // namespace ropescope::figures
