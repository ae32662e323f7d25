// Compares the angles of rows with each other.
#include "core/diagnosis/hypotheses/row_faults.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"

namespace ropescope::diagnosis {
namespace {

/// [pairs]: the least that a pair turns from one position to the next in some row, by its own
/// angle: whole turns only add to it.
std::vector<double> least_speeds(const Explanation& side) {
    std::vector<double> least(side.turns.pairs, 0.0);
    for (std::size_t at = 0; at < side.turns.angle_rad.size(); ++at) {
        const double position = std::abs(side.stated[at / side.turns.pairs]);
        const double error = side.turns.error_rad[at] + side.noise.table_rad;
        if (error < 1.0 && position > 0.0) {
            double& speed = least[at % side.turns.pairs];
            speed = std::max(speed, (std::abs(side.turns.angle_rad[at]) - error) / position);
        }
    }
    return least;
}

}  // namespace

std::vector<bool> still_rows(const Explanation& side) {
    const std::vector<double> speeds = least_speeds(side);
    std::vector<bool> still(side.turns.rows, false);
    for (Index row = 0; row < side.turns.rows; ++row) {
        bool turns = false, would_show = false;
        for (Index t = 0; t < side.turns.length && !turns; ++t) {
            const double position = std::abs(side.stated[row * side.turns.length + t]);
            for (Index p = 0; p < side.turns.pairs && !turns; ++p) {
                const std::size_t at = side.turns.at(row, t, p);
                const double error = side.turns.error_rad[at] + side.noise.table_rad;
                const bool told = side.turns.error_rad[at] < 1.0F;
                turns = told && std::abs(side.turns.angle_rad[at]) > error;
                would_show = would_show || (told && speeds[p] * position > error);
            }
        }
        still[row] = !turns && would_show;
    }
    return still;
}

bool find_still_rows(Explanation& side, const std::vector<bool>& still) {
    const auto count = std::ranges::count(still, true);
    if (count == 0 || count == side.turns.rows) {
        return false;
    }
    std::set<Index> rows;
    for (Index row = 0; row < side.turns.rows; ++row) {
        if (still[row]) {
            rows.insert(side.heads_differ ? row % side.heads : row);
        }
    }
    side.findings.push_back(unrotated_rows(side, std::vector<Index>(rows.begin(), rows.end())));
    return true;
}

bool find_alike_rows(Explanation& side) {
    const auto [least, most] = std::ranges::minmax(side.stated);
    if (side.turns.rows != 1 || least == most) {
        return false;
    }
    const std::vector<double> speeds = least_speeds(side);
    Index told = 0;
    for (Index t = 1; t < side.turns.length; ++t) {
        const double distance = std::abs(side.stated[t] - side.stated.front());
        for (Index p = 0; p < side.turns.pairs; ++p) {
            const std::size_t first = side.turns.at(0, 0, p), at = side.turns.at(0, t, p);
            const double bound =
                side.turns.error_rad[first] + side.turns.error_rad[at] + 2.0 * side.noise.table_rad;
            if (std::abs(wrapped(side.turns.angle_rad[at] - side.turns.angle_rad[first])) > bound) {
                return false;
            }
            told += speeds[p] * distance > bound ? 1 : 0;
        }
    }
    if (told < 2) {
        return false;
    }
    side.findings.push_back(
        {faults::code("positions.per_row"), {say::kAlike, {side.side, least, most}}, {side.side}});
    return true;
}

}  // namespace ropescope::diagnosis
