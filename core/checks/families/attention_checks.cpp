// Attention on every engine against float64: whichever of its outputs are asked for, over one block
// of queries and keys and over several, and with masks by key and by query.
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/attention/attention.h"
#include "core/attention/mask.h"
#include "core/checks/families/families.h"
#include "core/checks/reference/device_matrix.h"
#include "core/formats/tensor.h"

namespace ropescope {
namespace {

/// Outputs that are asked for together. Where probabilities are asked for, a block holds all keys.
struct Wanted {
    const char* name;
    bool context = false, scores = false, probs = false, log_sums = false;
};

constexpr std::array kWanted = {
    Wanted{.name = "context", .context = true},
    Wanted{.name = "scores", .scores = true},
    Wanted{.name = "probs", .probs = true},
    Wanted{.name = "log_sums", .log_sums = true},
    Wanted{.name = "context+scores", .context = true, .scores = true},
    Wanted{.name = "context+log_sums", .context = true, .log_sums = true},
    Wanted{.name = "all", .context = true, .scores = true, .probs = true, .log_sums = true},
};

enum class Masked { no, by_key, by_key_of_sample, by_query };

struct AttentionCase {
    AttentionShape shape;
    Masked masked = Masked::no;
    double size = 1.0;  ///< of q and k; a power of two
};

/// A block has at most 256 queries and 1024 keys: 300 positions make two by one, 1100
/// make five by two. Scores of q and k of size 256 reach 1e4 and more, so that only the smallest
/// float hides a key.
const std::array kAttention = {
    AttentionCase{{1, 1, 1, 2}},
    AttentionCase{{2, 3, 17, 8}, Masked::by_key},
    AttentionCase{{2, 2, 37, 6}, Masked::by_key_of_sample},
    AttentionCase{{2, 2, 9, 16}, Masked::by_query},
    AttentionCase{{1, 2, 150, 64}},
    AttentionCase{{1, 2, 300, 4}, Masked::by_query},
    AttentionCase{{1, 1, 1100, 2}, Masked::by_query},
    AttentionCase{{1, 2, 67, 8}, Masked::no, 16.0},
    AttentionCase{{1, 2, 40, 8}, Masked::by_query, 256.0},
};

std::vector<Index> mask_shape(const AttentionCase& given) {
    const auto& [batch, heads, positions, head_dim] = given.shape;
    switch (given.masked) {
        case Masked::no:
            return {0};
        case Masked::by_key:
            return {positions};
        case Masked::by_key_of_sample:
            return {batch, positions};
        case Masked::by_query:
            return {batch, positions, positions};
    }
    return {};
}

/// Whether a mask by query hides a key: about a third of them, from the last query all, and from
/// some queries the first block of keys or all others.
bool is_hidden(Index query, Index key, Index keys) {
    const bool first_block =
        keys > kAttentionBlockKeys && query % 5 == 1 && key < kAttentionBlockKeys;
    const bool later_blocks = query % 5 == 2 && key >= kAttentionBlockKeys;
    return (key + query) % 3 == 1 || query == keys - 1 || first_block || later_blocks;
}

/// Ones and zeros.
std::vector<Index> mask_values(const AttentionCase& given) {
    const std::vector<Index> shape = mask_shape(given);
    const Index keys = shape.back();
    Index rows = 1;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
        rows *= shape[axis];
    }
    std::vector<Index> keep;
    for (Index row = 0; row < rows; ++row) {
        const Index query = given.masked == Masked::by_query ? row % keys : row;
        for (Index key = 0; key < keys; ++key) {
            keep.push_back(is_hidden(query, key, keys) ? 0 : 1);
        }
    }
    return keep;
}

/// What an engine is given, and what must come out.
struct AttentionSubject {
    AttentionSubject(TensorOps& ops, const AttentionCase& given)
        : shape(given.shape),
          tokens(shape.batch * shape.positions),
          width(shape.heads * shape.head_dim),
          q(random_matrix(ops, tokens, width, 41, given.size)),
          k(random_matrix(ops, tokens, width, 42, given.size)),
          v(random_matrix(ops, tokens, width, 43)) {
        const std::vector<Index> values = mask_values(given);
        std::vector<bool> keep(values.begin(), values.end());
        if (given.masked == Masked::by_key) {
            for (Index sample = 1; sample < shape.batch; ++sample) {
                keep.insert(keep.end(), values.begin(), values.end());
            }
        }
        if (!values.empty()) {
            const Tensor tensor = make_tensor("mask", mask_shape(given), values);
            const AttentionMask made =
                make_attention_mask(tensor.view(), shape.batch, shape.positions);
            const std::vector<double> added(made.added.begin(), made.added.end());
            mask = upload(ops, made.batch * made.queries, made.keys, added);
        }
        for (DeviceMatrix* x : {&q, &k, &v}) {
            x->exact.shape = {shape.batch, shape.positions, shape.heads, shape.head_dim};
        }
        expected = attention_f64(q.exact, k.exact, v.exact, keep,
                                 given.masked == Masked::by_query ? shape.positions : 1);
    }

