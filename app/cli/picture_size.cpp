// Parses --size.
#include "app/cli/picture_size.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope::cli {

PictureSize parse_size(std::string_view text) {
    const std::vector<std::string_view> sides = split_list(text, 'x');
    const PictureSize size{parse_number<int>(sides.front()).value_or(0),
                           parse_number<int>(sides.back()).value_or(0)};
    if (sides.size() != 2 || size.width < 1 || size.height < 1) {
        throw InputError(fmt::format(
            "--size: '{}' is not a size; give WIDTHxHEIGHT, for example 1600x1000", text));
    }
    return size;
}

}  // namespace ropescope::cli
