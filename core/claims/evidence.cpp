// Dense rotations, fixed vectors and counts for the claims.
#include "core/claims/evidence.h"

#include <cmath>

#include "core/rope/routes.h"
#include "core/systems/probe.h"

namespace ropescope::claims {

Eigen::Matrix2d turn(double angle_rad) {
    Eigen::Matrix2d r;
    r << std::cos(angle_rad), -std::sin(angle_rad), std::sin(angle_rad), std::cos(angle_rad);
    return r;
}

RopeSpec interleaved_spec(Index head_dim, double base) {
    return {
        .head_dim = head_dim, .rotary_dim = head_dim, .base = base, .layout = Layout::interleaved};
}

Eigen::MatrixXd rotation(const RopeSpec& spec, std::int64_t position) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const std::vector<double> values = rotation_matrix(spec, position);
    return Eigen::Map<const RowMajor>(values.data(), spec.head_dim, spec.head_dim);
}

Eigen::VectorXd vector(std::uint64_t seed, Index size) {
    const std::vector<double> values = systems::fixed_noise(seed, size);
    return Eigen::Map<const Eigen::VectorXd>(values.data(), size);
}

Eigen::MatrixXd matrix(std::uint64_t seed, Index rows, Index columns) {
    return vector(seed, rows * columns).reshaped(rows, columns);
}

double largest_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (a - b).cwiseAbs().maxCoeff();
}

Evidence exact_count(std::string what, std::int64_t counted, std::int64_t expected) {
    Evidence evidence;
    evidence.what = std::move(what);
    evidence.error = static_cast<double>(std::abs(counted - expected));
    evidence.bound_reason = "a count, exact";
    return evidence;
}

}  // namespace ropescope::claims
