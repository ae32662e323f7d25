// Llama walk-through: rotate_half and apply_rotary_pos_emb of its LLaMA. As written, rotate_half
// takes every second channel (adjacent pairs) while the table repeats as [theta | theta]
// (half-split), so the two channels of a pair are turned by different angles. x is [bs, heads, seq,
// head_dim].
#include "core/systems/nd.h"
#include "core/systems/position_rows.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

nd::Array strided_rotate_half(const nd::Array& x) {
    const std::int64_t d = nd::size(x, -1);
    return nd::concatenate(nd::negate(nd::slice(x, -1, 1, d, 2)), nd::slice(x, -1, 0, d, 2));
}

nd::Array apply_rotary_pos_emb(const SystemInput& input, nd::Array (*rotated)(const nd::Array& x)) {
    PositionRows rows = indexed_rows(input, nd::size(input.x, -2));
    if (rows.shape.size() == 1) {
        rows.shape.insert(rows.shape.begin(), 1);
    }
    const nd::Array freqs =
        angles_rad(rows, inverse_frequencies(input, input.base, nd::size(input.x, -1)));
    const nd::Array emb = nd::concatenate(freqs, freqs);
    return blend(input.x, nd::unsqueeze(cosine(emb), 1), rotated(input.x),
                 nd::unsqueeze(sine(emb), 1));
}

}  // namespace

System strided_llama_as_written() {
    return {.id = "strided_llama_as_written",
            .title = "strided LLaMA, as written",
            .brief = "strided LLaMA",
            .source = cite(kLlamaWalkthrough, "rotate_half and apply_rotary_pos_emb"),
            .what = "Adjacent channels meet under a half-split table: no rotation beyond d = 2.",
            .axes = "bhld",
            .code = [](const SystemInput& input) {
                return apply_rotary_pos_emb(input, strided_rotate_half);
            }};
}

System strided_llama_repaired() {
    return {
        .id = "strided_llama_repaired",
        .title = "strided LLaMA, repaired",
        .brief = "strided fixed",
        .source =
            cite(kLlamaWalkthrough, "with x1 = x[..., :d/2] and x2 = x[..., d/2:] in rotate_half"),
        .what = "Channel i pairs with i + d/2, as the table expects.",
        .axes = "bhld",
        .code = [](const SystemInput& input) { return apply_rotary_pos_emb(input, rotate_half); }};
}

}  // namespace ropescope::systems
