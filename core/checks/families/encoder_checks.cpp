// The whole encoders: against float64, and what must not change them.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>

#include "core/checks/families/families.h"
#include "core/checks/reference/reference_encoder.h"
#include "core/checks/worst_case.h"
#include "core/encoder/parameter_table.h"
#include "core/rope/layout.h"
#include "core/systems/source_text.h"

namespace ropescope {
namespace {

constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kPositions = 11;
constexpr std::int64_t kPadding = 4;  ///< last positions of sample 1
const char* const kBoundReason =
    "10 standard deviations of independent roundings of 2^-24, carried through the model";

EncoderConfig small_config(Architecture architecture) {
    EncoderConfig config;
    config.architecture = architecture;
    config.vocab_size = 40;
    config.hidden_size = config.embedding_size = 48;
    config.intermediate_size = 80;
    config.n_layers = 2;
    config.n_heads = 3;
    config.max_positions = 16;
    if (architecture == Architecture::hugging_face) {
        config.embedding_size = 24;
        config.type_vocab_size = 2;
        config.activation = Activation::gelu_tanh;
        config.rope_base = 1e4;
        config.rotary_value = true;
        config.tied_head = true;
    }
    return config;
}

/// Sample 1 ends in padding.
EncoderInput small_input(const EncoderConfig& config) {
    EncoderInput input;
    input.shape = {kBatch, kPositions};
    std::vector<std::int64_t> keep;
    for (std::int64_t i = 0; i < kBatch * kPositions; ++i) {
        input.ids.push_back((i * 17 + 5) % config.vocab_size);
        keep.push_back(i < kBatch * kPositions - kPadding ? 1 : 0);
        if (config.type_vocab_size > 0) {
            input.type_ids.push_back(i / 3 % 2);
        }
    }
    const Tensor mask = make_tensor("mask", {kBatch, kPositions}, keep);
    input.mask = make_attention_mask(mask.view(), kBatch, kPositions);
    return input;
}

/// One small encoder with everything that the checks ask of it.
struct Subject {
    explicit Subject(Architecture architecture)
        : config(small_config(architecture)),
          weights(random_weights(config, 7, 1)),
          input(small_input(config)) {}

    EncoderConfig config;
    Weights weights;
    EncoderInput input;
};

const Subject& subject(Architecture architecture) {
    static const Subject notebook(Architecture::notebook);
    static const Subject hugging_face(Architecture::hugging_face);
    return architecture == Architecture::notebook ? notebook : hugging_face;
}

constexpr std::array kBoth = {Architecture::notebook, Architecture::hugging_face};

void compare(WorstCase& worst, std::span<const float> found, const Estimates& expected,
             const std::string& where) {
    if (found.size() != expected.value.size()) {
        worst.add(std::numeric_limits<double>::quiet_NaN(), 0.0, [&] { return where; });
        return;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        worst.add(std::abs(static_cast<double>(found[i]) - expected.value[i]), expected.bound(i),
                  [&] { return fmt::format("{}, index {}", where, i); });
    }
}

/// [batch, positions, heads, head_dim] with the middle axes changed.
Estimates heads_first(const Estimates& x) {
    Estimates y = x;
    y.shape = {x.shape[0], x.shape[2], x.shape[1], x.shape[3]};
    std::size_t at = 0;
    for (std::int64_t b = 0; b < y.shape[0]; ++b) {
        for (std::int64_t h = 0; h < y.shape[1]; ++h) {
            for (std::int64_t l = 0; l < y.shape[2]; ++l) {
                for (std::int64_t c = 0; c < y.shape[3]; ++c) {
                    const auto from = static_cast<std::size_t>(
                        ((b * x.shape[1] + l) * x.shape[2] + h) * x.shape[3] + c);
                    y.value[at] = x.value[from];
                    y.variance[at++] = x.variance[from];
                }
            }
        }
    }
    return y;
}

void compare_traces(WorstCase& worst, const Trace& found, const ReferenceTrace& expected,
                    const std::string& name) {
    for (std::size_t i = 0; i < expected.layers.size(); ++i) {
        const LayerTrace& layer = found.layers[i];
        const ReferenceLayer& reference = expected.layers[i];
        const auto where = [&](const char* what) {
            return fmt::format("{}, {}.{}", name, what, i);
        };
        compare(worst, layer.q_rot.values(), heads_first(reference.q_rot), where("q_rot"));
        compare(worst, layer.k_rot.values(), heads_first(reference.k_rot), where("k_rot"));
        compare(worst, layer.scores.values(), reference.scores, where("scores"));
        compare(worst, layer.probs.values(), reference.probs, where("probs"));
    }
    for (std::size_t i = 0; i < expected.hidden.size(); ++i) {
        compare(worst, found.hidden[i].values(), expected.hidden[i],
                fmt::format("{}, hidden.{}", name, i));
    }
    compare(worst, found.logits.values(), expected.logits, name + ", logits");
}

Finding against_float64(const CheckContext& context) {
    WorstCase worst;
    for (const Architecture architecture : kBoth) {
        const Subject& s = subject(architecture);
        const ReferenceTrace expected = reference_forward(s.config, s.weights, s.input);
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, s.config, s.weights);
            compare_traces(worst, encoder.forward(s.input, {{}, TraceRequest::everything(), {}}),
                           expected,
                           fmt::format("{}, {}", engine->name(), to_string(architecture)));
        }
    }
    return worst.finding(kBoundReason,
                         "both architectures, 2 layers, 3 heads, a padded batch; q, k, scores, "
                         "probabilities, hidden states, logits");
}

