// The versions of Hugging Face transformers that number tokens differently.
#pragma once

#include "core/base/enum_names.h"

namespace ropescope {

/// transformers_4 stands for 4.57 and for 5.0 to 5.2: text after a block goes on behind the largest
/// position of all axes, padding sits at 1, and deltas count the padded length. transformers_5
/// stands for 5.3 and later: text goes on at the block's start plus the longer of its merged sides,
/// padding sits at 0, and deltas count the tokens without padding.
enum class PositionVersion : std::uint8_t { transformers_4, transformers_5 };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<PositionVersion> = {"transformers-4",
                                                                                "transformers-5"};

}  // namespace ropescope
