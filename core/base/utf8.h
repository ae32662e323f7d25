// Characters of UTF-8 text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ropescope {

/// What stands for a byte that is not UTF-8.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Bytes of the well-formed UTF-8 character at the front of `text` (Unicode, table 3-7), 0 if none.
std::size_t utf8_length(std::string_view text);

/// The characters of `text`; a byte that is not UTF-8 becomes kReplacementCharacter.
std::u32string code_points(std::string_view text);
std::string to_utf8(std::u32string_view points);

}  // namespace ropescope
