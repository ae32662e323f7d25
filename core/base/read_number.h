// A number at the beginning of a text, as std::from_chars reads it: without spaces, sign '+' or
// locale. Sources: read_number.cpp; read_number_by_strtod.cpp where the standard library reads no
// double so.
#pragma once

#include <charconv>
#include <concepts>

namespace ropescope {

std::from_chars_result read_number(const char* first, const char* last, double& value);

template <std::integral Number>
std::from_chars_result read_number(const char* first, const char* last, Number& value) {
    return std::from_chars(first, last, value);
}

}  // namespace ropescope
