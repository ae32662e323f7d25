// Characters of ASCII and UTF-8, and text from outside made fit for a one-line message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace ropescope {

// Letters and digits of ASCII, whatever the locale.

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A to Z become a to z; every other byte stays.
inline std::string lower_case(std::string_view text) {
    std::string letters(text);
    std::ranges::transform(letters, letters.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return letters;
}

// Reads and writes the characters of UTF-8 text.

/// Takes the place of a byte that is not UTF-8.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Returns the number of bytes of the well-formed character at the front of `text`, which must not
/// be empty (The Unicode Standard, table 3-7); 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Returns the characters of `text`; a byte that is not UTF-8 becomes kReplacementCharacter.
std::u32string code_points(std::string_view text);
std::string to_utf8(std::u32string_view points);

// Makes text from outside fit for a one-line message.

/// The bytes that a message shows of one name or value.
inline constexpr std::size_t kLongestName = 80;

/// Returns the text with \xNN in place of each byte that is not UTF-8 or that belongs to a
/// character a terminal obeys (control characters, separators of lines, marks of direction). More
/// than `limit` bytes are cut at a character's boundary and end in "...".
std::string printable(std::string_view text, std::size_t limit = 4096);

/// printable(text, kLongestName) in single quotes, for a name or a value inside a message.
std::string in_quotes(std::string_view text);

}  // namespace ropescope
