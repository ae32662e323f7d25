// Layouts of tokens as a JSON file: segments of text, images and videos.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/config_object.h"
#include "core/positions/multimodal_ids.h"
#include "core/positions/token_layout.h"

namespace ropescope {

/// The layouts of a file, and what it says about the model.
struct TokenLayouts {
    std::vector<TokenLayout> layouts;
    std::optional<Index> merge = {};  ///< spatial_merge_size
    std::optional<double> tokens_per_second = {};
};

/// Reads {"layouts": [LAYOUT, ...]}, or one LAYOUT: {"name", "padding": "left", "right" or "none",
/// "rows": [[SEGMENT, ...], ...], "sequence_length"}, or {"row": [SEGMENT, ...]}. A SEGMENT is
/// {"text": n}, {"image": [t, h, w]}, {"video": [t, h, w], "second_per_grid": s} (with "audio": n
/// if its sound is woven into it) or {"frame": [h, w]}, grids before patches are merged. A layout
/// may have "packed": true (its rows are documents of one sequence), "decode_steps": n (tokens
/// generated behind each row), and one of "chunk": [first, count], "kept": [token, ...], and
/// "context_parallel_size": n with "context_parallel_rank": r. Throws InputError
/// that names the file, the segment and the expected form, also for unknown keys and for lists of
/// grids that contradict the rows.
TokenLayouts parse_token_layouts(std::string_view json, const std::string& origin);

/// The rule with what the file says about the model.
MultimodalRule with_model_settings(MultimodalRule rule, const TokenLayouts& file);

}  // namespace ropescope
