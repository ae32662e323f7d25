// Checks what a caller may pass to an encoder beside its tokens: changes to its rotary embedding,
// positions, tables of a checkpoint, and which tensors of a pass to keep.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/checks/families/families.h"
#include "core/checks/families/small_encoders.h"
#include "core/checks/reference/device_matrix.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/reference/reference_encoder.h"
#include "core/checks/sweep.h"

namespace ropescope {
namespace {

// ---- options of the rotary embedding ----

struct RopeChange {
    const char* name;
    EncoderRope rope;
    PositionIds positions = {};
    EncoderRope same = {};  ///< as the reference knows it
    bool turns_q = true;    ///< q differs from that of the model as it is
};

EncoderRope with_base(double base) {
    EncoderRope rope;
    rope.base = base;
    return rope;
}
EncoderRope with_shift(Index shift) {
    EncoderRope rope;
    rope.shift = shift;
    return rope;
}
EncoderRope with_layout(Layout layout) {
    EncoderRope rope;
    rope.layout = layout;
    return rope;
}
EncoderRope switched_off() {
    EncoderRope rope;
    rope.enabled = false;
    return rope;
}

/// A spectrum of base 500 for heads of this width: the same as the base alone.
EncoderRope with_spectrum(Index head_dim) {
    EncoderRope rope = with_base(2e4);  // which the spectrum overrides
    rope.spectrum = make_spectrum({head_dim, head_dim, 500.0, Layout::interleaved});
    return rope;
}

/// Positions in no order, up to the last that a table may have, for the batch or for each sample.
PositionIds ids_for(bool each_sample) {
    PositionIds ids;
    ids.shape = {SmallEncoder::kPositions};
    if (each_sample) {
        ids.shape = {SmallEncoder::kBatch, SmallEncoder::kPositions};
    }
    for (Index i = 0; i < (each_sample ? SmallEncoder::kBatch : 1) * SmallEncoder::kPositions;
         ++i) {
        ids.values.push_back((i * 7 + 3) % 13 + (i > SmallEncoder::kPositions ? 900 : 0));
    }
    return ids;
}

std::vector<RopeChange> rope_changes(const EncoderConfig& config) {
    EncoderRope all = with_base(500.0);
    all.shift = -2;
    all.layout = Layout::half_split;
    return {{"none", {}, {}, {}, false},
            {"base", with_base(500.0), {}, with_base(500.0)},
            {"shift", with_shift(3), {}, with_shift(3)},
            {"layout", with_layout(Layout::half_split), {}, with_layout(Layout::half_split)},
            {"disabled", switched_off(), {}, switched_off()},
            {"spectrum", with_spectrum(config.head_dim()), {}, with_base(500.0)},
            {"base,shift,layout", all, {}, all},
            {"positions", {}, ids_for(false), {}},
            {"positions_of_sample,shift", with_shift(5), ids_for(true), with_shift(5)}};
}

CheckFinding options_take_effect(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Architecture architecture : kBothArchitectures) {
        const SmallEncoder& s = small_encoder(architecture);
        const TraceRequest request{.q_and_k = true, .scores = true, .logits = true};
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, s.config, s.weights);
            const Trace home = encoder.forward(s.input, {{}, request, {}});
            for (const RopeChange& change : rope_changes(s.config)) {
                EncoderInput input = s.input;
                input.positions = change.positions;
                const Trace found = encoder.forward(input, {change.rope, request, {}});
                const ReferenceTrace expected =
                    reference_forward(s.config, s.weights, input, change.same);
                const std::string name = fmt::format("by={} model={} change={}", engine->name(),
                                                     to_string(architecture), change.name);
                const Estimates q = heads_first(expected.layers[0].q_rot);
                compare(worst, found.layers[0].q_rot, q, name + " tensor=q_rot.0");
                compare(worst, found.layers[1].k_rot, heads_first(expected.layers[1].k_rot),
                        name + " tensor=k_rot.1");
                compare(worst, found.layers[1].scores, expected.layers[1].scores,
                        name + " tensor=scores.1");
                compare(worst, found.logits, expected.logits, name + " tensor=logits");
                if (change.turns_q) {
                    must_change(worst, found.layers[0].q_rot, home.layers[0].q_rot, q,
                                name + " tensor=q_rot.0");
                }
            }
        }
    }
    return worst.finding(kEncoderBoundReason,
                         "base, shift, layout, spectrum, positions and none at all, against a "
                         "forward in double that knows them");
}

