// Reads the positions of a dump in whatever order their axes stand.
#include "core/diagnosis/dump_positions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "core/base/characters.h"
#include "core/formats/position_array.h"
#include "core/rope/rope_spec.h"

namespace ropescope::diagnosis {
namespace {

/// Whether positions [n, tokens] are those of n axes of a grid, not of n sequences: few numbers in
/// each row, and many different columns.
bool is_grid(const TensorBytes& tensor) {
    const PositionArray rows = positions_in_order(tensor, "al");
    std::set<std::vector<double>> columns;
    std::size_t most = 0;
    for (Index a = 0; a < rows.axes; ++a) {
        const auto row = std::span(rows.values).subspan(a * rows.length, rows.length);
        most = std::max(most, std::set<double>(row.begin(), row.end()).size());
    }
    for (Index l = 0; l < rows.length; ++l) {
        std::vector<double> column;
        for (Index a = 0; a < rows.axes; ++a) {
            column.push_back(rows.values[a * rows.length + l]);
        }
        columns.insert(std::move(column));
    }
    return columns.size() >= 2 * most;
}

/// The order of the axes of positions, by a, b and l, as their sizes and numbers say it.
std::string found_order(const TensorBytes& tensor, const DumpTensor& side) {
    if (tensor.shape.size() != 2) {
        return tensor.shape.size() < 2 ? "l" : "abl";
    }
    const std::int64_t first = tensor.shape[0], last = tensor.shape[1];
    if (last != side.length && first == side.length) {
        return "la";  // as diffusers keeps the ids of its tokens
    }
    return first == side.batch && !(first > 1 && last == side.length && is_grid(tensor)) ? "bl"
                                                                                         : "al";
}

std::string position_order(const DumpSource& file, const TensorBytes& tensor,
                           const DumpTensor& side) {
    const std::size_t rank = tensor.shape.size();
    std::string order = file.options.position_axes;
    if (order.empty()) {
        order = found_order(tensor, side);
    }
    std::string sorted = order;
    std::ranges::sort(sorted);
    const bool letters =
        std::ranges::includes(std::string("abl"), sorted) && order.find('l') != order.npos;
    if (!letters || order.size() != rank || rank < 1) {
        file.fail(tensor,
                  fmt::format("{} axes, and their order is taken as {}; [L], [B, L], [axes, L] or "
                              "[axes, B, L] is expected, or --position-axes",
                              rank, in_quotes(order)));
    }
    return order;
}

DumpPositions read_positions(const DumpSource& file, const TensorBytes& tensor,
                             const DumpTensor& side) {
    const std::string order = position_order(file, tensor, side);
    const PositionArray sizes = sizes_in_order(tensor.shape, order);  // before any number is read
    const bool batch_fits = sizes.batch == side.batch || sizes.batch == 1;
    const bool axes_fit = sizes.axes >= 1 && sizes.axes <= side.channels;
    if (sizes.length != side.length || !batch_fits || !axes_fit) {
        file.fail(tensor, fmt::format("shape {} for {} of {} sequences and {} tokens; one position "
                                      "for each token is expected",
                                      shape_text(tensor.shape), in_quotes(side.name), side.batch,
                                      side.length));
    }
    PositionArray given = positions_in_order(tensor, order);
    DumpPositions positions{given.axes, given.batch, given.length, std::move(given.values)};
    for (std::size_t i = 0; i < positions.values.size(); ++i) {
        if (!(std::abs(positions.values[i]) <= to_double(kMaxPosition))) {
            file.fail(tensor,
                      fmt::format("position {} of token {}; numbers from -{} to {} are "
                                  "expected",
                                  positions.values[i], static_cast<Index>(i) % positions.length,
                                  kMaxPosition, kMaxPosition));
        }
    }
    return positions;
}

/// Those of the last tokens.
DumpPositions last_of(const DumpPositions& all, Index length) {
    DumpPositions last{.axes = all.axes, .batch = all.batch, .length = length};
    for (Index row = 0; row < all.axes * all.batch; ++row) {
        const auto end = all.values.begin() + (row + 1) * all.length;
        last.values.insert(last.values.end(), end - length, end);
    }
    return last;
}

}  // namespace

std::optional<DumpPositions> positions_of(const DumpSource& file, const std::string& name,
                                          const DumpTensor& side, const DumpTensor* other) {
    const TensorBytes* tensor = file.find(name + "_positions");
    if (tensor == nullptr) {
        tensor = file.find("positions");
    }
    if (tensor == nullptr) {
        return std::nullopt;
    }
    const auto has = [&](Index length) { return std::ranges::count(tensor->shape, length) > 0; };
    const bool of_others = other != nullptr && other->length > side.length && !has(side.length) &&
                           has(other->length) && tensor->name == "positions";
    return of_others ? last_of(read_positions(file, *tensor, *other), side.length)
                     : read_positions(file, *tensor, side);
}

}  // namespace ropescope::diagnosis
