#include "app/cli/picture_size.h"

#include <charconv>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope::cli {

PictureSize parse_size(std::string_view text) {
    PictureSize size;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, size.width);
    const bool separated = first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x';
    const auto second = separated ? std::from_chars(first.ptr + 1, end, size.height)
                                  : std::from_chars_result{end, {}};
    const bool whole = separated && second.ec == std::errc{} && second.ptr == end;
    if (!whole || size.width < 1 || size.height < 1) {
        throw InputError(fmt::format(
            "--size: '{}' is not a size; give WIDTHxHEIGHT, for example 1600x1000", text));
    }
    return size;
}

}  // namespace ropescope::cli
