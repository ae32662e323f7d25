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

/// The rows of the table under the header that begins with `first`, by the names of their cells.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& report,
                                                        const std::string& first) {
    std::istringstream lines(report);
    std::vector<std::map<std::string, std::string>> rows;
    std::vector<std::string> header;
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> cells = cells_of(line);
        if (header.empty() && cells.size() > 2 && cells.front() == first) {
            header = cells;
            continue;
        }
        if (header.empty()) {
            continue;
        }
        if (cells.size() < 3 || !test::match("#", cells.front())) {
            break;
        }
        for (std::size_t i = 0; i < std::min(cells.size(), header.size()); ++i) {
            rows.resize(i == 0 ? rows.size() + 1 : rows.size());
            rows.back().emplace(header[i], cells[i]);
        }
    }
    return rows;
}

}  // namespace

void hold_report(const Scene& scene, const plot::Figure& figure) {
    const std::optional<ReportTable>& registered = claims_of(figure.view).report;
    if (!registered) {
        return;
    }
    const ReportTable& table = *registered;
    const auto rows = rows_of(figure.report, table.first);
    EXPECT_FALSE(rows.empty()) << figure.view << ": no table begins with " << table.first;
    for (const auto& row : rows) {
        Under under{scene, figure, "report", {}};
        for (const auto& [name, text] : row) {
            under.readouts.push_back({name, text});
        }
        std::vector<Under::Key> keys;
        for (const auto& [name, column] : table.keys) {
            keys.emplace_back(column, under.value(name));
        }
        for (const auto& [name, column] : table.values) {
            if (row.contains(name)) {
                under.is(name, under.in_table(column, keys, table.words_in, table.word));
            }
        }
    }
}

}  // namespace ropescope::figures
