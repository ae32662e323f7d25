// Can a score be written as a function of the content times a function of the distance? The
// singular values of the table of scores [contents, distances] say how many such products it takes.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/score.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// One content: the terms of its q and k, [pairs].
using ContentTerms = std::vector<PairTerm>;

/// Returns the scores q_m . k_n, [contents, distances]: sum_i c_i cos(delta theta_i) + s_i
/// sin(delta theta_i). The rank of this table is at most twice the number of different frequencies.
Eigen::MatrixXd rope_score_table(const Spectrum& spectrum, std::span<const ContentTerms> contents,
                                 std::span<const Index> distances);

/// Tables of the same contents under a bias that depends on the distance alone, bias(delta) = (1/P)
/// sum_i cos(delta theta_i): q . k times the bias (rank 1), and q . k plus `size` times the bias
/// (rank 2; ALiBi and T5 add their biases in this way).
Eigen::MatrixXd multiplied_bias_table(const Spectrum& spectrum,
                                      std::span<const ContentTerms> contents,
                                      std::span<const Index> distances);
Eigen::MatrixXd added_bias_table(const Spectrum& spectrum, std::span<const ContentTerms> contents,
                                 std::span<const Index> distances, double size);

/// Returns how many singular values exceed `tolerance` times the first.
Index numerical_rank(std::span<const double> singular, double tolerance);
/// Returns the share of the sum of squares that is not in the first: 0 for a separable table.
double beyond_rank_one(std::span<const double> singular);

}  // namespace ropescope
