// What an attention head does with a text, measured on its probabilities. The roles are those that
// studies of trained encoders name: Clark, Khandelwal, Levy, Manning, "What does BERT look at?"
// (2019), section 3; Voita et al., "Analyzing multi-head self-attention" (2019), section 5.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"

namespace ropescope {

/// mixed: none of the others.
enum class HeadRole { mixed, previous, next, same_token, delimiter, first_token, by_distance };
template <>
inline constexpr std::array<std::string_view, 7> kEnumNames<HeadRole> = {
    "mixed", "previous", "next", "same token", "delimiter", "first token", "by distance"};

/// All but `mixed`, which has no share.
inline constexpr std::array kMeasuredRoles = {HeadRole::previous,    HeadRole::next,
                                              HeadRole::same_token,  HeadRole::delimiter,
                                              HeadRole::first_token, HeadRole::by_distance};

/// The tokens of a text as the roles see them.
struct RoleTokens {
    std::vector<Index> ids;       ///< one for each token; equal ids are the same token
    std::vector<bool> delimiter;  ///< for each token: whether it ends or divides sentences
    Index seen = 0;               ///< tokens from this one on are padding: neither query nor key
};

/// Each share is 0 .. 1.
struct RoleShares {
    /// Mean over the queries of the probability that a query gives to the token before it, the
    /// token behind it, all tokens equal to it (itself among them), all delimiters, and the first
    /// token. The first query has no token before it, and the last none behind it; they do not
    /// count there.
    double previous = 0, next = 0, same_token = 0, delimiter = 0, first_token = 0;
    /// How much of the probabilities' variance their mean at each distance explains: the adjusted
    /// R^2 for the 2 n - 1 means of n tokens, at least 0.
    double by_distance = 0;

    double of(HeadRole role) const;
};

/// `probs`: [tokens, tokens], query by query, after mask and softmax.
RoleShares role_shares(std::span<const float> probs, const RoleTokens& tokens);

struct LabelledRole {
    HeadRole role = HeadRole::mixed;
    double share = 0;  ///< of that role; of a mixed head 0
};
/// The role that stands out most from what a head that looks at all keys alike would give it: its
/// share covers at least a quarter of the way from there to 1. If none does and distance explains
/// at least half of the variance, by_distance; else mixed.
LabelledRole label_head(const RoleShares& shares, const RoleTokens& tokens);

}  // namespace ropescope
