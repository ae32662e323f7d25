// Block-wise derivation: apply_rotary_emb of Mistral 7B. x is [seq, heads, head_dim]; 4-D [batch,
// seq, heads, head_dim] broadcasts as well. The table is Meta's complex one (meta_llama.cpp).
#include "core/systems/nd.h"
#include "core/systems/position_rows.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

nd::Array apply_rotary_emb(const SystemInput& input) {
    const ComplexArray x = adjacent_as_complex(input.x);
    const std::int64_t seq = nd::size(x.real, -3);
    const std::int64_t head_dim = nd::size(input.x, -1);
    // A table with its own number of rows is passed whole, whichever axis of x holds the positions.
    // So [heads, seq, d] fails, or goes unnoticed if heads == seq.
    const PositionRows rows = input.table_rows && !input.positions.given()
                                  ? sliced_rows(input, input.offset, *input.table_rows)
                                  : indexed_rows(input, seq);
    const nd::Array angles =
        angles_rad(rows, inverse_frequencies(input, input.base, head_dim, head_dim / 2));
    const ComplexArray freqs_cis = {nd::unsqueeze(cosine(angles), 1),
                                    nd::unsqueeze(sine(angles), 1)};
    return nd::flatten(as_real(multiply(x, freqs_cis)), -2);
}

}  // namespace

System mistral() {
    return {.id = "mistral",
            .title = "Mistral",
            .brief = "Mistral",
            .source = cite(kBlockwiseDerivation, "apply_rotary_emb of Mistral 7B"),
            .what = "Meta's complex product on [seq, heads, d], without a batch axis.",
            .axes = "lhd",
            .code = apply_rotary_emb};
}

}  // namespace ropescope::systems
