// Positions of somebody's making, which `ropescope positions --check` judges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/positions_input.h"
#include "core/formats/tensor.h"

namespace ropescope::cli {

/// Positions as a file has them.
struct GivenPositions {
    Tensor positions;
    std::optional<Tensor> deltas;
};

/// Reads a .npy, or `position_ids` and perhaps `rope_deltas` of a .safetensors. Throws InputError
/// that names the file.
GivenPositions read_given(const std::string& path);

/// The positions [axes, batch, length] of a file whose axes `order` names by letters
/// (position_file.h). Throws InputError, which names the file and the expected shape, unless it has
/// as many axes, rows and tokens as the right positions.
std::vector<double> given_values(const Tensor& file, const std::string& order,
                                 const LayoutPositions& right, const PlacedLayout& placed);

/// "token 3 of rows[0][2], text", "decode step 1".
std::string origin_text(const TokenOrigin& origin);

}  // namespace ropescope::cli
