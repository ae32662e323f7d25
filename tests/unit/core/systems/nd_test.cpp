#include "core/systems/nd.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace ropescope::nd {
namespace {

Fault fault_of(const std::function<void()>& operation) {
    try {
        operation();
    } catch (const Error& error) {
        return error.fault();
    }
    ADD_FAILURE() << "no error";
    return Fault::argument;
}

TEST(Nd, RoundsToTheDtypesNearestValueTiesToEven) {
    EXPECT_EQ(round_to(NumberFormat::fp64, 0.1), 0.1);
    EXPECT_EQ(round_to(NumberFormat::fp32, 0.1), static_cast<double>(0.1F));
    // bf16 has 8 significant digits: 1 + 2^-8 lies between 1 and 1 + 2^-7, and 1 is even.
    EXPECT_EQ(round_to(NumberFormat::bf16, 1.0 + 0x1p-8), 1.0);
    EXPECT_EQ(round_to(NumberFormat::bf16, 1.0 + 3 * 0x1p-8), 1.0 + 0x1p-6);
}

TEST(Nd, Fp32ProductsAndSumsAreTheHardwaresOwn) {
    const Array a = make(NumberFormat::fp32, {3}, {0.1, 1.0 / 3.0, 1e-3});
    const Array b = make(NumberFormat::fp32, {3}, {0.7, 3.0, 1e3});
    const Array product = multiply(a, b);
    const Array sum = add(a, b);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto x = static_cast<float>(a.values[i]);
        const auto y = static_cast<float>(b.values[i]);
        EXPECT_EQ(product.values[i], static_cast<double>(x * y));
        EXPECT_EQ(sum.values[i], static_cast<double>(x + y));
    }
}

TEST(Nd, TheWiderDtypeWins) {
    const Array bf16 = make(NumberFormat::bf16, {1}, {1.0});
    EXPECT_EQ(multiply(bf16, make(NumberFormat::fp32, {1}, {0.1})).values[0],
              static_cast<double>(0.1F));
    EXPECT_EQ(multiply(bf16, make(NumberFormat::fp64, {1}, {0.1})).values[0], 0.1);
}

TEST(Nd, BroadcastsFromTheLastAxis) {
    const Array column = make(NumberFormat::fp64, {2, 1}, {1, 2});
    const Array row = make(NumberFormat::fp64, {3}, {10, 20, 30});
    const Array sum = add(column, row);
    EXPECT_EQ(sum.shape, (Shape{2, 3}));
    EXPECT_EQ(sum.values, (std::vector<double>{11, 21, 31, 12, 22, 32}));
    const Array middle = make(NumberFormat::fp64, {2, 1, 2}, {1, 2, 3, 4});
    EXPECT_EQ(multiply(middle, make(NumberFormat::fp64, {2, 1}, {1, 10})).values,
              (std::vector<double>{1, 2, 10, 20, 3, 4, 30, 40}));
}

TEST(Nd, AnEmptyAxisBroadcastsWithOne) {
    EXPECT_EQ(add(make(NumberFormat::fp64, {1}, {1}), make(NumberFormat::fp64, {0}, {})).shape,
              (Shape{0}));
}

TEST(Nd, RefusesWhatTheFrameworksRefuse) {
    const Array two = make(NumberFormat::fp64, {2}, {1, 2});
    const Array three = make(NumberFormat::fp64, {3}, {1, 2, 3});
    EXPECT_EQ(fault_of([&] { add(two, three); }), Fault::broadcast);
    EXPECT_EQ(fault_of([&] { add(two, make(NumberFormat::fp64, {0}, {})); }), Fault::broadcast);
    EXPECT_EQ(fault_of([&] { view(three, {-1, 2}); }), Fault::view);
    EXPECT_EQ(fault_of([&] { view(three, {4}); }), Fault::view);
    EXPECT_EQ(fault_of([&] { size(three, 1); }), Fault::index);
    EXPECT_EQ(fault_of([&] {
                  concatenate(make(NumberFormat::fp64, {2, 1}, {1, 2}), three);
              }),
              Fault::broadcast);
}

TEST(Nd, ErrorsNameBothShapes) {
    try {
        multiply(make(NumberFormat::fp32, {2, 5, 1}, std::vector<double>(10)),
                 make(NumberFormat::fp32, {5, 1, 1}, std::vector<double>(5)));
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "shapes [2, 5, 1] and [5, 1, 1] do not broadcast: axis 0 has 2 against 5");
    }
}

TEST(Nd, SlicesAsPythonDoes) {
    const Array a = arange(NumberFormat::fp64, 0, 6);
    EXPECT_EQ(slice(a, 0, 1, 6, 2).values, (std::vector<double>{1, 3, 5}));
    EXPECT_EQ(slice(a, -1, 4, 99).values, (std::vector<double>{4, 5}));
    EXPECT_EQ(slice(a, 0, 9, 12).shape, (Shape{0}));
    const Array grid = view(a, {2, 3});
    EXPECT_EQ(slice(grid, 1, 1, 2).values, (std::vector<double>{1, 4}));
    EXPECT_EQ(slice(grid, 0, 1, 2).values, (std::vector<double>{3, 4, 5}));
}

TEST(Nd, StacksSplitsAndReorders) {
    const Array a = make(NumberFormat::fp64, {2}, {1, 2});
    const Array b = make(NumberFormat::fp64, {2}, {3, 4});
    const Array stacked = stack(a, b);
    EXPECT_EQ(stacked.shape, (Shape{2, 2}));
    EXPECT_EQ(stacked.values, (std::vector<double>{1, 3, 2, 4}));
    EXPECT_EQ(last(stacked, 1), b);
    EXPECT_EQ(concatenate(a, b).values, (std::vector<double>{1, 2, 3, 4}));
    const Array cube = view(arange(NumberFormat::fp64, 0, 12), {2, 3, 2});
    const Array turned = transpose(cube, {2, 0, 1});
    EXPECT_EQ(turned.shape, (Shape{2, 2, 3}));
    EXPECT_EQ(turned.values, (std::vector<double>{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}));
    EXPECT_EQ(flatten(cube, 1).shape, (Shape{2, 6}));
    EXPECT_EQ(flatten(cube, -1).shape, (Shape{2, 3, 2}));
}

TEST(Nd, AssignsEverySecondChannel) {
    Array a{{1, 2, 4}, std::vector<double>(8, 0.0), NumberFormat::fp64};
    assign_every_second(a, 1, make(NumberFormat::fp64, {2, 2}, {1, 2, 3, 4}));
    EXPECT_EQ(a.values, (std::vector<double>{0, 1, 0, 2, 0, 3, 0, 4}));
    EXPECT_EQ(fault_of([&] {
                  assign_every_second(a, 0, make(NumberFormat::fp64, {2, 3}, {1, 2, 3, 4, 5, 6}));
              }),
              Fault::broadcast);
}

}  // namespace
}  // namespace ropescope::nd
