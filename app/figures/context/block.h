// What to write into a config.json for a row of the context calculator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/context/methods.h"

namespace ropescope::figures {

/// `"rope_scaling": {...}` to paste into a config.json. For NTK the base, under the key that the
/// model's family has for it; for dynamic also the max_position_embeddings at which it starts.
std::string rope_scaling_block(const MethodRow& row, std::string_view base_key = "rope_theta");

/// The block in lines of at most `widest` characters, broken after commas, with the first and the
/// last number of each list.
std::vector<std::string> block_lines(const std::string& block, std::size_t widest);

}  // namespace ropescope::figures
