// Each operation of an engine that the encoder is built from, against double.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/checks/families/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/estimate.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

/// A matrix of random numbers that fp32 holds exactly, in double and in an engine's memory.
struct Matrix {
    Estimates exact;
    DeviceTensor device;

    std::span<const double> values() const { return exact.value; }
};

DeviceTensor upload(TensorOps& ops, std::int64_t rows, std::int64_t columns,
                    std::span<const double> values) {
    const auto copy = std::make_shared<std::vector<float>>(values.begin(), values.end());
    return ops.upload({copy, *copy}, rows, columns);
}

Matrix random_matrix(TensorOps& ops, std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
    const Rows drawn = random_rows(static_cast<std::size_t>(rows), static_cast<int>(columns), seed);
    return {exactly({rows, columns}, drawn.values), upload(ops, rows, columns, drawn.values)};
}

/// The same for the factor of a product.
Matrix random_weight(TensorOps& ops, std::int64_t out, std::int64_t in, std::uint64_t seed) {
    const Rows drawn = random_rows(static_cast<std::size_t>(out), static_cast<int>(in), seed);
    const auto copy =
        std::make_shared<std::vector<float>>(drawn.values.begin(), drawn.values.end());
    return {exactly({out, in}, drawn.values), ops.upload_weight({copy, *copy}, out, in)};
}

/// Every number of `found` against `expected` and its bound.
void compare(WorstCase& worst, TensorOps& ops, const DeviceTensor& found, const Estimates& expected,
             const std::string& where) {
    const HostFloats floats = ops.download(found);
    if (floats.values.size() != expected.value.size()) {
        worst.add(std::numeric_limits<double>::quiet_NaN(), 0.0, [&] { return where; });
        return;
    }
    for (std::size_t i = 0; i < floats.values.size(); ++i) {
        worst.add(std::abs(static_cast<double>(floats.values[i]) - expected.value[i]),
                  expected.bound(i), [&] { return fmt::format("{}, index {}", where, i); });
    }
}

std::string bound_reason(const char* roundings) {
    return fmt::format("10 standard deviations of {} independent roundings of 2^-24", roundings);
}

Finding products(const CheckContext& context) {
    struct Size {
        std::int64_t rows, in, out;
    };
    WorstCase worst;
    for (Engine* engine : context.engines) {
        const auto ops = engine->tensor_ops();
        for (const Size size :
             {Size{1, 1, 1}, Size{3, 7, 130}, Size{65, 192, 33}, Size{130, 64, 5}}) {
            for (const Activation activation :
                 {Activation::none, Activation::gelu, Activation::gelu_tanh, Activation::relu}) {
                const Matrix x = random_matrix(*ops, size.rows, size.in, 11);
                const Matrix w = random_weight(*ops, size.out, size.in, 12);
                const Matrix b = random_matrix(*ops, 1, size.out, 13);
                const DeviceTensor out = ops->make(size.rows, size.out);
                for (const bool with_bias : {true, false}) {
                    ops->gemm(x.device, {w.device, with_bias ? b.device : DeviceTensor{}},
                              activation, out);
                    compare(
                        worst, *ops, out,
                        linear_f64(x.exact, w.values(),
                                   with_bias ? b.values() : std::span<const double>{}, activation),
                        fmt::format("{}, {} x {} x {}, activation {}", engine->name(), size.rows,
                                    size.in, size.out, to_string(activation)));
                }
            }
        }
    }
    return worst.finding(bound_reason("in + 2"), "1 to 130 rows, inputs and outputs");
}

Finding norms(const CheckContext& context) {
    WorstCase worst;
    for (Engine* engine : context.engines) {
        const auto ops = engine->tensor_ops();
        for (const std::int64_t width : {2, 17, 64, 768}) {
            for (const double eps : {1e-12, 1e-5}) {
                const Matrix x = random_matrix(*ops, 5, width, 21);
                const Matrix w = random_matrix(*ops, 1, width, 22);
                const Matrix b = random_matrix(*ops, 1, width, 23);
                const DeviceTensor out = ops->make(5, width);
                ops->layer_norm(x.device, {w.device, b.device, eps}, out);
                compare(worst, *ops, out, layer_norm_f64(x.exact, w.values(), b.values(), eps),
                        fmt::format("{}, width {}, eps {}", engine->name(), width, eps));
            }
        }
    }
    return worst.finding(bound_reason("6"), "width 2 to 768, eps 1e-12 and 1e-5");
}

/// The rows of `table` named by `ids`, and twice their sum with themselves, which fp32 holds.
Finding gather_and_add(const CheckContext& context) {
    WorstCase worst;
    const std::vector<std::int64_t> ids = {6, 0, 3, 3, 1};
    for (Engine* engine : context.engines) {
        const auto ops = engine->tensor_ops();
        const Matrix table = random_matrix(*ops, 7, 33, 31);
        Estimates twice = zero_estimates({5, 33});
        for (std::size_t i = 0; i < twice.value.size(); ++i) {
            const auto row = static_cast<std::size_t>(ids[i / 33]);
            twice.value[i] = 2.0 * table.values()[row * 33 + i % 33];
        }
        const DeviceTensor out = ops->make(5, 33);
        ops->gather(table.device, ids, out);
        ops->add(out, out, out);
        compare(worst, *ops, out, twice, engine->name());
    }
    return worst.finding("exact", "rows 6, 0, 3, 3, 1 of 7");
}

