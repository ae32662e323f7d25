// What `ropescope positions` prints and writes of the positions that it builds.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "app/cli/positions_input.h"

namespace ropescope::cli {

/// A layout with its positions.
struct BuiltPositions {
    const PlacedLayout* placed = nullptr;
    LayoutPositions positions;
};

// What begins a report about a model: whether its family is known, and what was inferred if not.
std::string confidence_line(const PlacedLayout& placed);
nlohmann::ordered_json confidence_json(const PlacedLayout& placed);

/// A table of segments, and where each row goes on.
std::string positions_text(const BuiltPositions& built);
nlohmann::ordered_json positions_json(const BuiltPositions& built);

/// Writes the positions of one layout to a .npy, or of all to a .safetensors: position_ids, and
/// where there are such, rope_deltas, attention_mask and turns; the names begin with that of the
/// layout if there are several. Throws InputError for another ending, and for several layouts in
/// a .npy.
void write_positions(const std::filesystem::path& path, std::span<const BuiltPositions> built);

}  // namespace ropescope::cli
