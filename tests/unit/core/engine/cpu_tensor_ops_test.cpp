// The CPU's product of rows with a weight that is kept in parts, at sizes that no part, block or
// thread divides.
#include "core/engine/cpu_tensor_ops.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/base/index.h"
#include "core/engine/tensor_ops.h"
#include "core/rope/rotation_table.h"

namespace ropescope {
namespace {

float noise(std::int64_t at) {
    return static_cast<float>(std::sin(0.7 * to_double(at) + 0.3));
}

HostFloats noise_of(std::int64_t count) {
    const auto values = std::make_shared<std::vector<float>>();
    for (std::int64_t at = 0; at < count; ++at) {
        values->push_back(noise(at));
    }
    return {values, *values};
}

struct Sizes {
    std::int64_t rows, in, out;
};

TEST(CpuTensorOps, ATableIsTheEngines) {
    const std::unique_ptr<TensorOps> ops = make_cpu_tensor_ops(2);
    const Spectrum spectrum = make_spectrum({8, 8, 10000.0, Layout::half_split});
    const std::vector<std::int64_t> positions{7, -1, 1048576};
    const DeviceRotation made = ops->table(spectrum, positions, Layout::interleaved);
    const RotationTable expected = make_rotation_table(spectrum, positions);
    const auto equal = [&](const DeviceTensor& tensor, const AlignedVector<float>& values) {
        return std::ranges::equal(ops->download(tensor).values, values);
    };
    EXPECT_TRUE(equal(made.cos, expected.cos));
    EXPECT_TRUE(equal(made.sin, expected.sin));
    EXPECT_EQ(made.cos.rows, 3);
    EXPECT_EQ(made.cos.columns, 4);
    EXPECT_EQ(made.layout, Layout::interleaved);
    ops->publish(made.cos);  // it is readable as it is
}

TEST(CpuTensorOps, ProductsHoldToTheirSumsBoundAtAnySize) {
    for (const Sizes size : {Sizes{1, 5, 1}, Sizes{17, 33, 383}, Sizes{129, 20, 385},
                             Sizes{300, 7, 1000}, Sizes{3, 64, 2000}}) {
        for (const int threads : {1, 2, 3}) {
            const auto ops = make_cpu_tensor_ops(threads);
            const HostFloats x = noise_of(size.rows * size.in);
            const HostFloats w = noise_of(size.out * size.in);
            const HostFloats bias = noise_of(size.out);
            const DeviceTensor out = ops->make(size.rows, size.out);
            ops->gemm(ops->upload(x, size.rows, size.in),
                      {ops->upload_weight(w, size.out, size.in), ops->upload(bias, 1, size.out)},
                      Activation::none, out);
            const HostFloats found = ops->download(out);
            // Sums of `in` products of |x| <= 1 and the bias: in + 1 roundings of at most `in` + 1.
            const double bound = std::pow(to_double(size.in) + 2, 2) * 0x1p-24;
            for (std::int64_t r = 0; r < size.rows; ++r) {
                for (std::int64_t c = 0; c < size.out; ++c) {
                    double sum = bias.values[c];
                    for (std::int64_t i = 0; i < size.in; ++i) {
                        sum += double{noise(r * size.in + i)} * double{noise(c * size.in + i)};
                    }
                    ASSERT_NEAR(found.values[r * size.out + c], sum, bound)
                        << r << ", " << c << " of " << size.rows << " x " << size.out;
                }
            }
        }
    }
}

TEST(CpuTensorOps, AProductOfNoRowsIsNothing) {
    const auto ops = make_cpu_tensor_ops(2);
    const DeviceTensor none = ops->make(0, 4);
    ops->gemm(ops->make(0, 3), {ops->upload_weight(noise_of(12), 4, 3), {}}, Activation::none,
              none);
    EXPECT_EQ(ops->download(none).values.size(), 0U);
}

}  // namespace
}  // namespace ropescope
