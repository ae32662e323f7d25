// The encoder's operations on the device against double, in both of their forms: the one for
// hardware (tiles in shared memory) and the one for processors that imitate a GPU. llvmpipe runs
// either; what it is taken for is set here.
#include <cmath>
#include <gmock/gmock.h>
#include <random>

#include "core/base/error.h"
#include "core/gpu/gpu_tensor_ops.h"
#include "tests/gpu/gpu_context.h"

namespace ropescope::test {
namespace {

constexpr double kUnit = 0x1p-24;

struct Form {
    const char* name;
    bool software;
    std::int64_t storage_bytes;  ///< 0: what the device has
    std::int64_t busy_tiles = 512;
};

/// What a failed test is named by.
void PrintTo(const Form& form, std::ostream* out) {
    *out << form.name;
}

class GpuTensorOpsTest : public GpuTest, public ::testing::WithParamInterface<Form> {
  protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) {
            return;
        }
        device_ = std::make_unique<gpu::Device>();
        device_->limits.software = GetParam().software;
        device_->limits.busy_tiles = GetParam().busy_tiles;
        if (GetParam().storage_bytes > 0) {
            device_->limits.storage_bytes = GetParam().storage_bytes;
        }
        ops_ = gpu::make_gpu_tensor_ops(*device_);
    }
    void TearDown() override {
        ops_.reset();
        device_.reset();
        GpuTest::TearDown();
    }

    TensorOps& ops() { return *ops_; }

    /// Uniform in [-1, 1).
    std::vector<float> random(std::int64_t count) {
        std::vector<float> values(static_cast<std::size_t>(count));
        for (float& value : values) {
            value = static_cast<float>(static_cast<double>(generator_() >> 40) * 0x1p-23 - 1.0);
        }
        return values;
    }
    DeviceTensor put(const std::vector<float>& values, std::int64_t rows) {
        return ops().upload({nullptr, values}, rows,
                            static_cast<std::int64_t>(values.size()) / rows);
    }
    std::vector<float> get(const DeviceTensor& tensor) {
        const HostFloats floats = ops().download(tensor);
        return {floats.values.begin(), floats.values.end()};
    }

  private:
    std::mt19937_64 generator_{37};
    std::unique_ptr<gpu::Device> device_;
    std::unique_ptr<TensorOps> ops_;
};

/// What the device is taken for: with all its memory, and with so little that work goes in parts.
constexpr Form kPlain{"plain", true, 0};
constexpr Form kTiled{"tiled", false, 0, 1};
constexpr Form kPlainInParts{"plain_in_parts", true, 1 << 17};
constexpr Form kTiledInParts{"tiled_in_parts", false, 1 << 17};

INSTANTIATE_TEST_SUITE_P(Forms, GpuTensorOpsTest,
                         ::testing::Values(kPlain, kTiled, kPlainInParts, kTiledInParts),
                         [](const auto& each) { return each.param.name; });

