// Shell-like patterns for names.
#pragma once

#include <string_view>

namespace ropescope {

/// '*' stands for any run of characters (also none), '?' for exactly one; the whole text must
/// match.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace ropescope
