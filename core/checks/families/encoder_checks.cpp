// The whole encoders: against float64, and what must not change them.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>

#include "core/checks/families/families.h"
#include "core/checks/families/small_encoders.h"
#include "core/encoder/tensor_names.h"
#include "core/systems/source_text.h"

namespace ropescope {
namespace {

CheckFinding against_float64(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Architecture architecture : kBothArchitectures) {
        const SmallEncoder& s = small_encoder(architecture);
        const ReferenceTrace expected = reference_forward(s.config, s.weights, s.input);
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, s.config, s.weights);
            compare_traces(worst, encoder.forward(s.input, {{}, TraceRequest::everything(), {}}),
                           expected,
                           fmt::format("by={} model={}", engine->name(), to_string(architecture)));
        }
    }
    return worst.finding(kEncoderBoundReason,
                         "both architectures, 2 layers, 3 heads, a padded batch; q, k, scores, "
                         "probabilities, hidden states, logits");
}

ForwardOptions at_shift(std::int64_t shift) {
    ForwardOptions options;
    options.trace.q_and_k = options.trace.scores = true;
    options.rope.shift = shift;
    return options;
}

CheckFinding encoder_shift_invariance(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Architecture architecture : kBothArchitectures) {
        const SmallEncoder& s = small_encoder(architecture);
        EncoderConfig config = s.config;
        config.rotary_value = false;  // rotated values are sums that do turn with the shift
        const ReferenceTrace reference = reference_forward(config, s.weights, s.input);
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, config, s.weights);
            const Trace home = encoder.forward(s.input, at_shift(0));
            for (const std::int64_t shift : {1, 1000, 1000000}) {
                const Trace moved = encoder.forward(s.input, at_shift(shift));
                const std::string where = fmt::format("by={} model={} shift={}", engine->name(),
                                                      to_string(architecture), shift);
                must_change(worst, moved.layers[0].q_rot, home.layers[0].q_rot,
                            heads_first(reference.layers[0].q_rot), where + " tensor=q_rot.0");
                compare_runs(worst, moved.layers[0].scores, home.layers[0].scores,
                             reference.layers[0].scores, where + " tensor=scores.0");
                compare_runs(worst, moved.logits, home.logits, reference.logits,
                             where + " tensor=logits");
            }
        }
    }
    return worst.finding(std::string("twice ") + kEncoderBoundReason,
                         "shifts by 1, 1000 and 1000000, which turn q but change no score");
}

CheckFinding layout_permutation_of_weights(const CheckContext& context) {
    WorstCase worst(context.cases);
    const SmallEncoder& s = small_encoder(Architecture::notebook);
    const ReferenceTrace reference = reference_forward(s.config, s.weights, s.input);
    ForwardOptions half_split = at_shift(0);
    half_split.rope.layout = Layout::half_split;
    for (Engine* engine : context.engines) {
        const Trace plain = Encoder(*engine, s.config, s.weights).forward(s.input, at_shift(0));
        const Trace permuted = Encoder(*engine, s.config, in_half_split(s.config, s.weights))
                                   .forward(s.input, half_split);
        for (std::size_t i = 0; i < plain.layers.size(); ++i) {
            compare_runs(worst, permuted.layers[i].scores, plain.layers[i].scores,
                         reference.layers[i].scores,
                         fmt::format("by={} tensor=scores.{}", engine->name(), i));
        }
        compare_runs(worst, permuted.logits, plain.logits, reference.logits,
                     "by=" + engine->name() + " tensor=logits");
    }
    return worst.finding(std::string("twice ") + kEncoderBoundReason,
                         "W_q and W_k from interleaved to half_split, all layers");
}

/// Sample b of the input, its first `positions` tokens, without a mask.
EncoderInput sample(const EncoderInput& input, std::int64_t b, std::int64_t positions) {
    const auto part = [&](const std::vector<std::int64_t>& ids) {
        if (ids.empty()) {
            return ids;
        }
        const auto from = ids.begin() + b * SmallEncoder::kPositions;
        return std::vector<std::int64_t>(from, from + positions);
    };
    EncoderInput alone;
    alone.shape = {1, positions};
    alone.ids = part(input.ids);
    alone.type_ids = part(input.type_ids);
    return alone;
}

CheckFinding padding_invariance(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Architecture architecture : kBothArchitectures) {
        const SmallEncoder& s = small_encoder(architecture);
        const Estimates reference = reference_forward(s.config, s.weights, s.input).logits;
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, s.config, s.weights);
            const Trace together = encoder.forward(s.input);
            for (std::int64_t b = 0; b < SmallEncoder::kBatch; ++b) {
                const std::int64_t positions =
                    b == 0 ? SmallEncoder::kPositions
                           : SmallEncoder::kPositions - SmallEncoder::kPadding;
                const Trace alone = encoder.forward(sample(s.input, b, positions));
                const auto first =
                    static_cast<std::size_t>(b * SmallEncoder::kPositions * s.config.vocab_size);
                for (std::size_t i = 0; i < alone.logits.values().size(); ++i) {
                    worst.add(std::abs(static_cast<double>(alone.logits.values()[i]) -
                                       static_cast<double>(together.logits.values()[first + i])),
                              2 * reference.bound(first + i), [&] {
                                  return fmt::format("by={} model={} sample={} index={}",
                                                     engine->name(), to_string(architecture), b, i);
                              });
                }
            }
        }
    }
    return worst.finding(std::string("twice ") + kEncoderBoundReason,
                         "a batch of 11 and 7 tokens against each sample alone");
}

/// The notebook's torchinfo summary, its numbers by hand: LayerNorm 2 * 768, attention
/// 4 (768^2 + 768), feed-forward 2 * 768 * 3072 + 3072 + 3 * 768.
CheckFinding notebook_parameter_table(const CheckContext& /*context*/) {
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
         .run = encoder_shift_invariance},
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
         .run = notebook_parameter_table},
    };
}

}  // namespace ropescope