class SmallDevice : public GpuTensorOpsTest {};
INSTANTIATE_TEST_SUITE_P(Forms, SmallDevice, ::testing::Values(kPlainInParts, kTiledInParts),
                         [](const auto& each) { return each.param.name; });

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
                double sum = size.bias ? b[static_cast<std::size_t>(c)] : 0.0;
                double magnitude = std::abs(sum);
                for (std::int64_t k = 0; k < size.depth; ++k) {
                    const double product =
                        static_cast<double>(x[static_cast<std::size_t>(r * size.depth + k)]) *
                        static_cast<double>(w[static_cast<std::size_t>(c * size.depth + k)]);
                    sum += product;
                    magnitude += std::abs(product);
                }
                // depth products and sums in any order, and the bias; gelu's slope is below 1.13,
                // and itself it is within 4e-7 (1 + |x|).
                const double own =
                    size.activation == Activation::gelu || size.activation == Activation::gelu_tanh
                        ? 4e-7 * (1 + std::abs(sum))
                        : 0.0;
                const double bound =
                    1.13 * (static_cast<double>(size.depth) + 2) * kUnit * magnitude + own;
                ASSERT_NEAR(y[static_cast<std::size_t>(r * size.columns + c)],
                            activation_f64(size.activation, sum), bound)
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
                mean += static_cast<double>(x[r * n + c]) / static_cast<double>(columns);
            }
            for (std::size_t c = 0; c < n; ++c) {
                variance += std::pow(static_cast<double>(x[r * n + c]) - mean, 2) /
                            static_cast<double>(columns);
            }
            for (std::size_t c = 0; c < n; ++c) {
                const double scaled = (static_cast<double>(x[r * n + c]) - mean) /
                                      std::sqrt(variance + 1e-12) * static_cast<double>(weight[c]);
                const double exact = scaled + static_cast<double>(bias[c]);
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
        const auto picked = static_cast<std::int64_t>(ids.size());
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

struct MapCase {
    AttentionShape shape;
    std::int64_t mask_queries;  ///< 0: no mask
};

/// Softmax attention of one query in double.
struct ExactRow {
    std::vector<double> scores, probs, context, magnitudes;
    double log_sum = 0.0, score_error = 0.0, masked_size = 0.0;
};

std::size_t at(const AttentionShape& s, std::int64_t b, std::int64_t l, std::int64_t h) {
    return static_cast<std::size_t>(((b * s.positions + l) * s.heads + h) * s.head_dim);
}

ExactRow exact_row(const MapCase& c, const std::vector<float>& q, const std::vector<float>& k,
                   const std::vector<float>& v, const std::vector<float>& mask, double scale,
                   std::int64_t b, std::int64_t h, std::int64_t l) {
    const AttentionShape& s = c.shape;
    ExactRow row;
    std::vector<double> masked;
    for (std::int64_t key = 0; key < s.positions; ++key) {
        double sum = 0.0, magnitude = 0.0;
        for (std::int64_t d = 0; d < s.head_dim; ++d) {
            const auto channel = static_cast<std::size_t>(d);
            const double product = static_cast<double>(q[at(s, b, l, h) + channel]) *
                                   static_cast<double>(k[at(s, b, key, h) + channel]);
            sum += product;
            magnitude += std::abs(product);
        }
        row.scores.push_back(scale * sum);
        row.score_error = std::max(
            row.score_error, (static_cast<double>(s.head_dim) + 3) * kUnit * scale * magnitude);
        const std::int64_t mask_row = c.mask_queries == 1 ? b : b * s.positions + l;
        const double added =
            c.mask_queries == 0
                ? 0.0
                : static_cast<double>(mask[static_cast<std::size_t>(mask_row * s.positions + key)]);
        // What is added is rounded to fp32, which is what makes a row of the lowest numbers even.
        masked.push_back(added < -1e30 ? added : row.scores.back() + added);
        row.masked_size = std::max(row.masked_size, added < -1e30 ? 0.0 : std::abs(masked.back()));
    }
    const double largest = *std::max_element(masked.begin(), masked.end());
    double total = 0.0;
    for (const double value : masked) {
        total += std::exp(value - largest);
    }
    row.log_sum = largest + std::log(total);
    row.context.resize(static_cast<std::size_t>(s.head_dim), 0.0);
    row.magnitudes = row.context;
    for (std::int64_t key = 0; key < s.positions; ++key) {
        row.probs.push_back(std::exp(masked[static_cast<std::size_t>(key)] - largest) / total);
        for (std::size_t d = 0; d < row.context.size(); ++d) {
            const double term = row.probs.back() * static_cast<double>(v[at(s, b, key, h) + d]);
            row.context[d] += term;
            row.magnitudes[d] += std::abs(term);
        }
    }
    return row;
}

TEST_P(GpuTensorOpsTest, AttentionHoldsWithAndWithoutMapsAndMasks) {
    constexpr float kHidden = -std::numeric_limits<float>::max();
    // Every variant takes llvmpipe a second or more to compile: head_dim below and above 64 and
    // 128, with and without fours, all of them once.
    for (const MapCase& c :
         {MapCase{{1, 1, 1, 2}, 0}, MapCase{{2, 3, 67, 6}, 1}, MapCase{{1, 1, 130, 64}, 130},
          MapCase{{1, 1, 70, 256}, 1}, MapCase{{1, 2, 33, 128}, 0}}) {
        const AttentionShape& s = c.shape;
        const std::int64_t tokens = s.batch * s.positions, width = s.heads * s.head_dim;
        const std::int64_t map_rows = s.batch * s.heads * s.positions;
        const std::vector<float> q = random(tokens * width), k = random(tokens * width),
                                 v = random(tokens * width);
        // Every third key hidden; the queries of a whole mask also see fewer each, the last none.
        std::vector<float> mask;
        for (std::int64_t i = 0; i < s.batch * c.mask_queries * s.positions; ++i) {
            const std::int64_t query = i / s.positions % std::max<std::int64_t>(c.mask_queries, 1);
            const bool hidden = i % 3 == 1 || (c.mask_queries > 1 && query == s.positions - 1);
            mask.push_back(hidden ? kHidden : 0.0F);
        }
        for (const bool maps : {false, true}) {
            if (maps != (s.head_dim % 4 == 0) && !GetParam().software) {
                continue;
            }
            AttentionInputs in{s,
                               put(q, tokens),
                               put(k, tokens),
                               put(v, tokens),
                               {},
                               1.0 / std::sqrt(static_cast<double>(s.head_dim))};
            if (!mask.empty()) {
                in.mask = put(mask, s.batch * c.mask_queries);
            }
            AttentionOutputs out;
            out.context = ops().make(tokens, width);
            out.log_sums = ops().make(map_rows, 1);
            if (maps) {
                out.scores = ops().make(map_rows, s.positions);
                out.probs = ops().make(map_rows, s.positions);
            }
            ops().attention(in, out);
            const std::vector<float> context = get(out.context), log_sums = get(out.log_sums);
            const std::vector<float> scores = maps ? get(out.scores) : std::vector<float>{};
            const std::vector<float> probs = maps ? get(out.probs) : std::vector<float>{};
            for (std::int64_t i = 0; i < map_rows; ++i) {
                const std::int64_t b = i / s.positions / s.heads, h = i / s.positions % s.heads,
                                   l = i % s.positions;
                const ExactRow exact = exact_row(c, q, k, v, mask, in.scale, b, h, l);
                // Of a weight: twice the score's error (its own and the sum's) and the mask's
                // rounding; the exponential's 2^-22, again for every time that the largest score
                // moved; the rounding of the sum and of the division.
                const auto length = static_cast<double>(s.positions);
                const double shift = exact.score_error + kUnit * exact.masked_size;
                const double relative =
                    1.01 * (2 * shift + (length / 64 + 3) * 0x1p-22 + (length + 8) * kUnit);
                const auto row = static_cast<std::size_t>(i);
                // A logarithm: 2^-21 or 3 units (GLSL 4.60, 4.7.1), and the sum with the largest.
                ASSERT_NEAR(log_sums[row], exact.log_sum,
                            shift + relative + 0x1p-21 + 8 * kUnit * std::abs(exact.log_sum))
                    << "row " << i;
                for (std::size_t d = 0; d < exact.context.size(); ++d) {
                    ASSERT_NEAR(context[at(s, b, l, h) + d], exact.context[d],
                                (relative + (length + 2) * kUnit) * exact.magnitudes[d] + 1e-37)
                        << "length " << s.positions << ", head_dim " << s.head_dim << ", row " << i
                        << ", channel " << d;
                }
                for (std::size_t key = 0; maps && key < exact.probs.size(); ++key) {
                    const std::size_t place = row * exact.probs.size() + key;
                    ASSERT_NEAR(scores[place], exact.scores[key], exact.score_error)
                        << "row " << i << ", key " << key;
                    ASSERT_NEAR(probs[place], exact.probs[key], relative * exact.probs[key] + 1e-37)
                        << "row " << i << ", key " << key;
                }
            }
        }
    }
}

TEST_P(GpuTensorOpsTest, AProbabilityMapAloneIsTheSame) {
    const AttentionShape s{1, 2, 66, 8};
    const std::vector<float> x = random(s.positions * s.heads * s.head_dim);
    const DeviceTensor q = put(x, s.positions);
    const std::int64_t rows = s.heads * s.positions;
    AttentionOutputs both, one;
    both.scores = ops().make(rows, s.positions);
    both.probs = ops().make(rows, s.positions);
    one.probs = ops().make(rows, s.positions);
    ops().attention({s, q, q, {}, {}, 0.5}, both);
    ops().attention({s, q, q, {}, {}, 0.5}, one);
    EXPECT_EQ(get(one.probs), get(both.probs));
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
