// The GPU's attention, fused and with its maps, against double.
#include <cmath>
#include <gmock/gmock.h>

#include "core/base/index.h"
#include "tests/gpu/tensor_ops_forms.h"

namespace ropescope::test {
namespace {

class GpuAttention : public GpuTensorOpsTest {};
INSTANTIATE_TEST_SUITE_P(Forms, GpuAttention, kEveryForm, form_name);

struct MapCase {
    AttentionShape shape;
    std::int64_t mask_queries;  ///< 0: no mask
    bool by_head = false;       ///< whether the heads have masks of their own
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
            const double product =
                double{q[at(s, b, l, h) + channel]} * double{k[at(s, b, key, h) + channel]};
            sum += product;
            magnitude += std::abs(product);
        }
        row.scores.push_back(scale * sum);
        row.score_error =
            std::max(row.score_error, (to_double(s.head_dim) + 3) * kUnit * scale * magnitude);
        const std::int64_t of_head = c.by_head ? b * s.heads + h : b;
        const std::int64_t mask_row = c.mask_queries == 1 ? of_head : of_head * s.positions + l;
        const double added = c.mask_queries == 0 ? 0.0 : double{mask[mask_row * s.positions + key]};
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
    row.context.resize(s.head_dim, 0.0);
    row.magnitudes = row.context;
    for (std::int64_t key = 0; key < s.positions; ++key) {
        row.probs.push_back(std::exp(masked[key] - largest) / total);
        for (std::size_t d = 0; d < row.context.size(); ++d) {
            const double term = row.probs.back() * double{v[at(s, b, key, h) + d]};
            row.context[d] += term;
            row.magnitudes[d] += std::abs(term);
        }
    }
    return row;
}

TEST_P(GpuAttention, AttentionHoldsWithAndWithoutMapsAndMasks) {
    constexpr float kHidden = -std::numeric_limits<float>::max();
    // Every variant takes llvmpipe a second or more to compile: head_dim below and above 64 and
    // 128, with and without fours, all of them once.
    for (const MapCase& c :
         {MapCase{{1, 1, 1, 2}, 0}, MapCase{{2, 3, 67, 6}, 1}, MapCase{{1, 1, 130, 64}, 130},
          MapCase{{1, 1, 70, 256}, 1}, MapCase{{1, 2, 33, 128}, 0},
          MapCase{{2, 3, 67, 6}, 67, true}, MapCase{{2, 3, 67, 6}, 1, true}}) {
        const AttentionShape& s = c.shape;
        const std::int64_t tokens = s.batch * s.positions, width = s.heads * s.head_dim;
        const std::int64_t map_rows = s.batch * s.heads * s.positions;
        const std::vector<float> q = random(tokens * width), k = random(tokens * width),
                                 v = random(tokens * width);
        // Every third key hidden; the queries of a whole mask also see fewer each, the last none.
        std::vector<float> mask;
        const std::int64_t mask_rows = s.batch * (c.by_head ? s.heads : 1) * c.mask_queries;
        for (std::int64_t i = 0; i < mask_rows * s.positions; ++i) {
            const std::int64_t query = i / s.positions % std::max<std::int64_t>(c.mask_queries, 1);
            const bool hidden = i % 3 == 1 || (c.mask_queries > 1 && query == s.positions - 1);
            // Where each head has a mask of its own, a bias makes the masks of the heads differ.
            const float bias = c.by_head ? -0.01F * static_cast<float>(i % 101) : 0.0F;
            mask.push_back(hidden ? kHidden : bias);
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
                               1.0 / std::sqrt(to_double(s.head_dim))};
            if (!mask.empty()) {
                in.added = {put(mask, mask_rows), true, c.by_head, c.mask_queries > 1};
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
                const auto length = to_double(s.positions);
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

TEST_P(GpuAttention, AProbabilityMapAloneIsTheSame) {
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

}  // namespace
}  // namespace ropescope::test
