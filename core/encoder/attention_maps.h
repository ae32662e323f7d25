// Attention maps of one head, reduced to a given size, from what a trace keeps of a long sequence:
// q, k and the logarithm of the sum of each row.
#pragma once

#include <optional>
#include <vector>

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

}  // namespace ropescope
