// Makes text from outside fit for a one-line message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ropescope {

/// The bytes that a message shows of one name or value.
inline constexpr std::size_t kLongestName = 80;

/// Returns the text with \xNN in place of each byte that is not UTF-8 or that belongs to a
/// character a terminal obeys (control characters, separators of lines, marks of direction). More
/// than `limit` bytes are cut at a character's boundary and end in "...".
std::string printable(std::string_view text, std::size_t limit = 4096);

/// printable(text, kLongestName) in single quotes, for a name or a value inside a message.
std::string in_quotes(std::string_view text);

}  // namespace ropescope
