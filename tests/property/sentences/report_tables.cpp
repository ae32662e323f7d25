// Holds the tables of a view's text report against the figure's own table.
#include <map>
#include <sstream>

#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

using Names = std::vector<std::pair<std::string, std::string>>;  ///< in the report, in the table

/// A table of a report: which cells find the row of the figure's table, and which cells it has.
struct ReportTable {
    std::string first;  ///< the header's first cell
    Names keys, values;
    std::string words_in = "",
                word = "";  ///< rows of the figure's table in which this column is so
};

const std::map<std::string, ReportTable>& report_tables() {
    static const std::map<std::string, ReportTable> all = {
        {"spectrum",
         {"pair",
          {{"pair", "pair"}},
          {{"θ rad/position", "inv_freq_rad"}, {"λ positions", "wavelength_positions"}}}},
        {"layouts", {"channel", {{"channel", "x"}}, {{"a", "y"}}, "series", "a"}},
        {"scores",
         {"pair",
          {{"pair", "at"}},
          {{"cos part", "cos_part"}, {"J sin part", "sin_part"}, {"sum", "value"}},
          "table",
          "pair"}},
        {"decay",
         {"distance",
          {{"distance", "distance_positions"}},
          {{"upper bound", "upper_bound"},
           {"sum of cosines", "cosine_sum"},
           {"random mean", "random_mean"},
           {"5 %", "random_low_5_percent"},
           {"95 %", "random_high_5_percent"}}}},
        {"absolute",
         {"m",
          {{"m", "query_position"}, {"n", "key_position"}},
          {{"content·content", "content_content"},
           {"content·position", "content_position"},
           {"position·content", "position_content"},
           {"position·position", "position_position"},
           {"sum", "additive_sum"},
           {"RoPE", "rope"}}}},
        {"attention",
         {"query",
          {{"query", "query"}, {"key", "key"}},
          {{"score", "mean_score"}, {"probability", "largest_probability"}}}},
    };
    return all;
}

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
    const auto found = report_tables().find(figure.view);
    if (found == report_tables().end()) {
        return;
    }
    const ReportTable& table = found->second;
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
