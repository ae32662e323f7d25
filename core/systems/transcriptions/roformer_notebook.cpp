// RoFormer notebook: precompute_freqs_cis and apply_rotary_emb, with the bf16 cast of
// the table as written and without it. x is [bs, block_size, n_heads, head_dim].
#include "core/systems/nd.h"
#include "core/systems/position_rows.h"
#include "core/systems/source_text.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope::systems {

namespace {

/// self.freqs_cis[input_pos]: the whole table when input_pos is None.
PositionRows rows_read(const SystemInput& input, std::int64_t seq) {
    const bool no_input_pos = !input.positions.given() && input.offset == 0;
    return no_input_pos ? sliced_rows(input, 0, input.table_rows.value_or(seq))
                        : indexed_rows(input, seq);
}

nd::Array apply_rotary_emb(const SystemInput& input, NumberFormat table) {
    const ComplexArray x = adjacent_as_complex(input.x);
    const std::int64_t seq = nd::size(x.real, 1);
    const std::int64_t pairs = nd::size(x.real, 3);
    const std::int64_t head_dim = nd::size(input.x, -1);
    const nd::Array angles = angles_rad(
        rows_read(input, seq), inverse_frequencies(input, input.base, head_dim, head_dim / 2));
    const nd::Array cache = nd::cast(nd::stack(cosine(angles), sine(angles)), input.dtype(table));
    // This view is what ties the number of rows to seq: any other number, and ids of every sample,
    // cannot be seen as [1, seq, 1, pairs, 2].
    const nd::Array freqs_cis = nd::view(cache, {1, seq, 1, pairs, 2});
    return nd::flatten(
        as_real(multiply(x, ComplexArray{nd::last(freqs_cis, 0), nd::last(freqs_cis, 1)})), 3);
}

System notebook(std::string id, std::string title, std::string brief, std::string_view place,
                std::string what, NumberFormat table) {
    return {.id = std::move(id),
            .title = std::move(title),
            .brief = std::move(brief),
            .source = cite(kRoformerNotebook, place),
            .what = std::move(what),
            .axes = "blhd",
            .precision = {NumberFormat::fp32, table},
            .code = [table](const SystemInput& input) { return apply_rotary_emb(input, table); }};
}

}  // namespace

System notebook_bf16() {
    return notebook("notebook_bf16", "RoFormer notebook bf16", "notebook bf16",
                    "precompute_freqs_cis and apply_rotary_emb",
                    "Adjacent channels turn as complex numbers; cos and sin are kept in bf16.",
                    NumberFormat::bf16);
}

System notebook_fp32() {
    return notebook("notebook_fp32", "RoFormer notebook fp32", "notebook fp32",
                    "precompute_freqs_cis without its last cast, and apply_rotary_emb",
                    "Adjacent channels turn as complex numbers; cos and sin stay in fp32.",
                    NumberFormat::fp32);
}

}  // namespace ropescope::systems
