// A head's attention map at any size, from what a trace keeps of a long sequence: q, k and the
// logarithms of the rows' sums.
#pragma once

#include <cstdint>
#include <vector>

#include "core/encoder/trace.h"

namespace ropescope {

/// The map of one head in cells of block x block pairs of positions (the last ones may be smaller),
/// and its scores by distance.
struct HeadMap {
    std::int64_t cells = 0;  ///< a side
    std::int64_t block = 1;
    std::vector<float> scores;  ///< [query, key]: the mean of each cell, before the mask
    std::vector<float> probs;   ///< the largest of each cell
    /// Scores whose distance key - query lies in bin i: first_distance + i bin .. + bin - 1.
    std::int64_t first_distance = 0, bin = 1;
    std::vector<double> mean_score, deviation;
};

/// Of the first sample of a trace with q, k and log_sums, at most so many cells a side and four
/// times as many bins. Scores are q . k / sqrt(head_dim) in fp32; means are summed in double.
HeadMap head_map(const LayerTrace& layer, std::int64_t head, std::int64_t most_cells);

/// How far two runs on the same tokens lie apart: the largest |a - b| over all pairs of positions.
struct MapChange {
    double score = 0.0;
    double prob = 0.0;
};
MapChange largest_change(const LayerTrace& a, const LayerTrace& b, std::int64_t head);

}  // namespace ropescope
