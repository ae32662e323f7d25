// Makes text from outside fit for a one-line message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ropescope {

/// Control characters and bytes that are not UTF-8 become \xNN; more than `limit` bytes are cut at
/// a character's boundary and end in "...".
std::string printable(std::string_view text, std::size_t limit = 4096);

/// printable(text, 80) in single quotes, for a name or a value inside a message.
std::string in_quotes(std::string_view text);

}  // namespace ropescope