/// Two fp32 runs of what is mathematically the same: each may be off by its bound.
void compare_runs(WorstCase& worst, const TraceTensor& found, const TraceTensor& expected,
                  const Estimates& reference, const std::string& where) {
    for (std::size_t i = 0; i < reference.value.size(); ++i) {
        worst.add(std::abs(static_cast<double>(found.values()[i]) -
                           static_cast<double>(expected.values()[i])),
                  2 * reference.bound(i), [&] { return fmt::format("{}, index {}", where, i); });
    }
}

ForwardOptions at_shift(std::int64_t shift) {
    ForwardOptions options;
    options.trace.scores = true;
    options.rope.shift = shift;
    return options;
}

Finding shift_invariance(const CheckContext& context) {
    WorstCase worst;
    for (const Architecture architecture : kBoth) {
        const Subject& s = subject(architecture);
        EncoderConfig config = s.config;
        config.rotary_value = false;  // rotated values are sums that do turn with the shift
        const ReferenceTrace reference = reference_forward(config, s.weights, s.input);
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, config, s.weights);
            const Trace home = encoder.forward(s.input, at_shift(0));
            for (const std::int64_t shift : {1, 1000, 1000000}) {
                const Trace moved = encoder.forward(s.input, at_shift(shift));
                const std::string where =
                    fmt::format("{}, {}, shift {}", engine->name(), to_string(architecture), shift);
                compare_runs(worst, moved.layers[0].scores, home.layers[0].scores,
                             reference.layers[0].scores, where + ", scores.0");
                compare_runs(worst, moved.logits, home.logits, reference.logits,
                             where + ", logits");
            }
        }
    }
    return worst.finding(std::string("twice ") + kBoundReason, "shifts by 1, 1000 and 1000000");
}

/// The weights with the rows of every W_q and W_k, and their biases, permuted within their heads.
Weights in_half_split(const Subject& s) {
    std::vector<Tensor> tensors;
    for (const TensorBytes& tensor : s.weights.tensors()) {
        const bool of_q_or_k = tensor.name.find(".query.") != std::string::npos ||
                               tensor.name.find(".key.") != std::string::npos;
        std::vector<float> values = to_f32(tensor);
        if (of_q_or_k) {
            const Index head_dim = s.config.head_dim();
            const Index columns = tensor.shape.size() == 2 ? tensor.shape.back() : 1;
            values = permute_projection_rows(values, s.config.n_heads, head_dim, head_dim, columns,
                                             Layout::interleaved, Layout::half_split);
        }
        tensors.push_back(make_tensor(tensor.name, tensor.shape, values));
    }
    return Weights::from_tensors(std::move(tensors), "permuted weights");
}

