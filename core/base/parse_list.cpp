// Says why a text that looks like a number is refused.
#include "core/base/parse_list.h"

#include <cctype>
#include <cstdlib>

#include "core/base/characters.h"

namespace ropescope {
namespace {

/// "010", "0x10", "-0b1"; not "0.5" and "0e5".
bool may_have_another_base(std::string_view digits) {
    return digits.starts_with('0') && digits.size() > 1 &&
           std::isalnum(static_cast<unsigned char>(digits[1])) != 0 && digits[1] != 'e' &&
           digits[1] != 'E';
}

std::string_view why_misread(std::string_view text) {
    if (text != trimmed(text)) {
        return "has a space around it; leave it out";
    }
    if (text.starts_with('+')) {
        return "has a + in front; leave it out";
    }
    if (may_have_another_base(text.substr(text.starts_with('-') ? 1 : 0))) {
        return "may be a number of another base; give it in decimal, without zeros in front";
    }
    double value = 0;
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
    if (error != std::errc::result_out_of_range || end != text.data() + text.size()) {
        return "";
    }
    return std::strtod(std::string(text).c_str(), nullptr) == 0.0
               ? "is too small for a number of 64 bits; give 0 or a larger one"
               : "is too large for a number of 64 bits; give a smaller one";
}

}  // namespace

std::string misread(std::string_view text) {
    const std::string_view why = why_misread(text);
    return why.empty() ? "" : in_quotes(text) + " " + std::string(why);
}

std::string misread(const std::vector<std::string_view>& pieces) {
    for (const std::string_view piece : pieces) {
        if (std::string why = misread(piece); !why.empty()) {
            return why;
        }
    }
    return "";
}

}  // namespace ropescope
