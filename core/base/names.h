// Names that users type: which are near, which a pattern means, and lists of them in one line.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace ropescope {

// "Did you mean" for names that users type.

/// Returns up to three candidates nearest to `word` by edit distance, ignoring case, the nearest
/// first; empty if none is near.
std::vector<std::string> near_matches(std::string_view word,
                                      std::span<const std::string> candidates);

/// Returns "; did you mean 'base' or 'pairs'?", to append to an error message; "" if nothing is
/// near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// Returns the element of `list` whose `name` (a member or a function of it) is `wanted`. If there
/// is none, throws InputError with the message refusal(near), where `near` is did_you_mean().
template <typename List, typename Name, typename Refusal>
const auto& element_named(const List& list, Name name, std::string_view wanted, Refusal refusal) {
    const auto found = std::ranges::find(list, wanted, name);
    if (found == std::ranges::end(list)) {
        std::vector<std::string> names;
        std::ranges::transform(list, std::back_inserter(names), name);
        throw InputError(refusal(did_you_mean(wanted, names)));
    }
    return *found;
}

// Lists of names that fit into a one-line message.

/// Returns "a, b, c", or "a, b, c and 97 more" if there are more than `most` names.
std::string first_names(std::span<const std::string> names, std::size_t most = 3);

// Patterns for names in the manner of a shell, with * and ? only. fnmatch(3) would give a meaning
// to brackets and backslashes, too, and depends on the locale.

/// Whether the whole text matches: '*' stands for any number of bytes, also none, '?' for exactly
/// one.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace ropescope