Finding layout_permutation_of_weights(const CheckContext& context) {
    WorstCase worst;
    const Subject& s = subject(Architecture::notebook);
    const ReferenceTrace reference = reference_forward(s.config, s.weights, s.input);
    ForwardOptions half_split = at_shift(0);
    half_split.rope.layout = Layout::half_split;
    for (Engine* engine : context.engines) {
        const Trace plain = Encoder(*engine, s.config, s.weights).forward(s.input, at_shift(0));
        const Trace permuted =
            Encoder(*engine, s.config, in_half_split(s)).forward(s.input, half_split);
        for (std::size_t i = 0; i < plain.layers.size(); ++i) {
            compare_runs(worst, permuted.layers[i].scores, plain.layers[i].scores,
                         reference.layers[i].scores,
                         fmt::format("{}, scores.{}", engine->name(), i));
        }
        compare_runs(worst, permuted.logits, plain.logits, reference.logits,
                     engine->name() + ", logits");
    }
    return worst.finding(std::string("twice ") + kBoundReason,
                         "W_q and W_k from interleaved to half_split, all layers");
}

/// Sample b of the input, its first `positions` tokens, without a mask.
EncoderInput sample(const EncoderInput& input, std::int64_t b, std::int64_t positions) {
    const auto part = [&](const std::vector<std::int64_t>& ids) {
        const auto from = ids.begin() + b * kPositions;
        return ids.empty() ? ids : std::vector<std::int64_t>(from, from + positions);
    };
    EncoderInput alone;
    alone.shape = {1, positions};
    alone.ids = part(input.ids);
    alone.type_ids = part(input.type_ids);
    return alone;
}

Finding padding_invariance(const CheckContext& context) {
    WorstCase worst;
    for (const Architecture architecture : kBoth) {
        const Subject& s = subject(architecture);
        const Estimates reference = reference_forward(s.config, s.weights, s.input).logits;
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, s.config, s.weights);
            const Trace together = encoder.forward(s.input);
            for (std::int64_t b = 0; b < kBatch; ++b) {
                const std::int64_t positions = b == 0 ? kPositions : kPositions - kPadding;
                const Trace alone = encoder.forward(sample(s.input, b, positions));
                const auto first = static_cast<std::size_t>(b * kPositions * s.config.vocab_size);
                for (std::size_t i = 0; i < alone.logits.values().size(); ++i) {
                    worst.add(std::abs(static_cast<double>(alone.logits.values()[i]) -
                                       static_cast<double>(together.logits.values()[first + i])),
                              2 * reference.bound(first + i), [&] {
                                  return fmt::format("{}, {}, sample {}, index {}", engine->name(),
                                                     to_string(architecture), b, i);
                              });
                }
            }
        }
    }
    return worst.finding(std::string("twice ") + kBoundReason,
                         "a batch of 11 and 7 tokens against each sample alone");
}

/// Every engine against the first, for what `compare_parts` compares of two traces. What the bounds
/// are relative to is the forward in double.
template <typename CompareParts>
Finding engines_agree(const CheckContext& context, CompareParts compare_parts, const char* swept) {
    if (context.engines.size() < 2) {
        return skipped("one engine only; `check --engine all` compares them");
    }
    WorstCase worst;
    for (const Architecture architecture : kBoth) {
        const Subject& s = subject(architecture);
        const ReferenceTrace reference = reference_forward(s.config, s.weights, s.input);
        const auto trace_of = [&](Engine& engine) {
            return Encoder(engine, s.config, s.weights)
                .forward(s.input, {{}, TraceRequest::everything(), {}});
        };
        const Trace expected = trace_of(*context.engines.front());
        for (Engine* engine : std::span(context.engines).subspan(1)) {
            compare_parts(worst, trace_of(*engine), expected, reference,
                          fmt::format("{} against {}, {}", engine->name(),
                                      context.engines.front()->name(), to_string(architecture)));
        }
    }
    return worst.finding(std::string("twice ") + kBoundReason, swept);
}

Finding logits_agree(const CheckContext& context) {
    const auto logits = [](WorstCase& worst, const Trace& found, const Trace& expected,
                           const ReferenceTrace& reference, const std::string& name) {
        compare_runs(worst, found.logits, expected.logits, reference.logits, name);
    };
    return engines_agree(context, logits, "both architectures, 2 layers, a padded batch");
}

Finding maps_agree(const CheckContext& context) {
    const auto maps = [](WorstCase& worst, const Trace& found, const Trace& expected,
                         const ReferenceTrace& reference, const std::string& name) {
        for (std::size_t i = 0; i < reference.layers.size(); ++i) {
            compare_runs(worst, found.layers[i].scores, expected.layers[i].scores,
                         reference.layers[i].scores, fmt::format("{}, scores.{}", name, i));
            compare_runs(worst, found.layers[i].probs, expected.layers[i].probs,
                         reference.layers[i].probs, fmt::format("{}, probs.{}", name, i));
        }
    };
    return engines_agree(context, maps, "both architectures, 2 layers, 3 heads, a padded batch");
}

