// Selects the rows of a position table and forms their angles.
#include "core/systems/position_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace ropescope::systems {

namespace {

PositionIds ids_of(const SystemInput& input, std::int64_t seq) {
    if (input.positions.given()) {
        return input.positions;
    }
    PositionIds ids{std::vector<std::int64_t>(static_cast<std::size_t>(seq)), {seq}};
    std::iota(ids.values.begin(), ids.values.end(), input.offset);
    return ids;
}

}  // namespace

PositionRows sliced_rows(const SystemInput& input, std::int64_t begin, std::int64_t end) {
    const std::int64_t rows = input.table_rows.value_or(end);
    const std::int64_t first = std::clamp<std::int64_t>(begin, 0, rows);
    const std::int64_t past = std::clamp<std::int64_t>(end, first, rows);
    PositionRows out{{past - first},
                     std::vector<std::int64_t>(static_cast<std::size_t>(past - first))};
    std::iota(out.positions.begin(), out.positions.end(), first);
    return out;
}

PositionRows indexed_rows(const SystemInput& input, std::int64_t seq) {
    PositionIds ids = ids_of(input, seq);
    const std::int64_t largest = ids.values.empty() ? -1 : *std::ranges::max_element(ids.values);
    const std::int64_t rows = input.table_rows.value_or(largest + 1);
    for (std::int64_t& id : ids.values) {
        if (id >= rows || id < -rows) {
            throw nd::Error(nd::Fault::index,
                            fmt::format("position {} of a table of {} rows", id, rows));
        }
        id += id < 0 ? rows : 0;
    }
    return {ids.shape, ids.values};
}

void refuse_position_ids(const SystemInput& input) {
    if (input.positions.given()) {
        throw nd::Error(nd::Fault::argument,
                        "the code has no parameter for position ids; only consecutive rows run");
    }
}

nd::Array inverse_frequencies(const SystemInput& input, double base, std::int64_t dim,
                              std::int64_t pairs) {
    const auto width = static_cast<double>(dim);
    nd::Array even = nd::arange(input.dtype(NumberFormat::fp32), 0, dim, 2);
    if (pairs >= 0) {
        even = nd::slice(even, 0, 0, pairs);
    }
    const nd::Array exponent = nd::map(even, [width](double channel) { return channel / width; });
    const nd::Array power = nd::map(exponent, [base](double e) { return std::pow(base, e); });
    return nd::map(power, [](double p) { return 1.0 / p; });
}

nd::Array angles_rad(const PositionRows& rows, const nd::Array& inverse_frequencies) {
    nd::Shape column = rows.shape;
    column.push_back(1);
    const nd::Array positions =
        nd::make(inverse_frequencies.dtype, column, {rows.positions.begin(), rows.positions.end()});
    return nd::multiply(positions, inverse_frequencies);
}

nd::Array cosine(const nd::Array& angles) {
    return nd::map(angles, [](double angle) { return std::cos(angle); });
}

nd::Array sine(const nd::Array& angles) {
    return nd::map(angles, [](double angle) { return std::sin(angle); });
}

}  // namespace ropescope::systems
