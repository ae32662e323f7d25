// The encoder's operations on the device against double, in every form; attention_test.cpp has
// attention.
#include <cmath>
#include <gmock/gmock.h>

#include "core/base/error.h"
#include "core/base/index.h"
#include "tests/gpu/tensor_ops_forms.h"

namespace ropescope::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Forms, GpuTensorOpsTest, kEveryForm, form_name);

class SmallDevice : public GpuTensorOpsTest {};
INSTANTIATE_TEST_SUITE_P(Forms, SmallDevice, ::testing::Values(kPlainInParts, kTiledInParts),
                         form_name);

TEST_P(GpuTensorOpsTest, ProductsHoldToTheirSumsBound) {
    struct Size {
        std::int64_t rows, depth, columns;
        Activation activation;
        bool bias;
    };
    for (const Size& size :
         {Size{1, 1, 1, Activation::none, false}, Size{3, 5, 7, Activation::relu, true},
          Size{65, 24, 129, Activation::gelu, true}, Size{130, 33, 66, Activation::none, true},
          Size{64, 64, 64, Activation::gelu_tanh, false}}) {
        const std::vector<float> x = random(size.rows * size.depth);
        const std::vector<float> w = random(size.columns * size.depth);
        const std::vector<float> b = random(size.columns);
        const DeviceTensor out = ops().make(size.rows, size.columns);
        ops().gemm(put(x, size.rows),
                   {put(w, size.columns), size.bias ? put(b, 1) : DeviceTensor{}}, size.activation,
                   out);
        const std::vector<float> y = get(out);
        for (std::int64_t r = 0; r < size.rows; ++r) {
            for (std::int64_t c = 0; c < size.columns; ++c) {
                double sum = size.bias ? b[c] : 0.0;
                double magnitude = std::abs(sum);
                for (std::int64_t k = 0; k < size.depth; ++k) {
                    const double product =
                        double{x[r * size.depth + k]} * double{w[c * size.depth + k]};
                    sum += product;
                    magnitude += std::abs(product);
                }
                // depth products and sums in any order, and the bias; gelu's slope is below 1.13,
                // and itself it is within 4e-7 (1 + |x|).
                const double own =
                    size.activation == Activation::gelu || size.activation == Activation::gelu_tanh
                        ? 4e-7 * (1 + std::abs(sum))
                        : 0.0;
                const double bound = 1.13 * (to_double(size.depth) + 2) * kUnit * magnitude + own;
                ASSERT_NEAR(y[r * size.columns + c], activation_f64(size.activation, sum), bound)
                    << size.rows << "x" << size.depth << "x" << size.columns << " at " << r << ", "
                    << c;
            }
        }
    }
}

TEST_P(GpuTensorOpsTest, LayerNormHoldsToFiveRoundings) {
    for (const auto& [rows, columns] :
         {std::pair<std::int64_t, std::int64_t>{1, 2}, {67, 24}, {3, 257}, {130, 64}}) {
        std::vector<float> x = random(rows * columns);
        for (float& value : x) {
            value += 100.0F;  // a mean that single precision would not get rid of
        }
        const std::vector<float> weight = random(columns), bias = random(columns);
        const DeviceTensor tensor = put(x, rows);
        ops().layer_norm(tensor, {put(weight, 1), put(bias, 1), 1e-12}, tensor);
        const std::vector<float> y = get(tensor);
        const auto n = static_cast<std::size_t>(columns);
        for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
            double mean = 0.0, variance = 0.0;
            for (std::size_t c = 0; c < n; ++c) {
                mean += double{x[r * n + c]} / to_double(columns);
            }
            for (std::size_t c = 0; c < n; ++c) {
                variance += std::pow(double{x[r * n + c]} - mean, 2) / to_double(columns);
            }
            for (std::size_t c = 0; c < n; ++c) {
                const double scaled =
                    (double{x[r * n + c]} - mean) / std::sqrt(variance + 1e-12) * double{weight[c]};
                const double exact = scaled + double{bias[c]};
                // The difference, the scale, two products and the sum are rounded once each.
                const double bound = 1.01 * kUnit * (4 * std::abs(scaled) + std::abs(exact));
                ASSERT_NEAR(y[r * n + c], exact, bound) << rows << "x" << columns << " row " << r;
            }
        }
    }
}

