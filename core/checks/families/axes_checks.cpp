// How tensors and tables of users are read: the order of axes, and the row that a position takes.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

#include "core/checks/families/families.h"
#include "core/checks/worst_case.h"
#include "core/rope/table_rows.h"
#include "core/rope/tensor_view.h"

namespace ropescope {
namespace {

/// Places of an element by batch, head, position and channel.
struct Place {
    Index b, h, l, c;
};

/// Its place in a dense tensor, by Horner's rule over the axes from first to last. Without an axis
/// for heads, they lie side by side in the last one.
Index offset_of(const AxisOrder& order, const std::vector<Index>& shape, const Place& at,
                Index head_dim) {
    Index offset = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const char name = order.axes[axis];
        const Index channel =
            at.c + (order.axes.find('h') == std::string::npos ? at.h * head_dim : 0);
        const Index index = name == 'b' ? at.b : name == 'h' ? at.h : name == 'l' ? at.l : channel;
        offset = offset * shape[axis] + index;
    }
    return offset;
}

// Bound 0: places are integers.
Finding axes_are_read(const CheckContext& context) {
    constexpr Index kBatch = 2, kHeads = 3, kPositions = 5, kHeadDim = 4;
    WorstCase worst(context.cases);
    for (const auto& [axes, heads] :
         {std::pair{"bhld", 0}, std::pair{"blhd", 0}, std::pair{"hld", 0}, std::pair{"lhd", 0},
          std::pair{"hbld", 0}, std::pair{"bld", 3}, std::pair{"ld", 3}, std::pair{"lbd", 3}}) {
        const AxisOrder order = parse_axis_order(axes, heads);
        std::vector<Index> shape;
        for (const char axis : order.axes) {
            shape.push_back(axis == 'b'   ? kBatch
                            : axis == 'h' ? kHeads
                            : axis == 'l' ? kPositions
                                          : kHeadDim * order.heads);
        }
        std::vector<float> values(
            std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>()));
        const TensorView<float> view = view_by_axes(values.data(), shape, order, "tensor");
        const Index batch = order.axes.find('b') == std::string::npos ? 1 : kBatch;
        for (Index i = 0; i < batch * kHeads * kPositions; ++i) {
            const Place at{i / (kHeads * kPositions), i / kPositions % kHeads, i % kPositions, 1};
            const Index found = view.row(at.b, at.h, at.l) + at.c - values.data();
            const Index wrong = found - offset_of(order, shape, at, kHeadDim);
            worst.add(to_double(std::abs(wrong)), 0.0, [&, axes = axes] {
                return fmt::format("axes={} b={} h={} l={}", axes, at.b, at.h, at.l);
            });
        }
        const bool fits = view.batch == batch && view.heads == kHeads &&
                          view.positions == kPositions && view.head_dim == kHeadDim;
        worst.add(fits ? 0.0 : 1.0, 0.0,
                  [axes = axes] { return fmt::format("axes={} number=sizes", axes); });
    }
    return worst.finding("exact: places are integers",
                         "eight orders, heads apart and side by side");
}

/// A given table, the ids beside it, and the position whose row (b, l) must take.
struct RowsCase {
    const char* name;
    std::vector<Index> table_shape;  ///< without pairs
    std::vector<Index> ids_shape;
    bool by_sample;  ///< rows differ between samples
};

Finding rows_are_found(const CheckContext& context) {
    constexpr SequenceShape kSequence{2, 3};
    constexpr Index kPairs = 2;
    WorstCase worst(context.cases);
    const auto add = [&](Index found, Index expected, const std::string& name) {
        worst.add(to_double(std::abs(found - expected)), 0.0, [&] { return name; });
    };
    for (const RowsCase& given :
         {RowsCase{"by_order", {7}, {}, false}, RowsCase{"by_ids", {7}, {3}, false},
          RowsCase{"by_ids_of_sample", {7}, {2, 3}, true}, RowsCase{"ready", {1, 3}, {}, false},
          RowsCase{"ready_by_sample", {2, 3}, {}, true}}) {
        GivenTables tables;
        tables.cos_shape = given.table_shape;
        tables.cos_shape.push_back(kPairs);
        tables.sin_shape = tables.cos_shape;
        const std::vector<float> values(std::accumulate(
            tables.cos_shape.begin(), tables.cos_shape.end(), Index{1}, std::multiplies<>()));
        tables.cos = tables.sin = values;
        PositionIds ids{{5, 1, 4, 0, 6, 2}, given.ids_shape};
        ids.values.resize(given.ids_shape.empty() ? 0 : given.by_sample ? 6 : 3);
        const TableRows found = rows_of_given_tables(tables, ids, kSequence, 8);
        for (Index i = 0; i < kSequence.batch * kSequence.positions; ++i) {
            const Index b = i / kSequence.positions;
            const Index l = i % kSequence.positions;
            const Index place = given.by_sample ? i : l;
            add(table_row(found.rows, kSequence.positions, b, l),
                ids.given() ? ids.values[place] : place,
                fmt::format("table={} b={} l={}", given.name, b, l));
        }
    }
    for (const Index shift : {0, 5}) {
        add(sequence_length({}, 9, shift), 9 + shift,
            fmt::format("length=counted shift={}", shift));
        add(sequence_length({{4, 11, 2}, {3}}, 3, shift), 12 + shift,
            fmt::format("length=ids shift={}", shift));
    }
    add(sequence_length({{-7}, {1}}, 1, 0), 1, "length=before_0");
    return worst.finding(
        "exact: rows are integers",
        "tables by position and ready ones, ids for the batch and for each sample");
}

}  // namespace

std::vector<Check> axes_checks() {
    return {{.id = "table.axes",
             .title = "tensors by the order of their axes",
             .source = "core/rope/tensor_view.h; ONNX, RotaryEmbedding",
             .statement = "Every head vector is found where the order of the axes says.",
             .figure = "rotation",
             .run = axes_are_read},
            {.id = "table.rows",
             .title = "the row of each position",
             .source = "core/rope/table_rows.h; ONNX, RotaryEmbedding",
             .statement = "Each position of each sample takes the row that its id or its place "
                          "names, and the length counts from 0 to the last one.",
             .figure = "table",
             .run = rows_are_found}};
}

}  // namespace ropescope
