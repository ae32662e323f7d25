// In place of read_number.cpp, by strtod: kept from what it reads beyond std::from_chars.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "core/base/read_number.h"

namespace ropescope {

std::from_chars_result read_number(const char* first, const char* last, double& value) {
    // "inf" and "nan" may follow the sign; hexadecimal digits, spaces and '+' may not.
    const char* begin = first != last && *first == '-' ? first + 1 : first;
    const bool hexadecimal =
        last - begin > 1 && begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');
    if (begin == last || *begin == '+' || *begin == '-' || *begin == ' ' ||
        (*begin >= '\t' && *begin <= '\r')) {
        return {first, std::errc::invalid_argument};
    }
    const std::string text(first, hexadecimal ? begin + 1 : last);
    char* end = nullptr;
    const double read = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) {
        return {first, std::errc::invalid_argument};
    }
    const char* behind = first + (end - text.c_str());
    const bool digits = std::any_of(begin, behind, [](char c) { return c >= '0' && c <= '9'; });
    const bool zero_written =
        digits &&
        std::none_of(begin,
                     std::find_if(begin, behind, [](char c) { return c == 'e' || c == 'E'; }),
                     [](char c) { return c >= '1' && c <= '9'; });
    if ((digits && !std::isfinite(read)) || (digits && read == 0 && !zero_written)) {
        return {behind, std::errc::result_out_of_range};
    }
    value = read;
    return {behind, std::errc()};
}

}  // namespace ropescope
