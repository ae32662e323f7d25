// Reads somebody's positions and judges them.
#include "app/cli/positions_verdict.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/formats/tensor.h"

namespace ropescope::cli {
namespace {

/// Half a unit in the last place, relative to the number. fp64 and whole numbers count as fp32,
/// in which most programs compute positions before they write them.
double roundoff_of(Dtype dtype) {
    return dtype == Dtype::f16 ? 0x1p-11 : dtype == Dtype::bf16 ? 0x1p-8 : 0x1p-24;
}

LayoutPositions positions_of(const Tensor& file, const LayoutPositions& right,
                             std::vector<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            throw InputError(fmt::format("{}: number {} is {}; positions are finite numbers",
                                         file.name, i, values[i]));
        }
    }
    return {.batch = right.batch, .length = right.length, .values = std::move(values)};
}

Index whole_id(double value, const Tensor& file, Index place) {
    constexpr double kMost = 9007199254740992.0;  // whole numbers are exact up to here, 2^53
    if (!(std::abs(value) <= kMost) || value != std::floor(value)) {
        throw InputError(fmt::format("{}: number {} is {}; position ids are whole numbers",
                                     file.name, place, value));
    }
    return round_to_index(value);
}

/// Ids [axes, batch, length]; those of one axis three times.
MultimodalIds ids_of(const GivenPositions& file, const LayoutPositions& right,
                     const std::vector<double>& values) {
    MultimodalIds given{
        right.batch, right.length, {}, {}, std::max<Index>(3, std::ssize(right.axes))};
    for (int times = right.axes.size() == 1 ? 3 : 1; times > 0; --times) {
        for (Index i = 0; i < std::ssize(values); ++i) {
            given.ids.push_back(whole_id(values[i], file.positions, i));
        }
    }
    if (file.deltas) {
        given.deltas = to_i64(file.deltas->view());
        if (std::ssize(given.deltas) != right.batch) {
            throw InputError(
                fmt::format("{}: {} numbers, and the layout has {} rows; give one for "
                            "each",
                            file.deltas->name, given.deltas.size(), right.batch));
        }
    }
    return given;
}

}  // namespace

PositionVerdict judge_given(const PlacedLayout& placed, const LayoutPositions& right,
                            const std::string& path, const std::string& order) {
    const GivenPositions file = read_given(path, order, right, placed);
    std::vector<double> values = positions_in_order(file.positions.view(), file.order).values;
    if (!placed.on_grids()) {
        return judge_positions(placed.plan, ids_of(file, right, values));
    }
    return judge_positions({std::get<GridRule>(placed.rule), placed.plan.layout},
                           positions_of(file.positions, right, std::move(values)),
                           roundoff_of(file.positions.dtype));
}

}  // namespace ropescope::cli
