// "Did you mean" for names that users type.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// Up to three candidates nearest to `word` by edit distance without regard to case, nearest first;
/// none when nothing is near.
std::vector<std::string> near_matches(std::string_view word,
                                      std::span<const std::string> candidates);

/// "; did you mean 'base' or 'pairs'?" or "" when nothing is near: to be appended to an error.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace ropescope
