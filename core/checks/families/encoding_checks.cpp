// Encoders and decoders that know positions otherwise than by RoPE, against float64.
#include <fmt/format.h>

#include "core/checks/families/families.h"
#include "core/checks/families/small_encoders.h"
#include "core/encoder/encoder.h"
#include "core/encoder/position_encoding.h"

namespace ropescope {
namespace {

template <PositionEncoding kPosition>
CheckFinding encoding_against_float64(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const bool causal : {false, true}) {
        const SmallEncoder s(Architecture::hugging_face, kPosition, causal);
        const ReferenceTrace expected = reference_forward(s.config, s.weights, s.input);
        for (Engine* engine : context.engines) {
            const Encoder encoder(*engine, s.config, s.weights);
            compare_traces(
                worst, encoder.forward(s.input, {{}, TraceRequest::everything(), {}}), expected,
                fmt::format("by={} model={}", engine->name(), causal ? "decoder" : "encoder"));
        }
    }
    return worst.finding(kEncoderBoundReason,
                         "an encoder and a decoder, 2 layers, 3 heads, a padded batch; scores, "
                         "probabilities, hidden states, logits");
}

}  // namespace

std::vector<Check> encoding_checks() {
    return {
        {.id = "encoder.alibi",
         .title = "ALiBi: slopes times distances",
         .source = "Press et al., arXiv:2108.12409",
         .statement = "With ALiBi, whose slopes an encoder takes in both directions alike, every "
                      "traced number is that of a plain forward in double.",
         .figure = "encodings",
         .run = encoding_against_float64<PositionEncoding::alibi>},
        {.id = "encoder.t5_bias",
         .title = "T5's bias: a number for each range",
         .source = "Raffel et al., arXiv:1910.10683",
         .statement = "With T5's bias every traced number is that of a plain forward in double.",
         .figure = "encodings",
         .run = encoding_against_float64<PositionEncoding::t5>},
        {.id = "encoder.learned_positions",
         .title = "learned positions, added",
         .source = "Devlin et al., arXiv:1810.04805",
         .statement =
             "With learned positions every traced number is that of a plain forward in double.",
         .figure = "encodings",
         .run = encoding_against_float64<PositionEncoding::learned>},
        {.id = "encoder.sinusoidal_positions",
         .title = "sinusoidal positions, added",
         .source = "Vaswani et al., arXiv:1706.03762",
         .statement =
             "With sinusoidal positions every traced number is that of a plain forward in double.",
         .figure = "encodings",
         .run = encoding_against_float64<PositionEncoding::sinusoidal>},
        {.id = "encoder.no_positions",
         .title = "no positions (NoPE)",
         .source = "Kazemnejad et al., arXiv:2305.19466",
         .statement = "Without positions every traced number is that of a plain forward in double.",
         .figure = "encodings",
         .run = encoding_against_float64<PositionEncoding::none>},
    };
}

}  // namespace ropescope
