// The engines against each other: the small encoders, and the curves.
#include <fmt/format.h>
#include <span>

#include "core/checks/families/families.h"
#include "core/checks/families/small_encoders.h"

namespace ropescope {
namespace {

/// Every engine against the first, for what `compare_parts` compares of two traces. What the bounds
/// are relative to is the forward in double.
template <typename CompareParts>
Finding engines_agree(const CheckContext& context, CompareParts compare_parts, const char* swept) {
    if (context.engines.size() < 2) {
        return skipped("one engine only; `check --engine all` compares them");
    }
    WorstCase worst(context.cases);
    for (const Architecture architecture : kBothArchitectures) {
        const SmallEncoder& s = small_encoder(architecture);
        const ReferenceTrace reference = reference_forward(s.config, s.weights, s.input);
        const auto trace_of = [&](Engine& engine) {
            return Encoder(engine, s.config, s.weights)
                .forward(s.input, {{}, TraceRequest::everything(), {}});
        };
        const Trace expected = trace_of(*context.engines.front());
        for (Engine* engine : std::span(context.engines).subspan(1)) {
            compare_parts(worst, trace_of(*engine), expected, reference,
                          fmt::format("by={} against={} model={}", engine->name(),
                                      context.engines.front()->name(), to_string(architecture)));
        }
    }
    return worst.finding(std::string("twice ") + kEncoderBoundReason, swept);
}

Finding logits_agree(const CheckContext& context) {
    const auto logits = [](WorstCase& worst, const Trace& found, const Trace& expected,
                           const ReferenceTrace& reference, const std::string& name) {
        compare_runs(worst, found.logits, expected.logits, reference.logits,
                     name + " tensor=logits");
    };
    return engines_agree(context, logits, "both architectures, 2 layers, a padded batch");
}

Finding maps_agree(const CheckContext& context) {
    const auto maps = [](WorstCase& worst, const Trace& found, const Trace& expected,
                         const ReferenceTrace& reference, const std::string& name) {
        for (std::size_t i = 0; i < reference.layers.size(); ++i) {
            compare_runs(worst, found.layers[i].scores, expected.layers[i].scores,
                         reference.layers[i].scores, fmt::format("{} tensor=scores.{}", name, i));
            compare_runs(worst, found.layers[i].probs, expected.layers[i].probs,
                         reference.layers[i].probs, fmt::format("{} tensor=probs.{}", name, i));
        }
    };
    return engines_agree(context, maps, "both architectures, 2 layers, 3 heads, a padded batch");
}

}  // namespace

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
