// The table view: rows of an engine's table, thinned if there are many. Sources: state.cpp,
// figure.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/shared/shown_encoding.h"
#include "app/figures/view.h"
#include "app/figures/work.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

/// Column c stands for the positions first + c * block .. + block - 1. With block 1 a cell is the
/// engine's own value; otherwise cos and sin are the mean over the block and angle is the direction
/// of that mean, NaN for a pair that turns half a turn or more within a block (its mean has no
/// meaningful direction). Angles lie in -pi .. pi.
struct TableGrid {
    TableQuantity quantity = TableQuantity::cos;
    Index first = 0;  ///< a multiple of block
    Index block = 1;  ///< a power of two
    Index columns = 0;
    Index pairs = 0;
    DeviceTensor turned;  ///< [columns, 2 * pairs]: cos and sin side by side
    /// [pairs, columns]: values[pair * columns + column]; empty if the grid is drawn from the
    /// engine's memory
    std::vector<float> values;

    bool live() const { return values.empty(); }
    float at(Index pair, Index column) const { return values[pair * columns + column]; }
};

/// At most 512 columns and 2^16 cells, whatever the scene's position_count. `live`: the grid is
/// drawn from the engine's memory.
TableGrid make_table_grid(const Scene& scene, const Spectrum& spectrum, TensorOps& ops, bool live);

/// cos, sin or the angle of one rotation.
double quantity_value(TableQuantity quantity, double cos, double sin);
/// The same in double, for one position and pair.
double exact_value(TableQuantity quantity, const Spectrum& spectrum, Index pair, Index position);
/// The name of the CSV column: "cos", "sin", "angle_rad".
std::string column_name(TableQuantity quantity);
/// "cos(position × θ)", "1.139 cos(position × θ)": the table of cos and sin holds their products
/// with the attention factor.
plot::Text quantity_text(TableQuantity quantity, double attention_factor);

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

/// CSV: a row for each drawn cell with its first position, the number of positions averaged, pair
/// and value.
plot::DataTable table_data(const TableGrid& grid);

/// Up to 16 positions by up to 16 pairs, in double.
std::string table_report(const TableState& state);

View table_view();

}  // namespace ropescope::figures