// ---- what a pass keeps ----

struct Request {
    const char* name;
    TraceRequest trace;
};

std::vector<Request> requests() {
    return {{"logits", {}},
            {"hidden", {.hidden = true}},
            {"scores", {.scores = true}},
            {"probs,no_logits", {.probs = true, .logits = false}},
            {"log_sums,q,k", {.q_and_k = true, .log_sums = true}},
            {"layer_1", {.q_and_k = true, .scores = true, .log_sums = true, .layers = {1}}},
            {"everything", TraceRequest::everything()}};
}

/// What was asked for is compared; what was not must be empty.
void add_kept(WorstCase& worst, const TraceTensor& found, const Estimates& expected, bool asked,
              const std::string& name) {
    if (asked) {
        compare(worst, found, expected, name);
        return;
    }
    worst.add(found ? 1.0 : 0.0, 0.0, [&] { return name + " number=kept"; });
}

CheckFinding requests_are_met(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Architecture architecture : kBothArchitectures) {
        const SmallEncoder& s = small_encoder(architecture);
        const ReferenceTrace expected = reference_forward(s.config, s.weights, s.input);
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, s.config, s.weights);
            for (const auto& [request_name, want] : requests()) {
                const Trace found = encoder.forward(s.input, {{}, want, {}});
                const std::string name = fmt::format("by={} model={} asked={}", engine->name(),
                                                     to_string(architecture), request_name);
                add_kept(worst, found.logits, expected.logits, want.logits,
                         name + " tensor=logits");
                for (std::size_t i = 0; i < expected.hidden.size() && want.hidden; ++i) {
                    add_kept(worst, found.hidden.at(i), expected.hidden[i], true,
                             fmt::format("{} tensor=hidden.{}", name, i));
                }
                for (std::size_t i = 0; i < expected.layers.size(); ++i) {
                    const bool wanted =
                        want.layers.empty() ||
                        std::ranges::find(want.layers, static_cast<Index>(i)) != want.layers.end();
                    const LayerTrace& layer = found.layers.at(i);
                    const ReferenceLayer& reference = expected.layers[i];
                    const auto add = [&](const TraceTensor& kept, const Estimates& exact,
                                         bool asked, const char* tensor) {
                        add_kept(worst, kept, exact, wanted && asked,
                                 fmt::format("{} tensor={}.{}", name, tensor, i));
                    };
                    add(layer.q_rot, heads_first(reference.q_rot), want.q_and_k, "q_rot");
                    add(layer.k_rot, heads_first(reference.k_rot), want.q_and_k, "k_rot");
                    add(layer.scores, reference.scores, want.scores, "scores");
                    add(layer.probs, reference.probs, want.probs, "probs");
                    add(layer.log_sums, reference.log_sums, want.log_sums, "log_sums");
                }
            }
        }
    }
    return worst.finding(kEncoderBoundReason, "logits alone, maps, sums, one layer, everything");
}

// ---- tables ----

constexpr SequenceShape kSequence{SmallEncoder::kBatch, SmallEncoder::kPositions};

/// The bf16 number nearest to x, ties to even: 8 significant bits, by scaling with powers of two.
double nearest_bf16(double x) {
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(x, 8 - exponent)), exponent - 8);
}

struct TableCase {
    const char* name;
    EncoderRope rope;
    bool stored = false;  ///< the rows of the checkpoint's table are taken
};

std::vector<TableCase> table_cases(const EncoderConfig& config) {
    EncoderRope bf16;
    bf16.table_dtype = NumberFormat::bf16;
    EncoderRope bf16_base = with_base(500.0);
    bf16_base.table_dtype = NumberFormat::bf16;
    EncoderRope scaled = with_spectrum(config.head_dim());
    scaled.base.reset();
    scaled.spectrum->attention_factor = 1.25;
    return {{"stored", {}, true},
            {"stored,shift", with_shift(4), true},
            {"stored,last", with_shift(5), true},
            {"stored,bf16", bf16, true},
            {"beyond_stored", with_shift(6)},
            {"before_stored", with_shift(-1)},
            {"base", with_base(1e4)},
            {"base,bf16", bf16_base},
            {"spectrum", scaled},
            {"spectrum,base", with_spectrum(config.head_dim())}};
}

