// Reading a dense tensor of any axis order.
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/rope/tensor_view.h"

namespace ropescope::test {
namespace {

/// The element of a counting tensor [..] that the view sees at (b, h, l, c): its flat index.
int seen_at(std::vector<std::int64_t> shape, const AxisOrder& order, std::int64_t b, std::int64_t h,
            std::int64_t l, std::int64_t c) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        count *= size;
    }
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    const TensorView<float> view = view_by_axes(values.data(), shape, order, "x");
    return static_cast<int>(view.row(b, h, l)[c]);
}

TEST(Axes, StridesFollowTheOrder) {
    EXPECT_EQ(seen_at({2, 3, 5, 4}, parse_axis_order("bhld", 0), 1, 2, 3, 1),
              ((1 * 3 + 2) * 5 + 3) * 4 + 1);
    EXPECT_EQ(seen_at({2, 5, 3, 4}, parse_axis_order("blhd", 0), 1, 2, 3, 1),
              ((1 * 5 + 3) * 3 + 2) * 4 + 1);
    EXPECT_EQ(seen_at({5, 3, 4}, parse_axis_order("lhd", 0), 0, 2, 3, 1), (3 * 3 + 2) * 4 + 1);
    EXPECT_EQ(seen_at({5, 2, 4}, parse_axis_order("lbd", 0), 1, 0, 3, 1), (3 * 2 + 1) * 4 + 1);
    EXPECT_EQ(seen_at({5, 4}, parse_axis_order("ld", 0), 0, 0, 3, 1), 3 * 4 + 1);
}

TEST(Axes, HeadsSideBySide) {
    EXPECT_EQ(seen_at({2, 5, 12}, parse_axis_order("bld", 3), 1, 2, 3, 1),
              (1 * 5 + 3) * 12 + 2 * 4 + 1);
}

TEST(Axes, DefaultsByRank) {
    EXPECT_EQ(default_axis_order(2, 0, "x").axes, "ld");
    EXPECT_EQ(default_axis_order(3, 0, "x").axes, "hld");
    EXPECT_EQ(default_axis_order(4, 0, "x").axes, "bhld");
    EXPECT_EQ(default_axis_order(3, 8, "x").axes, "bld");
    EXPECT_EQ(default_axis_order(3, 8, "x").heads, 8);
    EXPECT_THROW(default_axis_order(4, 8, "x"), InputError);
}

TEST(Axes, NonsenseIsRefused) {
    for (const char* axes : {"", "d", "hd", "dl", "lld", "bhldd", "xld", "bhdl"}) {
        EXPECT_THROW(parse_axis_order(axes, 0), InputError) << axes;
    }
    EXPECT_THROW(parse_axis_order("hld", 2), InputError);
}

}  // namespace
}  // namespace ropescope::test
