// Checks position ids and given tables, and finds the row of each position.
#include "core/rope/table_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "core/base/error.h"

namespace ropescope {
namespace {

using Shape = std::vector<std::int64_t>;

std::string text(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

void validate_pair(const GivenTables& given, std::int64_t head_dim) {
    if (given.cos_shape != given.sin_shape) {
        throw InputError(fmt::format(
            "{}: shape {} differs from {} of {}; both tables need one shape", given.sin_origin,
            text(given.sin_shape), text(given.cos_shape), given.cos_origin));
    }
    if (given.cos_shape.size() != 2 && given.cos_shape.size() != 3) {
        throw InputError(fmt::format(
            "{}: shape {}; expected [max_position, rotary_dim/2] or [batch, L, rotary_dim/2]",
            given.cos_origin, text(given.cos_shape)));
    }
    const std::int64_t pairs = given.cos_shape.back();
    if (pairs < 1 || pairs > head_dim / 2) {
        throw InputError(fmt::format("{}: {} pairs a row; expected 1 to {}, half of head_dim {}",
                                     given.cos_origin, pairs, head_dim / 2, head_dim));
    }
}

/// Rows of a table [batch or 1, positions, pairs].
std::vector<std::int64_t> rows_of_ready_table(const GivenTables& given, const PositionIds& ids,
                                              SequenceShape sequence) {
    if (ids.given()) {
        throw InputError(fmt::format(
            "{}: a table of shape {} is indexed by batch and position already; leave the position "
            "ids out, or give a table [max_position, rotary_dim/2]",
            ids.origin, text(given.cos_shape)));
    }
    const std::int64_t tables = given.cos_shape[0];
    if ((tables != 1 && tables != sequence.batch) || given.cos_shape[1] != sequence.positions) {
        throw InputError(fmt::format("{}: shape {} does not fit batch {} and {} positions",
                                     given.cos_origin, text(given.cos_shape), sequence.batch,
                                     sequence.positions));
    }
    return consecutive_rows(tables * sequence.positions);
}

/// Rows of a table [max_position, pairs].
std::vector<std::int64_t> rows_by_position(const GivenTables& given, const PositionIds& ids,
                                           SequenceShape sequence) {
    const std::int64_t table_rows = given.cos_shape[0];
    if (ids.given()) {
        validate(ids, sequence, 0, table_rows - 1);
        return ids.values;
    }
    if (table_rows < sequence.positions) {
        throw InputError(
            fmt::format("{}: {} rows; the tensor has {} positions, so it needs as many",
                        given.cos_origin, table_rows, sequence.positions));
    }
    return consecutive_rows(sequence.positions);
}

}  // namespace

std::int64_t sequence_length(const PositionIds& ids, std::int64_t count, std::int64_t shift) {
    const std::int64_t last =
        ids.values.empty() ? count - 1 : *std::ranges::max_element(ids.values);
    return std::max<std::int64_t>(last + shift + 1, 1);
}

std::vector<std::int64_t> consecutive_rows(std::int64_t count) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    return rows;
}

void validate(const PositionIds& ids, SequenceShape sequence, std::int64_t lowest,
              std::int64_t highest) {
    const Shape one = {sequence.positions};
    const Shape one_row = {1, sequence.positions};
    const Shape each = {sequence.batch, sequence.positions};
    if (ids.shape != one && ids.shape != one_row && ids.shape != each) {
        throw InputError(fmt::format("{}: shape {}; expected {} or {}", ids.origin, text(ids.shape),
                                     text(one), text(each)));
    }
    for (std::size_t i = 0; i < ids.values.size(); ++i) {
        const std::int64_t value = ids.values[i];
        if (value < lowest || value > highest) {
            const auto index = static_cast<std::int64_t>(i);
            const Shape place = ids.shape.size() == 1
                                    ? Shape{index}
                                    : Shape{index / sequence.positions, index % sequence.positions};
            throw InputError(fmt::format("{}: position {} at {} lies outside {} .. {}", ids.origin,
                                         value, text(place), lowest, highest));
        }
    }
}

TableRows rows_of_given_tables(const GivenTables& given, const PositionIds& ids,
                               SequenceShape sequence, std::int64_t head_dim) {
    validate_pair(given, head_dim);
    const std::int64_t pairs = given.cos_shape.back();
    const RotationTableView table = {given.cos.data(), given.sin.data(),
                                     static_cast<std::int64_t>(given.cos.size()) / pairs,
                                     static_cast<int>(pairs)};
    return {table, given.cos_shape.size() == 3 ? rows_of_ready_table(given, ids, sequence)
                                               : rows_by_position(given, ids, sequence)};
}

}  // namespace ropescope
