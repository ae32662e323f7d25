// What the table view computes from a scene.
#pragma once

#include <vector>

#include "app/figures/shown_encoding.h"
#include "app/figures/table/grid.h"
#include "app/figures/work.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

struct TableState {
    RopeSpec spec;
    Spectrum spectrum;
    std::optional<AlongAxis> along;
    TableGrid grid;
    Index first = 0, count = 1;  ///< positions of the table
    Index query = 0;             ///< position
    Index selected = 0;          ///< pair
    /// The selected pair as a wave, position and value: the means of a thinned table, or else also
    /// samples between whole positions.
    std::vector<plot::Point> trace;

    Index last() const { return first + count - 1; }
    bool shows_query() const { return query >= first && query <= last(); }
    /// The shown quantity of a pair at a position, in double.
    double value(Index pair, Index position) const {
        return exact_value(grid.quantity, spectrum, pair, position);
    }
};
TableState make_table_state(const Scene& scene, Engine& engine, const Work& work);

}  // namespace ropescope::figures
