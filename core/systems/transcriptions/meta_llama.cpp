// LLaMA comparison: precompute_freqs_cis, reshape_for_broadcast and apply_rotary_emb of Meta's
// LLaMA. x is [bs, seq, heads, head_dim].
#include <fmt/format.h>

#include "core/formats/tensor.h"
#include "core/systems/nd.h"
#include "core/systems/position_rows.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

/// The text passes the whole table. For an offset, LLaMA's own model slices the table.
PositionRows rows_read(const SystemInput& input, std::int64_t seq) {
    if (input.positions.given()) {
        return indexed_rows(input, seq);
    }
    const std::int64_t end =
        input.offset == 0 ? input.table_rows.value_or(seq) : input.offset + seq;
    return sliced_rows(input, input.offset, end);
}

nd::Shape reshape_for_broadcast(const nd::Array& freqs_cis, const nd::Array& x) {
    const nd::Shape wanted = {nd::size(x, 1), nd::size(x, -1)};
    if (freqs_cis.shape != wanted) {
        throw nd::Error(
            nd::Fault::assertion,
            fmt::format("table of shape {} for complex x of shape {}; expected {}",
                        shape_text(freqs_cis.shape), shape_text(x.shape), shape_text(wanted)));
    }
    nd::Shape shape(x.shape.size(), 1);
    shape[1] = wanted[0];
    shape.back() = wanted[1];
    return shape;
}

nd::Array apply_rotary_emb(const SystemInput& input) {
    const ComplexArray x = adjacent_as_complex(input.x);
    const std::int64_t head_dim = nd::size(input.x, -1);
    const nd::Array angles =
        angles_rad(rows_read(input, nd::size(x.real, 1)),
                   inverse_frequencies(input, input.base, head_dim, head_dim / 2));
    const nd::Shape shape = reshape_for_broadcast(angles, x.real);
    const ComplexArray freqs_cis = view(ComplexArray{cosine(angles), sine(angles)}, shape);
    return nd::flatten(as_real(multiply(x, freqs_cis)), 3);
}

}  // namespace

System meta_llama() {
    return {.id = "meta_llama",
            .title = "Meta LLaMA",
            .brief = "Meta LLaMA",
            .source = cite(kLlamaComparison, "precompute_freqs_cis and apply_rotary_emb"),
            .what = "Adjacent channels are one complex number, multiplied by e^(i m theta).",
            .axes = "blhd",
            .code = apply_rotary_emb};
}

}  // namespace ropescope::systems
