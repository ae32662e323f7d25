// The segments of a layout of tokens, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/formats/config_object.h"
#include "core/positions/token_layout.h"

namespace ropescope {

/// Reads [SEGMENT, ...] (token_layouts.h). Throws InputError that begins with `where`, the place of
/// the list.
std::vector<Segment> read_segments(const nlohmann::json& row, const std::string& where);

/// Throws InputError unless the lists `image_grid_thw`, `video_grid_thw` and `second_per_grid_ts`
/// of the layout, if it has them, say what its rows say. Frames of single grids count as one video
/// if each says its `index` and how many there are (`of`).
void check_stated_grids(const ConfigObject& layout, const TokenLayout& read);

}  // namespace ropescope
