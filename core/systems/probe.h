// Runs any system on one common shape: [batch, heads, positions, channels].
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/systems/system.h"

namespace ropescope {

struct ProbeSetting {
    double base = 10000.0;
    std::int64_t offset = 0;  ///< position of the first row
    Role role = Role::query;
    Arithmetic arithmetic = Arithmetic::as_written;
};

/// Passes x [b, h, l, d] to the system in its own axes and returns the result in the common shape.
/// An axis that the system does not have becomes a loop. The rows of an additive table are added to
/// x. An output that is no longer shaped like its input (the Keras layer with batch 1) comes back
/// as a FrameworkError with Fault::view that names both shapes.
Outcome run_bhld(const System& system, const nd::Array& x, const ProbeSetting& setting);

/// `count` head vectors [1, count, 1, d], all at the position setting.offset.
Outcome run_at_position(const System& system, const nd::Array& vectors,
                        const ProbeSetting& setting);

/// Fixed noise of shape [batch, heads, positions, head_dim], rounded to fp32.
nd::Array probe_vectors(std::uint64_t seed, std::int64_t batch, std::int64_t heads,
                        std::int64_t positions, std::int64_t head_dim);

/// The affine map x -> matrix x + image_of_zero at one position, from the images of the basis
/// vectors and of zero.
struct Operator {
    Eigen::MatrixXd matrix;
    Eigen::VectorXd image_of_zero;
};

/// Throws InputError with the system's message if the system does not run at this head_dim.
Operator operator_at(const System& system, std::int64_t head_dim, double base,
                     std::int64_t position, Arithmetic arithmetic = Arithmetic::real_numbers);

/// The i-th vector of the last axis.
inline Eigen::Map<const Eigen::VectorXd> vector_at(const nd::Array& a, std::int64_t i) {
    return {a.values.data() + i * a.shape.back(), static_cast<Eigen::Index>(a.shape.back())};
}

/// q_m . k_n a_mn / sqrt(d) for all pairs of positions of every batch and head: [b, h, l, l], from
/// the images of q and k, in double.
nd::Array scores(const System& system, const nd::Array& image_q, const nd::Array& image_k);

}  // namespace ropescope

namespace ropescope::systems {

// Noise that is the same on every machine and in every run. It serves as probes, and in place of
// learned values.

/// `count` values of mean 0 and variance 1, from the sum of four uniform numbers (|value| < 3.5),
/// so that no library's normal distribution is involved.
std::vector<double> fixed_noise(std::uint64_t seed, std::size_t count);

}  // namespace ropescope::systems
