// The claims of the walk through Llama about the mathematics of the rotation.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "core/claims/claim.h"
#include "core/claims/llama_walkthrough.h"
#include "core/rope/spectrum.h"

namespace ropescope::claims {
namespace {

// The document's own example sizes: positions 7 and 3 at theta = 0.3.
constexpr double kTheta = 0.3;
constexpr double kM = 7;
constexpr double kN = 3;
// Entries of plane rotations: cos and sin within one unit each, two products and a sum, both sides.
constexpr double kPlaneBound = 12 * kUnit;

/// A rounded row-wise softmax.
Eigen::MatrixXd softmax(Eigen::MatrixXd scores) {
    for (Eigen::Index r = 0; r < scores.rows(); ++r) {
        scores.row(r) = (scores.row(r).array() - scores.row(r).maxCoeff()).exp();
        scores.row(r) /= scores.row(r).sum();
    }
    return scores;
}

Eigen::MatrixXd attention(const Eigen::MatrixXd& scores, const Eigen::MatrixXd& v) {
    return softmax(scores / std::sqrt(static_cast<double>(v.cols()))) * v;
}

/// The document's second row for the rotated point, taken as printed, against R (x, y).
struct Point {
    double radius = 2.0;
    double angle = 0.5;   ///< theta: where the point is
    double turned = 0.3;  ///< gamma: how far it is turned
    double x1() const { return radius * std::cos(angle); }
    double y1() const { return radius * std::sin(angle); }
    Eigen::Vector2d rotated() const { return turn(turned) * Eigen::Vector2d(x1(), y1()); }
};

// Two rotations' entries times a radius of 2, and the sum of angles rounded once.
constexpr double kPointBound = 2 * kPlaneBound;

}  // namespace

Evidence product_of_transposes() {
    // Five positions and five channels, so that both products have a shape.
    const Eigen::MatrixXd q = matrix(1, 5, 5);
    const Eigen::MatrixXd k = matrix(2, 5, 5);
    const Eigen::MatrixXd v = matrix(3, 5, 5);
    const Eigen::MatrixXd right = softmax(q * k.transpose());
    return {
        .what = "rows of softmax(Q K^T / sqrt d) sum to 1",
        .error = (right.rowwise().sum().array() - 1.0).abs().maxCoeff(),
        .bound = 8 * kUnit,
        .bound_reason = "five quotients and their sum",
        .refutation = Refutation{"|softmax(Q^T K / sqrt d) V - softmax(Q K^T / sqrt d) V|, 5 x 5",
                                 largest_difference(attention(q.transpose() * k, v),
                                                    attention(q * k.transpose(), v)),
                                 0.01},
        .detail = "with 5 positions and 8 channels Q^T K is 8 x 8 and does not meet V"};
}

Evidence order_of_difference() {
    const Eigen::Matrix2d product = turn(kM * kTheta).transpose() * turn(kN * kTheta);
    return {.what = "max |R_m^T R_n - R_{n-m}|, m = 7, n = 3, theta = 0.3",
            .error = largest_difference(product, turn((kN - kM) * kTheta)),
            .bound = kPlaneBound,
            .bound_reason = "12 units: plane rotations and a product",
            .refutation = Refutation{"max |R_m^T R_n - R_{m-n}|",
                                     largest_difference(product, turn((kM - kN) * kTheta)), 0.1}};
}

Evidence score_as_product() {
    const Eigen::Vector2d q = vector(1, 2);
    const Eigen::Vector2d k = vector(2, 2);
    const double scale = q.norm() * k.norm();
    const double rotated = (turn(kM * kTheta) * q).dot(turn(kN * kTheta) * k);
    return {
        .what = "|(R_m q).(R_n k) - q^T R_{n-m} k| / (|q||k|)",
        .error = std::abs(rotated - q.dot(turn((kN - kM) * kTheta) * k)) / scale,
        .bound = 2 * kPlaneBound,
        .bound_reason = "three plane rotations and a dot product",
        .refutation =
            Refutation{"|(R_m q).(R_n k) - q^T R_{m-n} k| / (|q||k|)",
                       std::abs(rotated - q.dot(turn((kM - kN) * kTheta) * k)) / scale, 0.01},
        .detail = "as printed the left side is a matrix times a number, the right side a number"};
}

Evidence second_coordinate() {
    const Point p;
    const double truth = p.radius * std::sin(p.angle + p.turned);
    const double first_form = p.radius * (std::sin(p.angle) * std::cos(p.turned) -
                                          std::cos(p.angle) * std::sin(p.turned));
    const double second_form = p.x1() * std::sin(p.angle) - p.y1() * std::cos(p.angle);
    return {
        .what = "|x1 sin g + y1 cos g - r sin(t + g)|, t = 0.5, g = 0.3, r = 2",
        .error = std::abs(p.rotated().y() - truth),
        .bound = kPointBound,
        .bound_reason = "a plane rotation of a vector of length 2",
        .refutation =
            Refutation{"the nearer of the two printed forms is off by",
                       std::min(std::abs(first_form - truth), std::abs(second_form - truth)), 0.1},
        .detail =
            fmt::format("true {:.6f}, printed {:.6f} and {:.6f}", truth, first_form, second_form)};
}

Evidence first_coordinate() {
    const Point p;
    const double truth = p.radius * std::cos(p.angle + p.turned);
    const double printed = p.x1() * std::cos(p.angle) - p.y1() * std::sin(p.angle);
    return {.what = "|x1 cos g - y1 sin g - r cos(t + g)|, t = 0.5, g = 0.3, r = 2",
            .error = std::abs(p.rotated().x() - truth),
            .bound = kPointBound,
            .bound_reason = "a plane rotation of a vector of length 2",
            .refutation =
                Refutation{"printed with the point's own angle", std::abs(printed - truth), 0.1},
            .detail = fmt::format("true {:.6f}, printed {:.6f}", truth, printed)};
}

Evidence column_of_angles() {
    // x cos + rot(x) sin with a column of angles, one a channel; q = 1 .. 8, m = 3.
    constexpr int kHeadDim = 8;
    const RopeSpec spec = interleaved_spec(kHeadDim, 10000.0);
    const Spectrum spectrum = make_spectrum(spec);
    const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(kHeadDim, 1.0, kHeadDim);
    const auto with_pairs = [&](auto pair_of_channel) {
        Eigen::VectorXd out(kHeadDim);
        for (int c = 0; c < kHeadDim; ++c) {
            const double angle =
                3 * spectrum.inv_freq_rad[static_cast<std::size_t>(pair_of_channel(c))];
            const double partner = c % 2 == 0 ? -q[c + 1] : q[c - 1];
            out[c] = q[c] * std::cos(angle) + partner * std::sin(angle);
        }
        return out;
    };
    const Eigen::VectorXd truth = rotation(spec, 3) * q;
    const Eigen::VectorXd printed = with_pairs([](int c) { return std::min(c, kHeadDim / 2 - 1); });
    return {.what = "max |q cos + rot(q) sin - R q| with each angle twice, q = 1 .. 8, m = 3",
            .error = largest_difference(with_pairs([](int c) { return c / 2; }), truth),
            // Pairs of length at most |(7, 8)| < 11.
            .bound = 11 * kProductOfRotations,
            .bound_reason = "rotated pairs of length up to 11 on both sides",
            .refutation = Refutation{"with the printed column 0 1 2 3 .. 3",
                                     largest_difference(printed, truth), 0.1}};
}

Evidence first_index() {
    const Spectrum spectrum = make_spectrum(interleaved_spec(128, 10000.0));
    const auto one_based = [](int i) { return std::pow(10000.0, -2.0 * (i - 1) / 128.0); };
    return {.what = "|theta_0 - 1| with theta_i = base^(-2i/d), i from 0",
            .error = std::abs(spectrum.inv_freq_rad.front() - 1.0),
            .bound = 0.0,
            .bound_reason = "base^0 is exact",
            .refutation = Refutation{"the formula for i from 1 at i = 0 misses 1 by",
                                     one_based(0) - 1.0, 0.1},
            .detail = fmt::format("theta_63: {:.6g}, by the formula {:.6g}",
                                  spectrum.inv_freq_rad.back(), one_based(63))};
}

Evidence commuting_rotations() {
    const RopeSpec spec = interleaved_spec(16, 10000.0);
    const Eigen::MatrixXd r3 = rotation(spec, 3);
    const Eigen::MatrixXd r11 = rotation(spec, 11);
    const Eigen::VectorXd q = vector(1, 16);
    const Eigen::VectorXd k = vector(2, 16);
    const double ahead = q.dot(rotation(spec, 8) * k);
    const double behind = q.dot(rotation(spec, -8) * k);
    return {.what = "max |R_3 R_11 - R_11 R_3|",
            .error = largest_difference(r3 * r11, r11 * r3),
            .bound = kProductOfRotations,
            .bound_reason = "two products of two rotations",
            .refutation = Refutation{"the order shows although they commute: "
                                     "|q^T R_8 k - q^T R_-8 k| / (|q||k|)",
                                     std::abs(ahead - behind) / (q.norm() * k.norm()), 0.01}};
}

Evidence angle_of_matrix() {
    const Eigen::Vector2d turned = turn(kM * kTheta) * Eigen::Vector2d(1.0, 0.0);
    const double angle = std::atan2(turned.y(), turned.x());
    return {.what = "|angle of the printed matrix - m theta|, m = 7, theta = 0.3",
            .error = std::abs(angle - kM * kTheta),
            .bound = 8 * kUnit,
            .bound_reason = "cos, sin, atan2 and the product of an angle of 2.1",
            .refutation = Refutation{"|angle - theta|", std::abs(angle - kTheta), 0.1},
            .detail = "counter-clockwise is right"};
}

}  // namespace ropescope::claims