/// The notebook's torchinfo summary, its numbers by hand: LayerNorm 2 * 768, attention
/// 4 (768^2 + 768), feed-forward 2 * 768 * 3072 + 3072 + 3 * 768.
Finding seed_parameter_table(const CheckContext& /*context*/) {
    using Row = std::pair<std::string, std::int64_t>;
    constexpr std::int64_t kGroup = -1;
    std::vector<Row> expected = {
        {"RoFormer", kGroup}, {"Embedding: 1-1", 24576000}, {"ModuleList: 1-2", kGroup}};
    for (int layer = 0; layer < 4; ++layer) {
        expected.emplace_back(fmt::format("EncoderLayer: 2-{}", layer + 1), kGroup);
        expected.emplace_back(fmt::format("LayerNorm: 3-{}", 4 * layer + 1), 1536);
        expected.emplace_back(fmt::format("MultiHeadAttention: 3-{}", 4 * layer + 2), 2362368);
        expected.emplace_back(fmt::format("LayerNorm: 3-{}", 4 * layer + 3), 1536);
        expected.emplace_back(fmt::format("FeedForward: 3-{}", 4 * layer + 4), 4723968);
    }
    expected.emplace_back("Linear: 1-3", 24576000);
    const ParameterTable table = parameter_table({}, 4, 1024);
    std::int64_t wrong = table.total == 77509632 ? 0 : 1;
    for (std::size_t i = 0; i < std::max(expected.size(), table.rows.size()); ++i) {
        const bool both = i < expected.size() && i < table.rows.size();
        const bool same = both && Row{table.rows[i].layer,
                                      table.rows[i].parameters.value_or(kGroup)} == expected[i];
        wrong += same ? 0 : 1;
    }
    return at_most(static_cast<double>(wrong), 0.0, "whole numbers",
                   fmt::format("{} rows, total {}", table.rows.size(), table.total));
}

}  // namespace

std::vector<Check> encoder_checks() {
    const char* const both = "RoFormer notebook; Hugging Face, modeling_roformer.py";
    return {
        {.id = "encoder.float64",
         .title = "the whole forward in float64",
         .source = both,
         .statement = "Every traced number of both encoders is that of a plain forward in double.",
         .figure = "attention",
         .run = against_float64},
        {.id = "encoder.shift_invariance",
         .title = "all positions shifted",
         .source = "RoFormer, eq. 11 and 16",
         .statement = "Shifting every position changes neither the scores nor the logits.",
         .figure = "attention",
         .run = shift_invariance},
        {.id = "encoder.layouts",
         .title = "layouts exchanged through the weights",
         .source = "Hugging Face, LLaMA conversion",
         .statement =
             "Permuting W_q and W_k and rotating in the other layout gives the same model.",
         .figure = "attention",
         .run = layout_permutation_of_weights},
        {.id = "encoder.padding",
         .title = "padding is not seen",
         .source = both,
         .statement = "A padded batch gives each sample the logits it has alone.",
         .figure = "attention",
         .run = padding_invariance},
        {.id = "encoder.parameters",
         .title = "the parameter table",
         .source = cite(kRoformerNotebook, "torchinfo summary"),
         .statement = "The rows and the total of the RoFormer notebook's configuration are those "
                      "of its summary.",
         .figure = "attention",
         .run = seed_parameter_table},
    };
}

std::vector<Check> gpu_checks() {
    const char* const both = "RoFormer notebook; Hugging Face, modeling_roformer.py";
    return {
        {.id = "gpu.logits",
         .title = "logits of the CPU and the GPU",
         .source = both,
         .statement = "Both engines give the encoder the same logits.",
         .figure = "attention",
         .run = logits_agree},
        {.id = "gpu.maps",
         .title = "attention maps of the CPU and the GPU",
         .source = both,
         .statement = "Both engines give every head the same scores and probabilities.",
         .figure = "attention",
         .run = maps_agree},
        {.id = "gpu.curves",
         .title = "score and decay curves of the CPU and the GPU",
         .source = "RoFormer, section 3.4.3 and eq. 16",
         .statement = "Both engines give the same sums over the pairs at every distance.",
         .figure = "decay",
         .run = curves_agree},
    };
}

}  // namespace ropescope
