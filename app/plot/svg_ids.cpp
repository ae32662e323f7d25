// Renumbers the identifiers of an SVG.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "app/plot/figure_file.h"

namespace ropescope::plot {
namespace {

constexpr std::array<std::string_view, 4> kPrefixes = {"surface", "image", "source", "mask"};

/// The identifier that begins `text`: a prefix and at least one digit. Empty if there is none.
std::string_view leading_id(std::string_view text) {
    for (const std::string_view prefix : kPrefixes) {
        if (text.starts_with(prefix)) {
            const std::size_t end =
                std::min(text.find_first_not_of("0123456789", prefix.size()), text.size());
            return end > prefix.size() ? text.substr(0, end) : std::string_view{};
        }
    }
    return {};
}

}  // namespace

std::string with_local_ids(std::string_view svg) {
    std::map<std::string_view, std::string> local;
    std::string result;
    result.reserve(svg.size());
    // Identifiers follow a quote where they are given and a '#' where they are used; neither is in
    // the base64 of a picture.
    for (std::size_t at = 0; at < svg.size();) {
        const std::size_t mark = std::min(svg.find_first_of("\"#", at), svg.size() - 1);
        result += svg.substr(at, mark + 1 - at);
        at = mark + 1;
        const std::string_view id = leading_id(svg.substr(at));
        if (!id.empty()) {
            const std::string_view prefix = id.substr(0, id.find_first_of("0123456789"));
            result +=
                local.try_emplace(id, fmt::format("{}{}", prefix, local.size())).first->second;
            at += id.size();
        }
    }
    return result;
}

}  // namespace ropescope::plot
