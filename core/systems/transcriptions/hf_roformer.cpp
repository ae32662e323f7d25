// LLaMA comparison: apply_rotary_position_embeddings of Hugging Face's RoFormer, with the table of
// its RoFormerSinusoidalPositionalEmbedding. x is [bs, heads, seq, head_dim].
#include "core/systems/nd.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

/// torch.stack([a, a], -1).reshape_as(like): repeats every entry beside itself.
nd::Array repeated(const nd::Array& a, const nd::Array& like) {
    return nd::view(nd::stack(a, a), like.shape);
}

nd::Array apply_rotary_position_embeddings(const SystemInput& input) {
    const nd::Array& x = input.x;
    const std::int64_t d = nd::size(x, -1);
    nd::Array sinusoidal_pos = roformer_table(input, nd::size(x, -2), d);
    sinusoidal_pos = nd::unsqueeze(nd::unsqueeze(sinusoidal_pos, 0), 0);
    // chunk(2): the first half is one longer when d is odd, and reshape_as then refuses.
    const std::int64_t half = (d + 1) / 2;
    const nd::Array sin_pos = repeated(nd::slice(sinusoidal_pos, -1, 0, half), sinusoidal_pos);
    const nd::Array cos_pos = repeated(nd::slice(sinusoidal_pos, -1, half, d), sinusoidal_pos);
    if (input.role == QkvRole::value && !input.rotate_value) {
        return x;
    }
    const nd::Array rotate_half_layer = nd::view(
        nd::stack(nd::negate(nd::slice(x, -1, 1, d, 2)), nd::slice(x, -1, 0, d, 2)), x.shape);
    return blend(x, cos_pos, rotate_half_layer, sin_pos);
}

}  // namespace

System hf_roformer() {
    return {.id = "hf_roformer",
            .title = "HF RoFormer",
            .brief = "HF RoFormer",
            .source = cite(kLlamaComparison, "apply_rotary_position_embeddings"),
            .what =
                "Adjacent channels pair; the table is [sin | cos] from double angles; V may turn "
                "as well.",
            .axes = "bhld",
            .precision = {NumberFormat::fp64, NumberFormat::fp32},
            .written_base = kRoformerBase,
            .code = apply_rotary_position_embeddings};
}

}  // namespace ropescope::systems
