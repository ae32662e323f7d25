// A head's attention map at any size, from what a trace keeps of a long sequence: q, k and the
// logarithms of the rows' sums.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/encoder/trace.h"

namespace ropescope {

/// The map of one head in cells of block x block pairs of positions (the last ones may be smaller),
/// and its scores by distance.
struct HeadMap {
    std::int64_t cells = 0;  ///< a side
    std::int64_t block = 1;
    std::vector<float> scores;  ///< [query, key]: the mean of each cell, before the mask
    std::vector<float> probs;   ///< the largest of each cell's queries that are looked at
    /// Scores whose distance key - query lies in bin i: first_distance + i bin .. + bin - 1.
    std::int64_t first_distance = 0, bin = 1;
    std::vector<double> mean_score, deviation;
};

/// How much of a long sequence is looked at.
struct MapDetail {
    std::int64_t most_cells = 256;  ///< a side
    /// Every so many-th query counts for probabilities and distances (a mean of scores is that of
    /// all in any case); at most a cell's side.
    std::int64_t query_step = 1;
    /// Keys from this one on were masked: their probability is 0. None: all are seen.
    std::optional<std::int64_t> seen_keys = {};
};

/// Of the first sample of a trace with q, k and log_sums; bins are four times as many as cells.
/// Scores are q . k / sqrt(head_dim) in fp32; the mean over a cell is the score of its mean query
/// with its mean key, for a score is linear in both.
HeadMap head_map(const LayerTrace& layer, std::int64_t head, const MapDetail& detail = {});

/// The layer with every `step`-th query and its row's sum, for largest_change(); all keys, no maps.
LayerTrace with_every_nth_query(const LayerTrace& layer, std::int64_t step);

/// How far two runs on the same tokens lie apart: the largest |a - b| over the pairs of their
/// queries and keys, of probabilities over the keys before `seen_keys`.
struct MapChange {
    double score = 0.0;
    double prob = 0.0;
};
MapChange largest_change(const LayerTrace& a, const LayerTrace& b, std::int64_t head,
                         std::optional<std::int64_t> seen_keys = {});

}  // namespace ropescope
