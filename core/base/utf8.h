// Reads and writes the characters of UTF-8 text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ropescope {

/// Takes the place of a byte that is not UTF-8.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Returns the number of bytes of the well-formed character at the front of `text`, which must not
/// be empty (The Unicode Standard, table 3-7); 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Returns the characters of `text`; a byte that is not UTF-8 becomes kReplacementCharacter.
std::u32string code_points(std::string_view text);
std::string to_utf8(std::u32string_view points);

}  // namespace ropescope
