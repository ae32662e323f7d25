// "Did you mean" for names that users type.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// Returns up to three candidates nearest to `word` by edit distance, ignoring case, the nearest
/// first; empty if none is near.
std::vector<std::string> near_matches(std::string_view word,
                                      std::span<const std::string> candidates);

/// Returns "; did you mean 'base' or 'pairs'?", to append to an error message; "" if nothing is
/// near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace ropescope
