// The small algebra that the claims share: dense rotations in double, fixed vectors, counts as
// evidence.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "core/claims/claim.h"
#include "core/rope/rope_spec.h"

namespace ropescope::claims {

inline constexpr double kUnit = 0x1p-53;  ///< unit roundoff of double

/// R(angle) = [[cos, -sin], [sin, cos]].
Eigen::Matrix2d turn(double angle_rad);

/// Interleaved pairs, as the documents write the matrix.
RopeSpec interleaved_spec(Index head_dim, double base);

/// R_{Theta,m}, [head_dim, head_dim].
Eigen::MatrixXd rotation(const RopeSpec& spec, std::int64_t position);

/// Fixed noise of variance 1, the same everywhere.
Eigen::VectorXd vector(std::uint64_t seed, Index size);
Eigen::MatrixXd matrix(std::uint64_t seed, Index rows, Index columns);

/// Largest absolute entry of a - b.
double largest_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// Evidence that is a count: the correct number must come out exactly.
Evidence exact_count(std::string what, std::int64_t counted, std::int64_t expected);

/// Entries of a product of two d x d rotations of positions below 2^20: each factor's entries carry
/// the error of a reduced angle and of cos or sin, under 12 units together
/// (core/checks/reference/error_model.h), and every row has two products and a sum. 2 * 12 + 3
/// units, doubled for the other side of an equation.
inline constexpr double kProductOfRotations = 54 * kUnit;

}  // namespace ropescope::claims
