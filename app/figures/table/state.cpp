// Computes the grid of the table view and the wave of the selected pair.
#include "app/figures/table/state.h"

namespace ropescope::figures {
namespace {

/// Samples 1/4 position apart, so that a wave looks like one. The finer positions of a distant
/// table would lie beyond the engine's last one: there whole positions have to do.
std::vector<plot::Point> fine_trace(const TableState& state, TensorOps& ops) {
    const Index finer = 4 * state.last() <= kMaxPosition ? 4 : 1;
    TableGrid fine;
    fine.quantity = state.grid.quantity;
    fine.first = state.grid.first * finer;
    fine.columns = (state.grid.columns - 1) * finer + 1;
    Spectrum slower = state.spectrum;
    slower.inv_freq_rad[state.selected] /= to_double(finer);
    std::vector<plot::Point> points;
    double x = to_double(state.grid.first);
    for (const float value : grid_row(fine, slower, state.selected, ops)) {
        points.push_back({x, value});
        x += 1.0 / to_double(finer);
    }
    return points;
}

std::vector<plot::Point> trace(const TableState& state, TensorOps& ops) {
    const TableGrid& grid = state.grid;
    if (grid.block == 1) {
        return fine_trace(state, ops);
    }
    std::vector<plot::Point> points;
    double middle = to_double(grid.first) + 0.5 * to_double(grid.block - 1);
    for (const float value : grid_row(grid, state.spectrum, state.selected, ops)) {
        points.push_back({middle, value});
        middle += to_double(grid.block);
    }
    return points;
}

}  // namespace

TableState make_table_state(const Scene& scene, Engine& engine, const Work& work) {
    const ShownEncoding shown = shown_encoding(scene);
    TableState state{.spec = shown.spec,
                     .spectrum = shown.spectrum,
                     .along = shown.along,
                     .grid = {},
                     .first = scene.first_position,
                     .count = scene.position_count,
                     .query = scene.query_position,
                     .selected = shown.scene.selected_pair,
                     .trace = {}};
    const std::unique_ptr<TensorOps> ops = engine.tensor_ops();
    state.grid = make_table_grid(scene, state.spectrum, *ops, work.draws_from(engine));
    state.trace = trace(state, *ops);
    return state;
}

}  // namespace ropescope::figures
