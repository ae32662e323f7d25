// Holds the trained model in the box to what RoPE promises of any model.
#include "core/demo/demo_checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <memory>

#include "core/checks/families/small_encoders.h"
#include "core/checks/worst_case.h"
#include "core/demo/demo_scores.h"
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

// Counts the hidden pieces that the demo models name, and holds the counts to the script's.

namespace {

/// A count that the script made, and what to pass to an encoder for the same.
struct Counted {
    std::string name;  ///< of its cases, without the engine
    EncoderRope rope;
    ScriptCount script;
    Index length = kTrainedLength;
};

/// Two engines may each err by the bound of the reference in each of two logits: where the hidden
/// piece leads or trails by more than four times the bound, both decide alike. The bound is that of
/// one text. It serves changed rotations and longer texts, too: a rotation leaves q and k as long
/// as they are, and more keys are an average of more numbers.
double undecided_logits(const Estimates& logits) {
    double largest = 0.0;
    for (std::size_t i = 0; i < logits.value.size(); ++i) {
        largest = std::max(largest, logits.bound(i));
    }
    return 4.0 * largest;
}

double undecided_logits(DemoModel model) {
    if (model == DemoModel::rope) {
        static const double kOfRope = undecided_logits(real_pass().reference.logits);
        return kOfRope;
    }
    static const double kOfTwin = [] {
        const EncoderFiles files = demo_model(DemoModel::no_position);
        return undecided_logits(reference_forward(files.config, files.weights, real_pass().input,
                                                  changed_rope(RopeChange::off))
                                    .logits);
    }();
    return kOfTwin;
}

/// The processor's engine of the run, or one of its own if the run has none.
Engine& processor(const CheckContext& context, std::unique_ptr<Engine>& own) {
    for (Engine* engine : context.engines) {
        if (engine->kind() == EngineKind::cpu) {
            return *engine;
        }
    }
    own = make_cpu_engine();
    return *own;
}

/// Runs a model over the held-out text.
class Counting {
  public:
    Counting(const CheckContext& context, DemoModel model)
        : context_(context),
          files_(demo_model(model)),
          undecided_(undecided_logits(model)),
          worst_(context.cases),
          processor_(processor(context, own_)),
          encoder_(processor_, files_.config, files_.weights) {}

    Finding finding(const std::vector<Counted>& counts) {
        for (const Counted& of : counts) {
            hold_to_script(of);
            for (Engine* engine : context_.engines) {
                if (engine != &processor_) {
                    hold_to_processor(of, *engine);
                }
            }
        }
        return worst_.finding(
            "places where the hidden piece leads or trails by less than two logits of two engines "
            "may be off, each by " +
                std::string(kEncoderBoundReason),
            "the held-out text in the box" + found_);
    }

  private:
    /// The whole text on the processor, against the script.
    void hold_to_script(const Counted& of) {
        const std::string name = fmt::format("by={} {}", processor_.name(), of.name);
        if (!context_.cases.may_contain(name)) {
            return;
        }
        const MaskedCount found =
            masked_accuracy(encoder_, hidden_texts(of.length), of.rope, undecided_);
        add(name, found, {of.script.right, of.script.of});
        found_ += fmt::format("; {}: {} of {}, the script {}", name, found.right, found.of,
                              of.script.right);
    }

    /// The first text of the training's length on another engine, against the processor: a GPU that
    /// the processor imitates would take a minute for the whole text.
    void hold_to_processor(const Counted& of, Engine& engine) {
        const std::string name = fmt::format("by={} {}", engine.name(), of.name);
        if (!context_.cases.may_contain(name)) {
            return;
        }
        const std::vector<HiddenText> first = {hidden_texts(kTrainedLength).front()};
        const MaskedCount expected = masked_accuracy(encoder_, first, of.rope, undecided_);
        const Encoder other(engine, files_.config, files_.weights);
        const MaskedCount found = masked_accuracy(other, first, of.rope, undecided_);
        add(name, found, {expected.right, expected.of});
        found_ += fmt::format("; {}: {} of {}, the processor {}", name, found.right, found.of,
                              expected.right);
    }

