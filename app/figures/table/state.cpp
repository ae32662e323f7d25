// Computes the state of the table view.
#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <span>

#include "app/figures/shared/text.h"
#include "app/figures/shared/turned_rows.h"
#include "app/figures/table/table.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

constexpr Index kMostColumns = 512;
constexpr Index kMostCells = 1 << 16;

Index block_size(Index positions, Index pairs) {
    const Index most = std::clamp(kMostCells / pairs, Index{1}, kMostColumns);
    Index block = 1;
    while ((positions + block - 1) / block > most) {
        block *= 2;
    }
    return block;
}

/// Mean of e^{i j theta} over j = 0 .. block-1: turns a cell's first value into its mean. For a
/// power of two the sum is a product of halves, without a division by something small.
std::complex<double> block_mean(double inv_freq_rad, Index block) {
    std::complex<double> mean = 1.0;
    for (Index half = 1; half < block; half *= 2) {
        mean *= 0.5 * (1.0 + std::polar(1.0, reduced_angle_rad(half, inv_freq_rad)));
    }
    return mean;
}

/// A mean has no direction to speak of where the pair turns half a turn or more within the block.
bool resolved(const TableGrid& grid, double inv_freq_rad) {
    return grid.block == 1 || inv_freq_rad * to_double(grid.block) < std::numbers::pi;
}

/// The mean rotation of every block and pair, [columns, 2 * pairs].
DeviceTensor turned_means(const TableGrid& grid, const Spectrum& spectrum, TensorOps& ops) {
    constexpr double kBlank = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::complex<double>> means;
    // Rows `block` positions apart are the rows of a spectrum `block` times as fast; the factor is
    // a power of two, so the angles are the same numbers.
    Spectrum stepped = spectrum;
    for (double& inv_freq : stepped.inv_freq_rad) {
        const bool blank = grid.quantity == TableQuantity::angle && !resolved(grid, inv_freq);
        means.push_back(blank ? std::complex(kBlank, kBlank) : block_mean(inv_freq, grid.block));
        inv_freq *= to_double(grid.block);
    }
    return turned_rows(ops, means, stepped, consecutive(grid.first / grid.block, grid.columns));
}

/// What a grid shows of one pair of `turned` [columns, 2 * pairs].
void append_row(TableQuantity quantity, std::span<const float> turned, Index pair, Index pairs,
                std::vector<float>& row) {
    for (Index at = 2 * pair; at < std::ssize(turned); at += 2 * pairs) {
        row.push_back(static_cast<float>(quantity_value(quantity, turned[at], turned[at + 1])));
    }
}

}  // namespace

double quantity_value(TableQuantity quantity, double cos, double sin) {
    switch (quantity) {
        case TableQuantity::cos:
            return cos;
        case TableQuantity::sin:
            return sin;
        case TableQuantity::angle:
            break;
    }
    return std::atan2(sin, cos);
}

double exact_value(TableQuantity quantity, const Spectrum& spectrum, Index pair, Index position) {
    const double angle = reduced_angle_rad(position, spectrum.inv_freq_rad[pair]);
    return quantity_value(quantity, spectrum.attention_factor * std::cos(angle),
                          spectrum.attention_factor * std::sin(angle));
}

std::string column_name(TableQuantity quantity) {
    switch (quantity) {
        case TableQuantity::cos:
            return "cos";
        case TableQuantity::sin:
            return "sin";
        case TableQuantity::angle:
            break;
    }
    return "angle_rad";
}

plot::Text quantity_text(TableQuantity quantity, double attention_factor) {
    if (quantity == TableQuantity::angle) {
        return plot::say("position × θ, reduced to −π .. π (rad)");
    }
    const std::string name = column_name(quantity);
    return attention_factor == 1.0
               ? plot::say("{}(position × θ)", name)
               : plot::say("{} {}(position × θ)", plot::number_text(attention_factor), name);
}

TableGrid make_table_grid(const Scene& scene, const Spectrum& spectrum, TensorOps& ops, bool live) {
    const Index pairs = spectrum.pairs();
    const Index block = block_size(scene.position_count, pairs);
    const Index first_block = scene.first_position / block;
    const Index end = scene.first_position + scene.position_count;
    TableGrid grid{.quantity = scene.table_quantity,
                   .first = first_block * block,
                   .block = block,
                   .columns = (end - 1) / block + 1 - first_block,
                   .pairs = pairs,
                   .turned = {},
                   .values = {}};
    grid.turned = turned_means(grid, spectrum, ops);
    if (live) {
        ops.publish(grid.turned);
        return grid;
    }
    const HostFloats turned = ops.download(grid.turned);
    for (Index pair = 0; pair < pairs; ++pair) {
        append_row(grid.quantity, turned.values, pair, pairs, grid.values);
    }
    return grid;
}

namespace {

/// One pair's row of a grid.
std::vector<float> grid_row(const TableGrid& grid, const Spectrum& spectrum, Index pair,
                            TensorOps& ops) {
    const Spectrum one{.inv_freq_rad = {spectrum.inv_freq_rad[pair]},
                       .attention_factor = spectrum.attention_factor};
    const HostFloats turned = ops.download(turned_means(grid, one, ops));
    std::vector<float> row;
    append_row(grid.quantity, turned.values, 0, 1, row);
    return row;
}

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

// Writes the table view's table for CSV and its text report.

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
