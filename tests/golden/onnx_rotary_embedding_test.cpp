// The engine against the official cases of ONNX's RotaryEmbedding operator.
#include <gtest/gtest.h>

#include "core/engine/engine.h"
#include "core/rope/table_rows.h"
#include "core/rope/tensor_view.h"
#include "tests/support/onnx_cases.h"

namespace ropescope::test {
namespace {

TEST(OnnxRotaryEmbedding, AllEightCasesAreThere) {
    EXPECT_EQ(onnx_cases().size(), 8U);
}

std::vector<float> rotated(const OnnxCase& c, Direction direction) {
    std::vector<float> values = c.input;
    const std::vector<std::int64_t> shape = c.input_shape();
    const AxisOrder order = default_axis_order(shape.size(), c.merged_heads ? c.heads : 0, c.name);
    const TensorView<float> x = view_by_axes(values.data(), shape, order, c.name);
    PositionIds ids;
    if (!c.position_ids.empty()) {
        ids = {c.position_ids, {c.batch, c.positions}};
    }
    const GivenTables given = {c.cos, c.sin, c.table_shape, c.table_shape};
    const TableRows found = rows_of_given_tables(given, ids, {x.batch, x.positions}, x.head_dim);
    EXPECT_EQ(2 * found.table.pairs, c.rotary_dim);
    RotateOptions options;
    options.layout = c.layout;
    options.direction = direction;
    options.rows = found.rows;
    make_cpu_engine()->rotate_in_place(x, found.table, options);
    return values;
}

class OnnxCases : public ::testing::TestWithParam<std::size_t> {};

TEST_P(OnnxCases, EngineAgrees) {
    const OnnxCase& c = onnx_cases()[GetParam()];
    EXPECT_LE(largest_difference(rotated(c, Direction::forward), c.expected), onnx_tolerance(c));
}

/// The inverse must not agree, or the case could not tell the directions apart.
TEST_P(OnnxCases, InverseDisagrees) {
    const OnnxCase& c = onnx_cases()[GetParam()];
    EXPECT_GT(largest_difference(rotated(c, Direction::inverse), c.expected), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Opset23, OnnxCases, ::testing::Range(std::size_t{0}, std::size_t{8}),
                         [](const auto& each) { return onnx_cases()[each.param].name; });

}  // namespace
}  // namespace ropescope::test
