// Scores of random q and k against the distance: what a head sees of the decay on average, and how
// far one head may be from it.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/rope/spectrum.h"

namespace ropescope {

/// In every pair q and k are unit vectors and k's lies within +-angle_rad of q's, evenly: 0 is
/// k = q, pi is k independent of q.
struct RandomContent {
    double angle_rad = 3.141592653589793;
    std::uint64_t seed = 1;
    int draws = 256;
};

/// q_m . k_n = sum_i cos(c_i + delta theta_i), [distances] each, in fp32 arithmetic: of the mean
/// and the quantiles it costs 1e-4 or less.
struct RandomScores {
    std::vector<double> mean;
    std::vector<double> low, high;  ///< 5 % of the draws lie below low, 5 % above high
};
/// Empty when a stop is asked for before it is done.
RandomScores random_scores(const Spectrum& spectrum, std::span<const std::int64_t> distances,
                           const RandomContent& content, const std::stop_token& stop = {});

/// Exact over all contents, for one distance: the mean, which is mean_share() of the cosine sum,
/// and the standard deviation.
struct ScoreSpread {
    double mean = 0, deviation = 0;
};
ScoreSpread score_spread(const Spectrum& spectrum, std::int64_t distance, double angle_rad);

/// What the mean tends to: sin(angle)/angle times the cosine sum. 1 for angle 0, 0 for pi.
double mean_share(double angle_rad);

}  // namespace ropescope
