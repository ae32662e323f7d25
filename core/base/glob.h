// Patterns for names in the manner of a shell, with * and ? only. fnmatch(3) would give a meaning
// to brackets and backslashes, too, and depends on the locale.
#pragma once

#include <string_view>

namespace ropescope {

/// Whether the whole text matches: '*' stands for any number of bytes, also none, '?' for exactly
/// one.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace ropescope
