// Changes to the rotary embedding of an encoder, to see their effect, and the table that results.
#pragma once

#include <optional>

#include "core/base/index.h"
#include "core/base/number_format.h"
#include "core/encoder/encoder_config.h"
#include "core/formats/tensor.h"
#include "core/rope/rotation_table.h"
#include "core/rope/table_rows.h"

namespace ropescope {

/// By default nothing is changed.
struct EncoderRope {
    bool enabled = true;  ///< false: q and k are left as they are
    std::optional<double> base;
    std::optional<Layout> layout;
    std::optional<Spectrum> spectrum;  ///< of any scaling method; `base` is then ignored
    /// Of the entries of the table of cos and sin: fp32, or bf16 as the RoFormer notebook keeps
    /// them.
    NumberFormat table_dtype = NumberFormat::fp32;
    Index shift = 0;  ///< added to every position
};

struct EncoderRotation {
    RotationTable table;  ///< a row for each position, or for each position of each sample
    Layout layout = Layout::interleaved;
};

/// One position for each token of a sequence, or of each sequence of the batch: `ids`, or 0, 1, ...
/// if there are none, moved by `rope.shift`. Throws InputError as encoder_rotation().
std::vector<Index> encoder_positions(const EncoderRope& rope, const PositionIds& ids,
                                     SequenceShape sequence);

/// Returns the table for the positions of `sequence`: `ids`, or 0, 1, ... if there are none.
/// `stored` is the tensor embed_positions of the checkpoint, [max_positions, head_dim] with rows
/// [sin | cos], or nullptr. As in Hugging Face transformers its rows are used if neither base nor
/// spectrum is given and it has every shifted position; else the table is computed. Throws
/// InputError for position ids of another shape and for positions beyond +-kMaxPosition.
EncoderRotation encoder_rotation(const EncoderConfig& config, const EncoderRope& rope,
                                 const PositionIds& ids, SequenceShape sequence,
                                 const std::vector<float>* stored);

}  // namespace ropescope
