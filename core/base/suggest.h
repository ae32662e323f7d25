// "Did you mean" for names that users type.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace ropescope {

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

}  // namespace ropescope
