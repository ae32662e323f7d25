// Scores of random queries and keys against the distance: the decay that a head sees on average,
// and how far a single head may be from it.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// Distribution of q and k: in every pair both are unit vectors, and the angle from q to k is
/// uniform in +-angle_rad. 0 means k = q, pi means that k is independent of q.
struct RandomContent {
    double angle_rad = 3.141592653589793;
    std::uint64_t seed = 1;
    Index draws = 256;  ///< pairs of q and k
};

/// Scores q_m . k_n = sum_i cos(c_i + delta theta_i) over the draws, [distances] each. They are
/// computed in fp32, which moves mean and quantiles by at most 1e-4.
struct RandomScores {
    std::vector<double> mean;
    std::vector<double> low, high;  ///< 5 % of the draws lie below low, 5 % above high
};
/// Draws and computes. Returns empty curves if `stop` is requested before the end.
RandomScores random_scores(const Spectrum& spectrum, std::span<const Index> distances,
                           const RandomContent& content, const std::stop_token& stop = {});

/// Mean and standard deviation of the score over all contents at one distance, in closed form.
struct ScoreSpread {
    double mean = 0, deviation = 0;
};
ScoreSpread score_spread(const Spectrum& spectrum, Index distance, double angle_rad);

/// The mean score as a share of the cosine sum: sin(angle) / angle, 1 for angle 0, 0 for pi.
double mean_share(double angle_rad);

}  // namespace ropescope
