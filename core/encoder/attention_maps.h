// Attention maps of one head, reduced to a given size, from what a trace keeps of a long sequence:
// q, k and the logarithm of the sum of each row.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/encoder/trace.h"

namespace ropescope {

/// The map of one head in [cells, cells] cells of block x block pairs of positions (the last ones
/// may be smaller), and the scores by distance.
struct HeadMap {
    Index cells = 0;            ///< on each side
    Index block = 1;            ///< positions on each side of a cell
    std::vector<float> scores;  ///< [query, key]: mean of each cell, before the mask
    std::vector<float>
        probs;  ///< [query, key]: largest of each cell, over the queries of MapDetail
    /// Mean and standard deviation of the scores in each bin of distances key - query. Bin i holds
    /// the distances first_distance + i bin .. first_distance + (i + 1) bin - 1.
    Index first_distance = 0, bin = 1;
    std::vector<double> mean_score, deviation;
};

/// How much of a long sequence to compute.
struct MapDetail {
    Index most_cells = 256;  ///< on each side
    /// Probabilities and distances use every n-th query with this n, at most the side of a cell.
    /// Means of scores use all queries.
    Index query_step = 1;
    /// Keys from this one on are masked: their probability is 0. If empty, no key is masked.
    std::optional<Index> seen_keys = {};
};

/// Computes the map of a head for the first sample of a trace that holds q, k and log_sums. There
/// are at most 4 most_cells bins. Scores are q . k / sqrt(head_dim) in fp32. A score is linear in
/// query and key, so the mean over a cell is the score of its mean query with its mean key.
HeadMap head_map(const LayerTrace& layer, Index head, const MapDetail& detail = {});

/// Returns the layer with all keys and every n-th query and its log_sum, n = `step`, without maps:
/// as much as largest_change() needs.
LayerTrace with_every_nth_query(const LayerTrace& layer, Index step);

/// How far two passes over the same tokens lie apart: the largest |a - b| over all pairs of query
/// and key; for probabilities only over the keys before `seen_keys`.
struct MapChange {
    double score = 0.0;
    double prob = 0.0;
};
MapChange largest_change(const LayerTrace& a, const LayerTrace& b, Index head,
                         std::optional<Index> seen_keys = {});

// What an attention head does with a text, measured on its probabilities. The roles are those that
// studies of trained encoders name: Clark, Khandelwal, Levy, Manning, "What does BERT look at?"
// (2019), section 3; Voita et al., "Analyzing multi-head self-attention" (2019), section 5.

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