    void add(const std::string& name, const MaskedCount& found, const ScriptCount& expected) {
        worst_.add(std::abs(to_double(found.right - expected.right)), to_double(found.undecided),
                   [&] { return name + " number=right"; });
        worst_.add(std::abs(to_double(found.of - expected.of)), 0.0,
                   [&] { return name + " number=hidden"; });
    }

    const CheckContext& context_;
    EncoderFiles files_;
    double undecided_;
    WorstCase worst_;
    std::unique_ptr<Engine> own_;
    Engine& processor_;
    Encoder encoder_;  ///< on the processor
    std::string found_;
};

Finding same_counts(const CheckContext& context, DemoModel model,
                    const std::vector<Counted>& counts) {
    return Counting(context, model).finding(counts);
}

Finding count_change(const CheckContext& context, RopeChange change) {
    return same_counts(context, DemoModel::rope,
                       {{fmt::format("change={}", to_string(change)), changed_rope(change),
                         demo_scores().sample.of(change)}});
}

Finding count_twin(const CheckContext& context) {
    return same_counts(
        context, DemoModel::no_position,
        {{"model=no_position", changed_rope(RopeChange::off), demo_scores().sample.no_position}});
}

/// At the greatest length; tests hold the other lengths and methods to the script.
Finding count_stretched(const CheckContext& context) {
    const Index length = stretched_lengths().back();
    std::vector<Counted> counts;
    for (const StretchMethod method : {StretchMethod::none, StretchMethod::yarn}) {
        counts.push_back({fmt::format("length={} scaling={}", length, to_string(method)),
                          stretched_rope(method, length), demo_scores().sample.of(method, length),
                          length});
    }
    return same_counts(context, DemoModel::rope, counts);
}

/// "539 of 1226"
std::string in_words(const ScriptCount& count) {
    return fmt::format("{} of {}", count.right, count.of);
}

}  // namespace

std::vector<Check> count_checks() {
    const TextScores& script = demo_scores().sample;
    const Index longest = stretched_lengths().back();
    const char* const source = "assets/demo-roformer/scores.json";
    return {
        {.id = "demo.accuracy",
         .title = "a trained model's right answers",
         .source = source,
         .statement = fmt::format("The trained model in the box names {} hidden pieces of its "
                                  "held-out text, as the script counted.",
                                  in_words(script.of(RopeChange::none))),
         .figure = "attention",
         .run =
             [](const CheckContext& context) { return count_change(context, RopeChange::none); }},
        {.id = "demo.switched_off",
         .title = "a trained model without its rotation",
         .source = source,
         .statement =
             fmt::format("With RoPE switched off, the trained model names {} hidden "
                         "pieces instead of {}.",
                         in_words(script.of(RopeChange::off)), script.of(RopeChange::none).right),
         .figure = "attention",
         .run = [](const CheckContext& context) { return count_change(context, RopeChange::off); }},
        {.id = "demo.no_position",
         .title = "a model trained without any position",
         .source = source,
         .statement = fmt::format("The twin that was trained without any position names {} hidden "
                                  "pieces.",
                                  in_words(script.no_position)),
         .figure = "attention",
         .run = count_twin},
        {.id = "demo.half_split",
         .title = "interleaved weights read as half-split",
         .source = source,
         .statement = fmt::format("With its interleaved weights read as half-split, the trained "
                                  "model names {} hidden pieces instead of {}.",
                                  in_words(script.of(RopeChange::half_split)),
                                  script.of(RopeChange::none).right),
         .figure = "attention",
         .run =
             [](const CheckContext& context) {
                 return count_change(context, RopeChange::half_split);
             }},
        {.id = "demo.stretching",
         .title = "a trained model on longer texts",
         .source = source,
         .statement = fmt::format(
             "In texts of {} tokens, {} times those of the training, the trained model names {} "
             "hidden pieces without scaling, and {} with YaRN.",
             longest, longest / kTrainedLength, in_words(script.of(StretchMethod::none, longest)),
             script.of(StretchMethod::yarn, longest).right),
         .figure = "stretch",
         .run = count_stretched},
    };
}

}  // namespace ropescope::demo
