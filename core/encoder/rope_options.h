// What may be changed about an encoder's rotary embedding, to see its effect; and the table that
// comes of it.
#pragma once

#include <optional>

#include "core/encoder/encoder_config.h"
#include "core/formats/tensor.h"
#include "core/rope/rotation_table.h"
#include "core/rope/table_rows.h"

namespace ropescope {

/// Entries of the table of cos and sin. bf16: rounded as the notebook rounds its cache.
enum class TableDtype { fp32, bf16 };

/// As it stands: what the model itself does.
struct EncoderRope {
    bool enabled = true;  ///< false: q and k are left as they are
    std::optional<double> base;
    std::optional<Layout> layout;
    std::optional<Spectrum> spectrum;  ///< any scaling method's; `base` is then not read
    TableDtype table_dtype = TableDtype::fp32;
    std::int64_t shift = 0;  ///< added to every position
};

struct EncoderRotation {
    RotationTable table;  ///< a row for each position, or for each position of each sample
    Layout layout = Layout::interleaved;
};

/// The table for the positions of `sequence` (0 .. when `ids` are none). `stored` is the
/// checkpoint's embed_positions [max_positions, head_dim] = [sin | cos] or nullptr; it is used, as
/// Hugging Face does, as long as neither base nor spectrum is given and every shifted position lies
/// in it; else the table is computed. Throws InputError for position ids of another shape and for
/// positions beyond +-kMaxPosition.
EncoderRotation encoder_rotation(const EncoderConfig& config, const EncoderRope& rope,
                                 const PositionIds& ids, SequenceShape sequence,
                                 const std::vector<float>* stored);

}  // namespace ropescope
