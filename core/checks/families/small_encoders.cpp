// Makes the small encoders of the checks, and compares two of their runs.
#include "core/checks/families/small_encoders.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/checks/reference/device_matrix.h"
#include "core/rope/layout.h"

namespace ropescope {
namespace {

EncoderConfig small_config(Architecture architecture, PositionEncoding position, bool causal) {
    EncoderConfig config;
    config.architecture = architecture;
    config.vocab_size = 40;
    config.hidden_size = config.embedding_size = 48;
    config.intermediate_size = 80;
    config.n_layers = 2;
    config.n_heads = 3;
    config.max_positions = 16;
    config.position = position;
    config.causal = causal;
    if (architecture == Architecture::hugging_face) {
        config.embedding_size = 24;
        config.type_vocab_size = 2;
        config.activation = Activation::gelu_tanh;
        config.rope_base = 1e4;
        config.rotary_value = position == PositionEncoding::rope;
        config.tied_head = true;
    }
    return config;
}

/// Sample 1 ends in padding.
EncoderInput small_input(const EncoderConfig& config) {
    EncoderInput input;
    constexpr Index kTokens = SmallEncoder::kBatch * SmallEncoder::kPositions;
    input.shape = {SmallEncoder::kBatch, SmallEncoder::kPositions};
    std::vector<std::int64_t> keep;
    for (Index i = 0; i < kTokens; ++i) {
        input.ids.push_back((i * 17 + 5) % config.vocab_size);
        keep.push_back(i < kTokens - SmallEncoder::kPadding ? 1 : 0);
        if (config.type_vocab_size > 0) {
            input.type_ids.push_back(i / 3 % 2);
        }
    }
    const Tensor mask = make_tensor("mask", {SmallEncoder::kBatch, SmallEncoder::kPositions}, keep);
    input.mask = make_attention_mask(mask.view(), SmallEncoder::kBatch, SmallEncoder::kPositions);
    return input;
}

}  // namespace

SmallEncoder::SmallEncoder(Architecture architecture, PositionEncoding position, bool causal)
    : config(small_config(architecture, position, causal)),
      weights(random_weights(config, 7, 1)),
      input(small_input(config)) {}

const SmallEncoder& small_encoder(Architecture architecture) {
    static const SmallEncoder kNotebook(Architecture::notebook);
    static const SmallEncoder kHuggingFace(Architecture::hugging_face);
    return architecture == Architecture::notebook ? kNotebook : kHuggingFace;
}

void compare_runs(WorstCase& worst, const TraceTensor& found, const TraceTensor& expected,
                  const Estimates& reference, const std::string& where) {
    for (std::size_t i = 0; i < reference.value.size(); ++i) {
        worst.add(std::abs(static_cast<double>(found.values()[i]) -
                           static_cast<double>(expected.values()[i])),
                  2 * reference.bound(i), [&] { return fmt::format("{} index={}", where, i); });
    }
}

void compare_traces(WorstCase& worst, const Trace& found, const ReferenceTrace& expected,
                    const std::string& name) {
    for (std::size_t i = 0; i < expected.layers.size(); ++i) {
        const LayerTrace& layer = found.layers[i];
        const ReferenceLayer& reference = expected.layers[i];
        const auto where = [&](const char* what) {
            return fmt::format("{} tensor={}.{}", name, what, i);
        };
        compare(worst, layer.q_rot, heads_first(reference.q_rot), where("q_rot"));
        compare(worst, layer.k_rot, heads_first(reference.k_rot), where("k_rot"));
        compare(worst, layer.scores, reference.scores, where("scores"));
        compare(worst, layer.probs, reference.probs, where("probs"));
    }
    for (std::size_t i = 0; i < expected.hidden.size(); ++i) {
        compare(worst, found.hidden[i], expected.hidden[i],
                fmt::format("{} tensor=hidden.{}", name, i));
    }
    compare(worst, found.logits, expected.logits, name + " tensor=logits");
}

void must_change(WorstCase& worst, const TraceTensor& found, const TraceTensor& before,
                 const Estimates& reference, const std::string& where) {
    double share = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < reference.value.size(); ++i) {
        const double change = std::abs(double{found.values()[i]} - double{before.values()[i]});
        share = std::min(share, 2 * reference.bound(i) / change);
    }
    worst.add(share, 1.0, [&] { return where + " number=change"; });
}

void compare(WorstCase& worst, const TraceTensor& found, const Estimates& expected,
             const std::string& where) {
    compare(worst, found.values(), expected, where);
}

Estimates heads_first(const Estimates& x) {
    Estimates y = x;
    y.shape = {x.shape[0], x.shape[2], x.shape[1], x.shape[3]};
    std::size_t at = 0;
    for (Index b = 0; b < y.shape[0]; ++b) {
        for (Index h = 0; h < y.shape[1]; ++h) {
            for (Index l = 0; l < y.shape[2]; ++l) {
                for (Index c = 0; c < y.shape[3]; ++c) {
                    const Index from = ((b * x.shape[1] + l) * x.shape[2] + h) * x.shape[3] + c;
                    y.value[at] = x.value[from];
                    y.variance[at++] = x.variance[from];
                }
            }
        }
    }
    return y;
}

// Permutes the rows of the projections to queries and keys.

Weights in_half_split(const EncoderConfig& config, const Weights& weights) {
    std::vector<Tensor> tensors;
    for (const TensorBytes& tensor : weights.tensors()) {
        const bool of_q_or_k = tensor.name.find(".query.") != std::string::npos ||
                               tensor.name.find(".key.") != std::string::npos;
        std::vector<float> values = to_f32(tensor);
        if (of_q_or_k) {
            const Index head_dim = config.head_dim();
            const Index columns = tensor.shape.size() == 2 ? tensor.shape.back() : 1;
            values = permute_projection_rows(values, config.n_heads, head_dim, head_dim, columns,
                                             Layout::interleaved, Layout::half_split);
        }
        tensors.push_back(make_tensor(tensor.name, tensor.shape, values));
    }
    return Weights::from_tensors(std::move(tensors), "permuted weights");
}

}  // namespace ropescope
