// Reads a size in one of three units.
#include "app/plot/picture_size.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/parse_list.h"
#include "core/base/printable.h"

namespace ropescope::plot {

PictureSize parse_picture_size(std::string_view name, std::string_view text) {
    constexpr double kMost = 1e6;
    constexpr std::array<std::pair<std::string_view, double>, 3> kLengths = {
        {{"mm", kUnitsPerInch / 25.4}, {"in", kUnitsPerInch}, {"px", 1}}};
    std::string_view numbers = text;
    double units = 1;
    bool whole = true;
    for (const auto& [length, factor] : kLengths) {
        if (text.ends_with(length)) {
            numbers.remove_suffix(length.size());
            units = factor;
            whole = length == "px";
        }
    }
    const auto sides = split_list(numbers, 'x');
    const auto side = [&](std::string_view number) {
        const double given = whole ? parse_number<int>(number).value_or(0)
                                   : parse_number<double>(number).value_or(0);
        const double rounded = std::round(given * units);
        return rounded >= 1 && rounded <= kMost ? static_cast<int>(rounded) : 0;  // not NaN
    };
    const PictureSize size{side(sides.front()), side(sides.back())};
    if (sides.size() != 2 || size.width < 1 || size.height < 1) {
        throw InputError(
            fmt::format("{}: {} is not a size; give WIDTHxHEIGHT, for example 1600x1000, 84x60mm "
                        "or 3.3x2.5in",
                        name, in_quotes(text)));
    }
    return size;
}

}  // namespace ropescope::plot