struct AttentionCase {
    AttentionShape shape;
    std::int64_t mask_queries = 0;  ///< 0: no mask
};

/// Every third key is masked, and the last query of a per-query mask sees none.
std::vector<bool> keep_of(const AttentionCase& given) {
    const AttentionShape& shape = given.shape;
    std::vector<bool> keep;
    for (std::int64_t row = 0; row < shape.batch * given.mask_queries; ++row) {
        const bool none = given.mask_queries > 1 && row % shape.positions == shape.positions - 1;
        for (std::int64_t key = 0; key < shape.positions; ++key) {
            keep.push_back(!none && (key + row) % 3 != 1);
        }
    }
    return keep;
}

void check_attention(WorstCase& worst, Engine& engine, const AttentionCase& given) {
    const auto ops = engine.tensor_ops();
    const AttentionShape& shape = given.shape;
    const std::int64_t tokens = shape.batch * shape.positions;
    const std::int64_t width = shape.heads * shape.head_dim;
    Matrix q = random_matrix(*ops, tokens, width, 41);
    Matrix k = random_matrix(*ops, tokens, width, 42);
    Matrix v = random_matrix(*ops, tokens, width, 43);
    const std::vector<bool> keep = keep_of(given);
    std::vector<double> added;
    for (const bool kept : keep) {
        added.push_back(kept ? 0.0 : static_cast<double>(std::numeric_limits<float>::lowest()));
    }
    const DeviceTensor mask =
        keep.empty() ? DeviceTensor{}
                     : upload(*ops, shape.batch * given.mask_queries, shape.positions, added);
    const std::int64_t rows = tokens * shape.heads;
    const AttentionOutputs out{ops->make(tokens, width),
                               ops->make(rows, shape.positions),
                               ops->make(rows, shape.positions),
                               {}};
    ops->attention({shape, q.device, k.device, v.device, mask,
                    1.0 / std::sqrt(static_cast<double>(shape.head_dim))},
                   out);
    for (Matrix* x : {&q, &k, &v}) {
        x->exact.shape = {shape.batch, shape.positions, shape.heads, shape.head_dim};
    }
    const AttentionEstimates expected = attention_f64(
        q.exact, k.exact, v.exact, keep, std::max<std::int64_t>(given.mask_queries, 1));
    const auto where = [&](const char* what) {
        return fmt::format("{}, {} of [{}, {}, {}, {}]", engine.name(), what, shape.batch,
                           shape.heads, shape.positions, shape.head_dim);
    };
    compare(worst, *ops, out.scores, expected.scores, where("scores"));
    compare(worst, *ops, out.probs, expected.probs, where("probabilities"));
    compare(worst, *ops, out.context, expected.context, where("context"));
}

Finding attentions(const CheckContext& context) {
    WorstCase worst;
    for (Engine* engine : context.engines) {
        for (const AttentionCase& given :
             {AttentionCase{{1, 1, 1, 2}, 0}, AttentionCase{{2, 3, 17, 8}, 1},
              AttentionCase{{2, 2, 9, 16}, 9}, AttentionCase{{1, 2, 150, 64}, 0}}) {
            check_attention(worst, *engine, given);
        }
    }
    return worst.finding(bound_reason("head_dim + 3 (scores), then L + 18 (probabilities), then L"),
                         "1 to 150 positions, head_dim 2 to 64, masks by key and by query");
}

}  // namespace

std::vector<Check> engine_checks() {
    return {
        {.id = "engine.gemm",
         .title = "x W^T + b and activation",
         .source = "torch.nn.Linear; Hendrycks and Gimpel, GELU",
         .statement = "Every engine's matrix product with bias and activation is that of float64.",
         .figure = "attention",
         .run = products},
        {.id = "engine.layer_norm",
         .title = "layer norm",
         .source = "Ba, Kiros and Hinton, arXiv:1607.06450",
         .statement = "Every engine's layer norm is that of float64, with tiny and usual eps.",
         .figure = "attention",
         .run = norms},
        {.id = "engine.gather_add",
         .title = "rows of a table, sums",
         .source = "torch.nn.Embedding",
         .statement = "Every engine gathers the right rows and adds them exactly.",
         .figure = "attention",
         .run = gather_and_add},
        {.id = "engine.attention",
         .title = "scores, softmax, context",
         .source = "Vaswani et al., arXiv:1706.03762, eq. 1",
         .statement =
             "Every engine's blocked attention gives the maps and sums of float64, masked or not.",
         .figure = "attention",
         .run = attentions},
        {.id = "engine.curves",
         .title = "sums over the pairs by distance",
         .source = "RoFormer, section 3.4.3 and eq. 16",
         .statement = "Every engine's sums of a cos, b sin and |z_j| are those of the definition.",
         .figure = "decay",
         .run = engine_curves},
    };
}

}  // namespace ropescope
