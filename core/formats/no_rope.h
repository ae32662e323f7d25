// Families of models (Hugging Face's model_type) that place their tokens by other means than rotary
// position embedding, so that a config.json of one is refused in plain words.
#pragma once

#include <string_view>

namespace ropescope {

/// What such a family has instead, as the rest of a sentence; empty for any other type.
std::string_view positions_without_rope(std::string_view model_type);

}  // namespace ropescope
