// Numbers and lists as a person types them, read the same in every locale and in every option.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "core/base/read_number.h"

namespace ropescope {

/// The text without spaces and tabs around it.
constexpr std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == text.npos ? std::string_view{}
                              : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Why a text that somebody may take for a number is refused: zeros in front and hexadecimal
/// digits, which others read to another base; spaces; a '+'; what no number of 64 bits comes near.
/// "'010' may be a number of another base; give it in decimal, without zeros in front". Empty if
/// nothing of this is the matter, also of what is no number at all.
std::string misread(std::string_view text);

/// The first of these that misread() says something about; empty if there is none.
std::string misread(const std::vector<std::string_view>& pieces);

/// The whole text as a number in decimal, finite and without what misread() names. Empty if the
/// text is anything else.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
    T number{};
    const char* end = text.data() + text.size();
    const auto [stopped, error] = read_number(text.data(), end, number);
    bool plain = error == std::errc{} && stopped == end && misread(text).empty();
    if constexpr (std::is_floating_point_v<T>) {
        plain = plain && std::isfinite(number);
    }
    return plain ? std::optional(number) : std::nullopt;
}

/// What stands between the separators; one piece more than there are separators.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    for (auto at = text.find(separator); at != text.npos; at = text.find(separator)) {
        pieces.push_back(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    pieces.push_back(text);
    return pieces;
}

/// What stands between the commas, or other separators, trimmed.
inline std::vector<std::string_view> split_list(std::string_view text, char separator = ',') {
    std::vector<std::string_view> pieces = split(text, separator);
    for (std::string_view& piece : pieces) {
        piece = trimmed(piece);
    }
    return pieces;
}

/// The numbers between the commas. Empty if one piece is not a number, as in an empty text.
template <typename T>
std::optional<std::vector<T>> parse_list(std::string_view text) {
    std::vector<T> numbers;
    for (const std::string_view piece : split_list(text)) {
        const std::optional<T> number = parse_number<T>(piece);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

}  // namespace ropescope
