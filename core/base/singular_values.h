// Singular values of a matrix.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace ropescope {

/// Returns the singular values in descending order, each off by at most 100 max(rows, columns)
/// units of 2^-53 of the largest.
std::vector<double> singular_values(const Eigen::MatrixXd& matrix);

}  // namespace ropescope
