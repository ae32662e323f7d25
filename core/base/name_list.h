// Lists of names that fit into a one-line message.
#pragma once

#include <span>
#include <string>

namespace ropescope {

/// Returns "a, b, c", or "a, b, c and 97 more" if there are more than `most` names.
std::string first_names(std::span<const std::string> names, std::size_t most = 3);

}  // namespace ropescope
