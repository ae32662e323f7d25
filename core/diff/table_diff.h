// Two files of tables side by side: cos and sin by position, or frequencies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/tables/rope_table.h"
#include "core/diff/report.h"

namespace ropescope::diff {

/// Two numbers of a pair in a row.
struct TableSpot {
    Index row = 0, pair = 0;
    std::string of = {};    ///< "cos", "sin", "frequency", "factor"
    double position = 0.0;  ///< of the row
    double a = 0.0, b = 0.0, allowed = 0.0;
    /// By how much B turns further, in radians; empty for frequencies.
    std::optional<double> angle_rad = {};
};

struct TableDifference {
    std::string name = {};
    Index place_a = 0, place_b = 0;  ///< among the tables of each file
    Sameness sameness = Sameness::equal;
    Index different = 0, pairs = 0;  ///< pairs of all rows
    std::optional<TableSpot> first = {};
    std::optional<double> within = {};  ///< the largest difference that rounding explains
    std::string remark = {};            ///< on width, order and rows; empty if they are alike
};

/// Tables of one name belong together, or those at one place if both files have as many. Throws
/// InputError if there are none, or if one holds angles and the other one frequencies.
std::vector<TableDifference> compare_tables(const std::vector<diagnosis::RopeTable>& a,
                                            const std::vector<diagnosis::RopeTable>& b);

/// [pairs, rows] of cos and sin, [pairs] of frequencies: how far both are apart, in allowances.
std::vector<double> map_of_tables(const diagnosis::RopeTable& a, const diagnosis::RopeTable& b);

/// `a` and `b` are how the files are called.
DiffReport report_of(const std::vector<TableDifference>& tables, const std::string& a,
                     const std::string& b);

}  // namespace ropescope::diff
