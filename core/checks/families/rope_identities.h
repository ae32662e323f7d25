// Identities of the rotation. Tests also run them on deliberately faulty routes.
#pragma once

#include <Eigen/SparseCore>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/checks/sweep.h"

namespace ropescope {

/// Holds every rotator to the first.
Finding routes_agree(std::span<const Rotator> rotators, const Cases& cases = {});

/// Gives whole matrices R_{Theta,m}, without the entries that are exactly 0, one for each position.
struct MatrixSource {
    std::string name;
    Precision precision;
    std::function<std::vector<Eigen::SparseMatrix<double>>(const Rope&,
                                                           std::span<const std::int64_t> positions)>
        matrices;
};

/// A source from a function that gives the matrix dense and row-major in double, as
/// rotation_matrix() does.
using DenseMatrix = std::vector<double> (*)(const RopeSpec&, const Spectrum&,
                                            std::int64_t position);
MatrixSource route_matrix(std::string name, DenseMatrix dense);

/// A source whose columns are the rotated basis vectors.
MatrixSource basis_matrix(const Rotator& rotator);

Finding matrices_orthogonal(std::span<const MatrixSource> sources, const Cases& cases = {});
/// R_m^T R_n = R_{n-m}
Finding matrices_relative(std::span<const MatrixSource> sources, const Cases& cases = {});

}  // namespace ropescope
