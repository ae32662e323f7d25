// Identities of the rotation whose computation tests also run on deliberately faulty routes.
#pragma once

#include <Eigen/SparseCore>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/checks/rotator.h"

namespace ropescope {

/// The first rotator is the reference; every other one is held to it.
Finding routes_agree(std::span<const Rotator> rotators);

/// A way to get the whole matrix R_{Theta,m}; entries that are exactly 0 are left out.
struct MatrixSource {
    std::string name;
    Precision precision;
    std::function<Eigen::SparseMatrix<double>(const Rope&, std::int64_t position)> matrix;
};

/// From a function that makes it dense and row-major, in double, as rotation_matrix() does.
using DenseMatrix = std::vector<double> (*)(const RopeSpec&, const Spectrum&,
                                            std::int64_t position);
MatrixSource route_matrix(std::string name, DenseMatrix dense);

/// Its columns are the rotated basis vectors.
MatrixSource basis_matrix(const Rotator& rotator);

Finding matrices_orthogonal(std::span<const MatrixSource> sources);
/// R_m^T R_n = R_{n-m}
Finding matrices_relative(std::span<const MatrixSource> sources);

}  // namespace ropescope
