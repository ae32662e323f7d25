// Joins the first names of a list and counts the rest.
#include "core/base/name_list.h"

#include <algorithm>
#include <fmt/format.h>

namespace ropescope {

std::string first_names(std::span<const std::string> names, std::size_t most) {
    const auto shown = names.first(std::min(most, names.size()));
    std::string text = fmt::format("{}", fmt::join(shown, ", "));
    if (shown.size() < names.size()) {
        text += fmt::format(" and {} more", names.size() - shown.size());
    }
    return text;
}

}  // namespace ropescope
