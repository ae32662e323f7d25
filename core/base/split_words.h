// The words of a text.
#pragma once

#include <string_view>
#include <vector>

namespace ropescope {

/// What ASCII's white space parts.
inline std::vector<std::string_view> split_words(std::string_view text) {
    constexpr std::string_view kSpaces = " \t\n\v\f\r";
    std::vector<std::string_view> words;
    for (auto begin = text.find_first_not_of(kSpaces); begin != text.npos;
         begin = text.find_first_not_of(kSpaces)) {
        text.remove_prefix(begin);
        words.push_back(text.substr(0, text.find_first_of(kSpaces)));
        text.remove_prefix(words.back().size());
    }
    return words;
}

}  // namespace ropescope