TEST_P(GpuTensorOpsTest, ARowOfEqualValuesIsItsBias) {
    const std::vector<float> x(8, 3.0F), weight(8, 2.0F), bias{0, 1, 2, 3, 4, 5, 6, 7};
    const DeviceTensor out = ops().make(1, 8);
    ops().layer_norm(put(x, 1), {put(weight, 1), put(bias, 1), 1e-50}, out);
    EXPECT_EQ(get(out), bias);
}

TEST_P(GpuTensorOpsTest, SumsAndGatheredRowsAreExact) {
    for (const std::int64_t columns : {1, 7, 24}) {
        const std::int64_t rows = 1000;
        const std::vector<float> table = random(rows * columns);
        const std::vector<std::int64_t> ids{0, rows - 1, 5, 5, 640, 63, 64};
        const auto picked = std::ssize(ids);
        const DeviceTensor first = ops().make(picked, columns);
        ops().gather(put(table, rows), ids, first);
        const std::vector<float> got = get(first);
        const std::vector<float> more = random(picked * columns);
        ops().add(first, put(more, picked), first);
        const std::vector<float> sum = get(first);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const auto n = static_cast<std::size_t>(columns);
            const auto row = static_cast<std::size_t>(ids[i / n]);
            ASSERT_EQ(got[i], table[row * n + i % n]) << columns << " columns, value " << i;
            ASSERT_EQ(sum[i], got[i] + more[i]);
        }
    }
}

TEST_P(GpuTensorOpsTest, RotationRunsThroughTheTableForEverySample) {
    // 201 rows of 1280 bytes are three parts where a range has 128 KiB.
    constexpr std::int64_t kSamples = 3, kLength = 67, kHeads = 40, kHeadDim = 8;
    const RopeSpec spec{kHeadDim, kHeadDim, 10000.0, Layout::interleaved};
    const RotationTable table = make_rotation_table(make_spectrum(spec), 0, kLength);
    std::vector<float> x = random(kSamples * kLength * kHeads * kHeadDim);
    const DeviceTensor tensor = put(x, kSamples * kLength);
    const std::vector<float> cos(table.cos.begin(), table.cos.end()),
        sin(table.sin.begin(), table.sin.end());
    ops().rotate(tensor, kHeads, {put(cos, kLength), put(sin, kLength), Layout::interleaved});
    rotate_in_place(blhd_view(x.data(), kSamples, kLength, kHeads, kHeadDim), table.view(),
                    {Layout::interleaved, Direction::forward, {}, 1});
    const std::vector<float> rotated = get(tensor);
    for (std::size_t i = 0; i < x.size(); ++i) {
        // Two products and a sum on either side, of values below 1 in size.
        ASSERT_NEAR(rotated[i], x[i], 2 * 4 * kUnit) << i;
    }
}

TEST_P(GpuTensorOpsTest, ATableStaysOnTheDevice) {
    const Spectrum spectrum = make_spectrum({14, 14, 10000.0, Layout::half_split});
    const std::vector<std::int64_t> positions{0, 1048576, -3, 70000, 257};
    const DeviceRotation made = ops().table(spectrum, positions, Layout::half_split);
    const RotationTable expected = engine().table(spectrum, positions);
    EXPECT_EQ(made.layout, Layout::half_split);
    ASSERT_EQ(made.cos.rows, 5);
    ASSERT_EQ(made.sin.columns, 7);
    EXPECT_THAT(get(made.cos), ::testing::ElementsAreArray(expected.cos));
    EXPECT_THAT(get(made.sin), ::testing::ElementsAreArray(expected.sin));
    EXPECT_EQ(ops().table(spectrum, {}, Layout::interleaved).cos.rows, 0);
}

TEST_P(SmallDevice, WhatFitsNoRangeIsRefusedInOneLine) {
    const DeviceTensor wide = ops().make(64, 4096);  // 64 rows, the least, take 1 MiB
    try {
        ops().add(wide, wide, wide);
        FAIL();
    } catch (const CapabilityError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("MiB"));
        EXPECT_THAT(error.what(), ::testing::HasSubstr("use a shorter sequence"));
    }
}

TEST_P(GpuTensorOpsTest, MemoryIsUsedAgain) {
    gpu::GlBufferPool pool;
    std::uint32_t name = 0;
    {
        const auto first = pool.take(100000);
        name = first->all().name;
        EXPECT_EQ(pool.idle(), 0U);
    }
    EXPECT_EQ(pool.idle(), 1U);
    EXPECT_EQ(pool.take(100001)->all().name, name) << "nearly the same size";
    EXPECT_NE(pool.take(300000)->all().name, name);
}

}  // namespace
}  // namespace ropescope::test