/// Entry by entry: a stored number as it is, a computed one by long double. Bound of the latter: as
/// table.attention_factor; rounding to bf16 moves that by half of its unit, 2^-9 below 1.
CheckFinding tables_are_right(const CheckContext& context) {
    WorstCase worst(context.cases);
    const EncoderConfig config = small_encoder(Architecture::hugging_face).config;
    const Index pairs = config.head_dim() / 2;
    const HeadRows drawn = random_rows(config.max_positions, config.head_dim(), 81);
    const std::vector<float> stored(drawn.values.begin(), drawn.values.end());
    for (const TableCase& given : table_cases(config)) {
        const EncoderRotation made = encoder_rotation(config, given.rope, {}, kSequence, &stored);
        const bool bf16 = given.rope.table_dtype == NumberFormat::bf16;
        const double base =
            given.rope.spectrum ? 500.0 : given.rope.base.value_or(config.rope_base);
        const double gain = given.rope.spectrum ? given.rope.spectrum->attention_factor : 1.0;
        for (Index l = 0; l < SmallEncoder::kPositions; ++l) {
            const Index m = l + given.rope.shift;
            for (Index pair = 0; pair < pairs; ++pair) {
                const long double angle =
                    reference_reduced(reference_inv_freq(base, config.head_dim(), pair) *
                                      static_cast<long double>(m));
                const auto add = [&](float found, long double exact, Index column,
                                     const char* number) {
                    const double computed = given.stored
                                                ? double{stored[m * config.head_dim() + column]}
                                                : static_cast<double>(gain * exact);
                    const double rounding = 0x1p-24 + 0x1p-44;
                    const double expected =
                        bf16 && given.stored ? nearest_bf16(computed) : computed;
                    const auto name = [&] {
                        return fmt::format("table={} m={} pair={} number={}", given.name, m, pair,
                                           number);
                    };
                    worst.add(std::abs(double{found} - expected),
                              given.stored ? 0.0 : gain * rounding + (bf16 ? 0x1p-9 : 0.0), name);
                    if (bf16) {
                        worst.add(std::abs(double{found} - nearest_bf16(found)), 0.0, name);
                    }
                };
                const Index entry = l * pairs + pair;
                add(made.table.cos.at(entry), std::cos(angle), pairs + pair, "cos");
                add(made.table.sin.at(entry), std::sin(angle), pair, "sin");
            }
        }
    }
    return worst.finding("exact if stored; else g (2^-24 + 2^-44), in bf16 2^-9 more",
                         "rows [sin | cos] of a checkpoint, shifted inside and beyond them, base, "
                         "spectrum, fp32 and bf16");
}

}  // namespace

std::vector<Check> encoder_option_checks() {
    return {
        {.id = "encoder.rope_options",
         .title = "changes to the rotary embedding",
         .source = "RoFormer, eq. 15; core/encoder/rope_options.h",
         .statement = "Base, shift, layout, spectrum and positions that are asked for change the "
                      "queries as the definition says.",
         .figure = "attention",
         .run = options_take_effect},
        {.id = "encoder.requests",
         .title = "what a pass keeps",
         .source = "core/encoder/trace.h",
         .statement = "Whatever is kept of a pass, its numbers are those of float64, and nothing "
                      "else is kept.",
         .figure = "attention",
         .run = requests_are_met},
        {.id = "encoder.tables",
         .title = "stored and computed tables",
         .source = "Hugging Face, modeling_roformer.py, embed_positions; RoFormer notebook, bf16",
         .statement =
             "A checkpoint's own table is read as [sin | cos] where it has every position; "
             "else the table is computed, and rounded to the dtype asked for.",
         .figure = "attention",
         .run = tables_are_right},
    };
}

}  // namespace ropescope
