// Document 000: precompute_freqs_cis and apply_rotary_emb of the notebook, with the bf16 cast of
// the table as written and without it. x is [bs, block_size, n_heads, head_dim].
#include "core/systems/documents.h"
#include "core/systems/pair_algebra.h"
#include "core/systems/position_rows.h"

namespace ropescope::systems {

namespace {

/// self.freqs_cis[input_pos]: the whole table when input_pos is None.
PositionRows rows_read(const SystemInput& input, std::int64_t seq) {
    const bool no_input_pos = !input.positions.given() && input.offset == 0;
    return no_input_pos ? sliced_rows(input, 0, input.table_rows.value_or(seq))
                        : indexed_rows(input, seq);
}

nd::Array apply_rotary_emb(const SystemInput& input, nd::Dtype table) {
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

System notebook(nd::Dtype table) {
    System system;
    system.document = "000, precompute_freqs_cis and apply_rotary_emb";
    system.axes = "blhd";
    system.precision = {nd::Dtype::f32, table};
    system.code = [table](const SystemInput& input) { return apply_rotary_emb(input, table); };
    return system;
}

}  // namespace

System notebook_bf16() {
    System system = notebook(nd::Dtype::bf16);
    system.id = "notebook_bf16";
    system.title = "notebook, bf16 table";
    system.what = "Adjacent channels turn as complex numbers; cos and sin are kept in bf16.";
    return system;
}

System notebook_fp32() {
    System system = notebook(nd::Dtype::f32);
    system.id = "notebook_fp32";
    system.title = "notebook, without the cast";
    system.document += ", less its last cast";
    system.what = "Adjacent channels turn as complex numbers; cos and sin stay in fp32.";
    return system;
}

}  // namespace ropescope::systems
