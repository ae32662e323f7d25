// Hugging Face LLaMA: with tables sliced from an offset (LLaMA comparison) and with tables gathered
// by position id (block-wise derivation). x is [bs, heads, seq, head_dim].
#include "core/systems/nd.h"
#include "core/systems/position_rows.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

nd::Array doubled_angles(const SystemInput& input, const PositionRows& rows) {
    const nd::Array angles =
        angles_rad(rows, inverse_frequencies(input, input.base, nd::size(input.x, -1)));
    return nd::concatenate(angles, angles);
}

/// RotaryEmbedding.forward(seq_len) cuts the table to seq_len rows (input.table_rows), and
/// apply_rotary_pos_emb cuts [offset, offset + q_len) out of what is left: asked for q_len rows
/// only, an offset of q_len - 1 leaves one row, which broadcasts silently over all positions.
nd::Array by_offset(const SystemInput& input) {
    refuse_position_ids(input);
    const std::int64_t seq = nd::size(input.x, -2);
    const nd::Array emb =
        doubled_angles(input, sliced_rows(input, input.offset, input.offset + seq));
    const nd::Array cos = nd::unsqueeze(nd::unsqueeze(cosine(emb), 0), 0);
    const nd::Array sin = nd::unsqueeze(nd::unsqueeze(sine(emb), 0), 0);
    return blend(input.x, cos, rotate_half(input.x), sin);
}

nd::Array by_position_ids(const SystemInput& input) {
    PositionRows rows = indexed_rows(input, nd::size(input.x, -2));
    if (rows.shape.size() == 1) {
        rows.shape.insert(rows.shape.begin(), 1);
    }
    const nd::Array emb = doubled_angles(input, rows);
    return blend(input.x, nd::unsqueeze(cosine(emb), 1), rotate_half(input.x),
                 nd::unsqueeze(sine(emb), 1));
}

}  // namespace

System hf_llama_offset() {
    return {.id = "hf_llama_offset",
            .title = "HF LLaMA, offset",
            .brief = "HF, offset",
            .source = cite(kLlamaComparison,
                           "RotaryEmbedding, rotate_half and apply_rotary_pos_emb(offset)"),
            .what = "Channel i pairs with i + d/2; the tables are sliced from an offset.",
            .axes = "bhld",
            .code = by_offset};
}

System hf_llama_position_ids() {
    return {.id = "hf_llama_position_ids",
            .title = "HF LLaMA, position ids",
            .brief = "HF, ids",
            .source = cite(kBlockwiseDerivation, "apply_rotary_pos_emb of Hugging Face"),
            .what = "Channel i pairs with i + d/2; the tables come by position id.",
            .axes = "bhld",
            .code = by_position_ids};
}

}  // namespace ropescope::systems
