// Writes the diagnose view's table for CSV.
#include <limits>

#include "app/figures/diagnose/panels.h"

namespace ropescope::figures {
namespace {

struct SideColumns {
    std::vector<Index> x, y;
    std::vector<double> speed;
};

SideColumns columns_of(const diagnosis::Explanation& side, Index pairs) {
    SideColumns columns;
    for (Index pair = 0; pair < pairs; ++pair) {
        const bool known =
            DiagnoseState::has_angles(side) && pair < std::ssize(side.pairing.rotated);
        columns.x.push_back(known ? side.pairing.rotated[pair].first : -1);
        columns.y.push_back(known ? side.pairing.rotated[pair].second : -1);
        columns.speed.push_back(known && pair < side.turns.pairs
                                    ? DiagnoseState::speed_rad(side, pair)
                                    : std::numeric_limits<double>::quiet_NaN());
    }
    return columns;
}

}  // namespace

plot::DataTable diagnose_data(const DiagnoseState& state) {
    const Index pairs = state.pairs();
    std::vector<Index> numbers;
    for (Index pair = 0; pair < pairs; ++pair) {
        numbers.push_back(pair);
    }
    plot::DataTable table{{{"pair", numbers}}};
    for (const diagnosis::Explanation& side : state.analysis.sides) {
        SideColumns columns = columns_of(side, pairs);
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_channel_x", std::move(columns.x)});
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_channel_y", std::move(columns.y)});
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_speed_rad", std::move(columns.speed)});
    }
    if (state.expected) {
        std::vector<double> wanted = state.expected_inv_freq_rad;
        wanted.resize(pairs, 0.0);
        table.columns.push_back({"expected_speed_rad", std::move(wanted)});
    }
    return table;
}

}  // namespace ropescope::figures
