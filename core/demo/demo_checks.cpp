// Holds the trained model in the box to what RoPE promises of any model.
#include "core/demo/demo_checks.h"

#include <fmt/format.h>
#include <iterator>

#include "core/checks/families/permuted_weights.h"
#include "core/checks/families/small_encoders.h"
#include "core/checks/worst_case.h"
#include "core/demo/masked_accuracy.h"

namespace ropescope::demo {
namespace {

/// Of the text that is computed in double, too.
constexpr Index kTokens = 64;

ForwardOptions at_shift(Index shift) {
    ForwardOptions options;
    options.trace.q_and_k = options.trace.scores = true;
    options.rope.shift = shift;
    return options;
}

/// Adds the scores of every layer and the logits of two passes that must be the same.
void compare_passes(WorstCase& worst, const Trace& found, const Trace& expected,
                    const std::string& name) {
    const ReferenceTrace& reference = real_pass().reference;
    for (std::size_t i = 0; i < reference.layers.size(); ++i) {
        compare_runs(worst, found.layers[i].scores, expected.layers[i].scores,
                     reference.layers[i].scores, fmt::format("{} tensor=scores.{}", name, i));
    }
    compare_runs(worst, found.logits, expected.logits, reference.logits, name + " tensor=logits");
}

Finding shift_invariance(const CheckContext& context) {
    WorstCase worst(context.cases);
    const RealPass& real = real_pass();
    const Estimates q = heads_first(real.reference.layers[0].q_rot);
    for (Engine* engine : context.engines) {
        const Encoder encoder(*engine, real.files.config, real.files.weights);
        const Trace home = encoder.forward(real.input, at_shift(0));
        for (const Index shift : {1, 1000, 1000000}) {
            const std::string name = fmt::format("by={} shift={}", engine->name(), shift);
            if (!context.cases.may_contain(name)) {
                continue;
            }
            const Trace moved = encoder.forward(real.input, at_shift(shift));
            must_change(worst, moved.layers[0].q_rot, home.layers[0].q_rot, q,
                        name + " tensor=q_rot.0");
            compare_passes(worst, moved, home, name);
        }
    }
    return worst.finding(
        std::string("twice ") + kEncoderBoundReason,
        "64 tokens of held-out text, shifted by 1, 1000 and 1000000: q turns, and neither "
        "scores nor logits change");
}

Finding layouts(const CheckContext& context) {
    WorstCase worst(context.cases);
    const RealPass& real = real_pass();
    ForwardOptions half_split = at_shift(0);
    half_split.rope.layout = Layout::half_split;
    const Weights permuted = in_half_split(real.files.config, real.files.weights);
    for (Engine* engine : context.engines) {
        const Trace plain = Encoder(*engine, real.files.config, real.files.weights)
                                .forward(real.input, at_shift(0));
        const Trace other =
            Encoder(*engine, real.files.config, permuted).forward(real.input, half_split);
        compare_passes(worst, other, plain, "by=" + engine->name());
    }
    return worst.finding(
        std::string("twice ") + kEncoderBoundReason,
        "64 tokens of held-out text; W_q, W_k and their biases from interleaved to "
        "half_split in all layers");
}

}  // namespace

const RealPass& real_pass() {
    static const RealPass pass = [] {
        EncoderFiles files = demo_model(DemoModel::rope);
        EncoderInput input = hidden_texts(kTokens).front().input;
        ReferenceTrace reference = reference_forward(files.config, files.weights, input);
        return RealPass{std::move(files), std::move(input), std::move(reference)};
    }();
    return pass;
}

const std::vector<Check>& demo_checks() {
    static const std::vector<Check> checks = [] {
        std::vector<Check> all = count_checks();
        all.push_back({.id = "demo.shift_invariance",
                       .title = "a trained model, all positions shifted",
                       .source = "RoFormer, eq. 11 and 16",
                       .statement = "Shifting every position of a text changes neither the scores "
                                    "nor the logits of the trained model.",
                       .figure = "attention attention_shift=1000",
                       .run = shift_invariance});
        all.push_back({.id = "demo.layouts",
                       .title = "a trained model in the other layout",
                       .source = "Hugging Face, LLaMA conversion",
                       .statement = "Permuting the trained W_q and W_k and rotating in the other "
                                    "layout together change nothing.",
                       .figure = "attention",
                       .run = layouts});
        return all;
    }();
    return checks;
}

}  // namespace ropescope::demo
