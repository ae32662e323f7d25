// Makes the rotation table of an encoder from its config and the changes in EncoderRope.
#include "core/encoder/rope_options.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/number_format.h"

namespace ropescope {
namespace {

Spectrum spectrum_of(const EncoderConfig& config, const EncoderRope& rope) {
    RopeSpec spec = config.rope();
    spec.base = rope.base.value_or(spec.base);
    if (!rope.spectrum) {
        return make_spectrum(spec);
    }
    if (rope.spectrum->pairs() < 1 || rope.spectrum->pairs() > spec.pairs()) {
        throw InputError(fmt::format("spectrum: {} pairs; head_dim {} has {}",
                                     rope.spectrum->pairs(), spec.head_dim, spec.pairs()));
    }
    return *rope.spectrum;
}

/// Rows of [sin | cos], each half a head wide.
RotationTable stored_rows(const std::vector<float>& stored, Index head_dim,
                          const std::vector<Index>& positions) {
    const Index pairs = head_dim / 2;
    RotationTable table;
    table.rows = std::ssize(positions);
    table.pairs = pairs;
    table.cos.resize(table.rows * pairs);
    table.sin.resize(table.cos.size());
    for (Index row = 0; row < table.rows; ++row) {
        const float* sin = stored.data() + positions[row] * head_dim;
        std::copy_n(sin, pairs, table.sin.data() + row * pairs);
        std::copy_n(sin + pairs, pairs, table.cos.data() + row * pairs);
    }
    return table;
}

void round_to_bf16(AlignedVector<float>& values) {
    for (float& value : values) {
        value = f32_from_bf16(bf16_from_f32(value));
    }
}

}  // namespace

std::vector<Index> encoder_positions(const EncoderRope& rope, const PositionIds& ids,
                                     SequenceShape sequence) {
    std::vector<Index> positions = consecutive_rows(sequence.positions);
    validate_position(rope.shift, "shift");
    if (ids.given()) {
        validate(ids, sequence, -kMaxPosition, kMaxPosition);
        positions = ids.values;
    }
    for (Index& position : positions) {
        position += rope.shift;
        validate_position(position);
    }
    return positions;
}

EncoderRotation encoder_rotation(const EncoderConfig& config, const EncoderRope& rope,
                                 const PositionIds& ids, SequenceShape sequence,
                                 const std::vector<float>* stored) {
    const std::vector<Index> positions = encoder_positions(rope, ids, sequence);
    const bool in_stored = stored != nullptr && !rope.base && !rope.spectrum &&
                           std::ranges::all_of(positions, [&](Index position) {
                               return position >= 0 && position < config.max_positions;
                           });
    EncoderRotation rotation;
    rotation.layout = rope.layout.value_or(Layout::interleaved);
    rotation.table = in_stored ? stored_rows(*stored, config.head_dim(), positions)
                               : make_rotation_table(spectrum_of(config, rope), positions);
    if (rope.table_dtype == NumberFormat::bf16) {
        round_to_bf16(rotation.table.cos);
        round_to_bf16(rotation.table.sin);
    }
    return rotation;
}

}  // namespace ropescope
