// A scaling in words for people, from the keys that scaling_json() makes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ropescope {

/// What people call the type under "type" or "rope_type". A "longrope" that divides by the same
/// factors at every length has no lengths to choose between, as LongRoPE does: it is "a factor for
/// each pair", which other methods leave behind, too, where a file keeps only their factors.
std::string scaling_type_text(const nlohmann::ordered_json& scaling);
/// A list of numbers by its ends: "1 .. 8".
std::string list_text(const nlohmann::ordered_json& numbers);

}  // namespace ropescope
