// Reads positions of somebody's making and holds their shape to that of the layout.
#include "app/cli/positions_given.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/position_file.h"
#include "core/base/error.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::cli {
namespace {

Tensor copy(const TensorBytes& tensor, const std::string& name) {
    return {name, tensor.dtype, tensor.shape, {tensor.bytes.begin(), tensor.bytes.end()}};
}

/// Tokens of a row if patches were not merged: what a file of another length may have.
Index unmerged_tokens(const IdPlan& plan) {
    IdPlan unmerged = plan;
    unmerged.rule.merge = 1;
    Index longest = 0;
    for (Index row = 0; row < std::ssize(plan.layout.rows); ++row) {
        longest = std::max(longest, own_tokens(unmerged, row));
    }
    return longest;
}

/// What a file of another length seems to have; empty if that is not known.
std::string length_hint(const LayoutPositions& right, const PlacedLayout& placed, Index length) {
    const Index still = std::ranges::count(right.turns, false);
    if (!placed.on_grids() && length == unmerged_tokens(placed.plan)) {
        return "; it has one id for each patch before patches are merged";
    }
    if (placed.on_grids() && still > 0 && length == right.length - still / right.batch) {
        return "; it seems to leave out the tokens that do not turn, give them any positions";
    }
    return "";
}

[[noreturn]] void refuse_shape(const Tensor& file, const LayoutPositions& right,
                               const PlacedLayout& placed, Index length) {
    const bool one_axis = right.axes.size() == 1;
    std::string text = fmt::format(
        "{}: shape {}; this layout has {} x {} tokens{}, give [{}{}, {}]", file.name,
        shape_text(file.shape), right.batch, right.length,
        one_axis ? ""
                 : fmt::format(" in {} axes ({})", right.axes.size(), fmt::join(right.axes, ", ")),
        one_axis ? "" : fmt::format("{}, ", right.axes.size()), right.batch, right.length);
    if (const std::string hint = length_hint(right, placed, length);
        length != right.length && !hint.empty()) {
        text += hint;
    } else if (!one_axis) {
        text += ", or name the order of the axes by --position-axes";
    }
    throw InputError(text);
}

PositionArray read_one_axis(const Tensor& file, const std::string& order) {
    const std::size_t rank = file.shape.size();
    if (!order.empty() || rank < 1 || rank > 2) {
        throw InputError(fmt::format(
            "{}: shape {}; this model turns in one axis, give [L] or [B, L]{}", file.name,
            shape_text(file.shape), order.empty() ? "" : " and leave --position-axes out"));
    }
    return {1, rank == 1 ? 1 : file.shape[0], file.shape.back(), to_f64(file.view())};
}

}  // namespace

GivenPositions read_given(const std::string& path) {
    if (path.ends_with(".safetensors")) {
        const SafetensorsFile file = SafetensorsFile::open(path);
        GivenPositions read{copy(file.at("position_ids"), path + ": position_ids"), std::nullopt};
        if (const TensorBytes* deltas = file.find("rope_deltas")) {
            read.deltas = copy(*deltas, path + ": rope_deltas");
        }
        return read;
    }
    GivenPositions read{read_npy(path), std::nullopt};
    read.positions.name = path;
    return read;
}

std::vector<double> given_values(const Tensor& file, const std::string& order,
                                 const LayoutPositions& right, const PlacedLayout& placed) {
    PositionArray read =
        right.axes.size() == 1 ? read_one_axis(file, order) : read_positions(file, order);
    if (read.axes != std::ssize(right.axes) || read.batch != right.batch ||
        read.length != right.length) {
        refuse_shape(file, right, placed, read.length);
    }
    return std::move(read.values);
}

/// "rows[0][2] (text), its token 3".
std::string origin_text(const TokenOrigin& origin) {
    return origin.in_segment() ? fmt::format("token {} of rows[{}][{}], {}", origin.index,
                                             origin.row, origin.segment, to_string(origin.kind))
                               : fmt::format("decode step {}", origin.index);
}

}  // namespace ropescope::cli
