// Takes singular values from the eigenvalues of a symmetric matrix.
#include "core/base/singular_values.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace ropescope {
namespace {

/// A square matrix with the singular values of `tall`, which has at least as many rows as columns.
Eigen::MatrixXd square_factor(const Eigen::MatrixXd& tall) {
    return Eigen::HouseholderQR<Eigen::MatrixXd>(tall)
        .matrixQR()
        .topRows(tall.cols())
        .triangularView<Eigen::Upper>();
}

}  // namespace

/// The eigenvalues of [[0, R], [R^T, 0]] are the singular values of R and the same negated. Unlike
/// those of R^T R they are exact to rounding errors of the largest. Eigen's own decompositions take
/// four times as long to compile.
std::vector<double> singular_values(const Eigen::MatrixXd& matrix) {
    const bool tall = matrix.rows() >= matrix.cols();
    const Eigen::MatrixXd square = square_factor(tall ? matrix : matrix.transpose());
    const Eigen::Index size = square.rows();
    Eigen::MatrixXd symmetric = Eigen::MatrixXd::Zero(2 * size, 2 * size);
    symmetric.topRightCorner(size, size) = square;
    symmetric.bottomLeftCorner(size, size) = square.transpose();
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
            .eigenvalues()
            .tail(size)
            .reverse()
            .cwiseMax(0.0);
    return {values.begin(), values.end()};
}

}  // namespace ropescope
