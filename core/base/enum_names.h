// Enums as text: one table of names for a type, used by settings, files and messages alike.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// The names of an enum's values, in their order; the values count from 0. Specialized beside the
/// enum. A bool is named, too: no and yes.
template <typename E>
inline constexpr std::array<std::string_view, 0> kEnumNames = {};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<bool> = {"no", "yes"};

/// A type with such a table.
template <typename E>
concept Named = !kEnumNames<E>.empty();

template <Named E>
constexpr std::string_view to_string(E value) {
    return kEnumNames<E>[static_cast<std::size_t>(value)];
}

/// The value of that name; empty if there is none.
template <Named E>
constexpr std::optional<E> enum_value(std::string_view name) {
    for (std::size_t i = 0; i < kEnumNames<E>.size(); ++i) {
        if (kEnumNames<E>[i] == name) {
            return static_cast<E>(i);
        }
    }
    return std::nullopt;
}

/// All names, in the order of the values.
template <Named E>
std::vector<std::string> enum_names() {
    return {kEnumNames<E>.begin(), kEnumNames<E>.end()};
}

}  // namespace ropescope
