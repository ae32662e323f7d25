// Which model_types belong to a line of models, as the tables of sections and towers name it.
#pragma once

#include <string>
#include <string_view>

namespace ropescope {

/// Whether all that stands behind the line's name says which part or which kind of the line it is:
/// "_moe_text" of "qwen3_vl", but not "_convnext" of "dinov3". What begins like a line may do as it
/// does, and nobody knows.
bool is_known_in_line(std::string_view type, std::string_view line);

/// "model_type 'x' is not known; inferred: as dinov3, with whose name it begins".
std::string inferred_from_line(std::string_view type, std::string_view line);

}  // namespace ropescope
