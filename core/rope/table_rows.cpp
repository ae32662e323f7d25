// Checks position ids and given tables, and finds the row of each position.
#include "core/rope/table_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "core/base/error.h"
#include "core/rope/rope_spec.h"

namespace ropescope {
namespace {

using Shape = std::vector<Index>;

std::string text(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

void validate_pair(const GivenTables& given, Index head_dim) {
    if (given.cos_shape != given.sin_shape) {
        throw InputError(fmt::format(
            "{}: shape {} differs from {} of {}; both tables need one shape", given.sin_origin,
            text(given.sin_shape), text(given.cos_shape), given.cos_origin));
    }
    validate_table_shape(given.cos_shape, given.cos_origin, head_dim);
}

/// Rows of a table [batch or 1, positions, pairs].
std::vector<Index> rows_of_ready_table(const GivenTables& given, const PositionIds& ids,
                                       SequenceShape sequence) {
    if (ids.given()) {
        throw InputError(fmt::format(
            "{}: a table of shape {} is indexed by batch and position already; leave the position "
            "ids out, or give a table [max_position, rotary_dim/2]",
            ids.origin, text(given.cos_shape)));
    }
    const Index tables = given.cos_shape[0];
    if ((tables != 1 && tables != sequence.batch) || given.cos_shape[1] != sequence.positions) {
        throw InputError(fmt::format("{}: shape {} does not fit batch {} and {} positions",
                                     given.cos_origin, text(given.cos_shape), sequence.batch,
                                     sequence.positions));
    }
    return consecutive_rows(tables * sequence.positions);
}

/// Rows of a table [max_position, pairs].
std::vector<Index> rows_by_position(const GivenTables& given, const PositionIds& ids,
                                    SequenceShape sequence) {
    const Index table_rows = given.cos_shape[0];
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

PositionIds with_offset(PositionIds ids, Index count) {
    if (ids.shape != Shape{1} || count <= 1) {
        return ids;
    }
    const Index offset = ids.values.front();
    validate_position(offset, ids.origin.c_str());
    ids.shape = {count};
    ids.values.resize(count);
    std::iota(ids.values.begin(), ids.values.end(), offset);
    return ids;
}

Index sequence_length(const PositionIds& ids, Index count, Index shift) {
    const Index last = ids.values.empty() ? count - 1 : *std::ranges::max_element(ids.values);
    return std::max<Index>(last + shift + 1, 1);
}

std::vector<Index> consecutive_rows(Index count) {
    std::vector<Index> rows(count);
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

void validate(const PositionIds& ids, SequenceShape sequence, Index lowest, Index highest) {
    const Shape one = {sequence.positions};
    const Shape one_row = {1, sequence.positions};
    const Shape each = {sequence.batch, sequence.positions};
    if (ids.shape != one && ids.shape != one_row && ids.shape != each) {
        throw InputError(fmt::format("{}: shape {}; expected {} or {}", ids.origin, text(ids.shape),
                                     text(one), text(each)));
    }
    for (Index i = 0; i < std::ssize(ids.values); ++i) {
        const Index value = ids.values[i];
        if (value < lowest || value > highest) {
            const Shape place = ids.shape.size() == 1
                                    ? Shape{i}
                                    : Shape{i / sequence.positions, i % sequence.positions};
            throw InputError(fmt::format("{}: position {} at {} lies outside {} .. {}", ids.origin,
                                         value, text(place), lowest, highest));
        }
    }
}

void validate_table_shape(const Shape& shape, const std::string& origin, Index head_dim) {
    if (shape.size() != 2 && shape.size() != 3) {
        throw InputError(fmt::format(
            "{}: shape {}; expected [max_position, rotary_dim/2] or [batch, L, rotary_dim/2]",
            origin, text(shape)));
    }
    const Index pairs = shape.back();
    if (pairs < 1 || pairs > head_dim / 2) {
        throw InputError(fmt::format("{}: {} pairs a row; expected 1 to {}, half of head_dim {}",
                                     origin, pairs, head_dim / 2, head_dim));
    }
}

TableRows rows_of_given_tables(const GivenTables& given, const PositionIds& ids,
                               SequenceShape sequence, Index head_dim) {
    validate_pair(given, head_dim);
    const Index pairs = given.cos_shape.back();
    const RotationTableView table = {given.cos.data(), given.sin.data(),
                                     std::ssize(given.cos) / pairs, pairs};
    return {table, given.cos_shape.size() == 3 ? rows_of_ready_table(given, ids, sequence)
                                               : rows_by_position(given, ids, sequence)};
}

}  // namespace ropescope
