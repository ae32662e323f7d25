// Can a score be written as content times position? The singular values of the table of scores over
// content x distance say how many such products it takes.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "core/rope/score.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// One content: the terms of its q and k, pair by pair.
using ContentTerms = std::vector<PairTerm>;

/// Scores q_m . k_n [contents, distances]: sum_i c_i cos(delta theta_i) + s_i sin(delta theta_i).
/// Its rank is at most twice the number of different frequencies.
Eigen::MatrixXd rope_score_table(const Spectrum& spectrum, std::span<const ContentTerms> contents,
                                 std::span<const std::int64_t> distances);

/// The same contents under a bias that knows the distance only, bias(delta) = (1/P) sum_i
/// cos(delta theta_i): q . k times it (rank 1), and q . k plus `size` times it (rank 2, as ALiBi's
/// and T5's biases are added).
Eigen::MatrixXd multiplied_bias_table(const Spectrum& spectrum,
                                      std::span<const ContentTerms> contents,
                                      std::span<const std::int64_t> distances);
Eigen::MatrixXd added_bias_table(const Spectrum& spectrum, std::span<const ContentTerms> contents,
                                 std::span<const std::int64_t> distances, double size);

/// Descending, each within 100 max(rows, columns) units of 2^-53 of the largest.
std::vector<double> singular_values(const Eigen::MatrixXd& table);

/// How many are above `tolerance` times the first.
int numerical_rank(std::span<const double> singular, double tolerance);
/// The part of the sum of squares that the first one leaves out: 0 for a separable table.
double beyond_rank_one(std::span<const double> singular);

}  // namespace ropescope