    AttentionShape shape;
    Index tokens, width;
    DeviceMatrix q, k, v;
    DeviceTensor mask;
    AttentionEstimates expected;
};

void compare_outputs(WorstCase& worst, TensorOps& ops, const AttentionSubject& subject,
                     const Wanted& wanted, const std::string& name) {
    const AttentionShape& shape = subject.shape;
    const Index rows = subject.tokens * shape.heads;
    const auto make_if = [&](bool asked, Index height, Index columns) {
        return asked ? ops.make(height, columns) : DeviceTensor{};
    };
    const AttentionOutputs out{make_if(wanted.context, subject.tokens, subject.width),
                               make_if(wanted.scores, rows, shape.positions),
                               make_if(wanted.probs, rows, shape.positions),
                               make_if(wanted.log_sums, rows, 1)};
    ops.attention({shape, subject.q.device, subject.k.device, subject.v.device, subject.mask,
                   1.0 / std::sqrt(to_double(shape.head_dim))},
                  out);
    const auto add = [&](const DeviceTensor& found, const Estimates& expected, const char* tensor) {
        if (found) {
            compare(worst, ops, found, expected,
                    fmt::format("{} asked={} tensor={}", name, wanted.name, tensor));
        }
    };
    add(out.scores, subject.expected.scores, "scores");
    add(out.probs, subject.expected.probs, "probs");
    add(out.log_sums, subject.expected.log_sums, "log_sums");
    add(out.context, subject.expected.context, "context");
}

Finding attentions(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        const auto ops = engine->tensor_ops();
        for (const AttentionCase& given : kAttention) {
            const AttentionSubject subject(*ops, given);
            const AttentionShape& shape = given.shape;
            for (const Wanted& wanted : kWanted) {
                compare_outputs(
                    worst, *ops, subject, wanted,
                    fmt::format("by={} batch={} heads={} positions={} head_dim={}", engine->name(),
                                shape.batch, shape.heads, shape.positions, shape.head_dim));
            }
        }
    }
    return worst.finding(
        deviations_of("head_dim + 3 (scores), then L + 18 for each 1024 keys begun (probabilities, "
                      "sums), then L"),
        "1 to 1100 positions, head_dim 2 to 64, masks by key and by query, scores to 1e4, each "
        "output alone and together");
}

}  // namespace

std::vector<Check> attention_checks() {
    return {{.id = "engine.attention",
             .title = "scores, softmax, context",
             .source = "Vaswani et al., arXiv:1706.03762, eq. 1",
             .statement = "Every engine's blocked attention gives the maps and sums of float64, "
                          "masked or not, whichever are asked for.",
             .figure = "attention",
             .run = attentions}};
}

}  // namespace ropescope
