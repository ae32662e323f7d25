// Numbers and lists as a person types them, read the same in every locale.
#pragma once

#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/read_number.h"

namespace ropescope {

/// The text without spaces and tabs around it.
constexpr std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == text.npos ? std::string_view{}
                              : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The whole text as a number; a leading '+' is allowed. Empty if the text is anything else.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    T number{};
    const char* end = text.data() + text.size();
    const auto [stopped, error] = read_number(text.data(), end, number);
    return error == std::errc{} && stopped == end && !text.empty() ? std::optional(number)
                                                                   : std::nullopt;
}

/// What stands between the commas, trimmed; one piece more than there are commas.
inline std::vector<std::string_view> split_list(std::string_view text, char separator = ',') {
    std::vector<std::string_view> pieces;
    for (auto comma = text.find(separator); comma != text.npos; comma = text.find(separator)) {
        pieces.push_back(trimmed(text.substr(0, comma)));
        text.remove_prefix(comma + 1);
    }
    pieces.push_back(trimmed(text));
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
