// Whether a system rotates by position: four properties, each with the error that rounding alone
// would give.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/systems/probe.h"
#include "core/systems/system.h"

namespace ropescope {

// How much a system can differ from the exact map of its formula by rounding.

/// Largest error of an output vector divided by the length of the input vector (plus 1 for an
/// additive system, whose table row has pairs of length 1), first order in the units of rounding:
///   angle: |m| * u * max_i theta_i * (e_i ln base + 3), e_i = 2i / head_dim, over i >= 1. The
///     exponent is rounded (moves base^e by e ln base), then the power, its reciprocal and the
///     product with m; pair 0 has theta = 1 exactly;
///   table: cos and sin are at most 1, so rounding moves each by at most u / 2 and the pair by
///     u / sqrt(2); a bf16 table was fp32 before;
///   products: x cos - y sin is two products and a sum: 3 * 2^-24.
/// u is 2^-8 for bf16, 2^-24 for fp32, and 2^-52 for double, whose pow, sin and cos come from the C
/// library within one unit in the last place.
struct RoundingBound {
    double angle_rad = 0.0;
    double table = 0.0;
    double products = 0.0;

    double total() const { return angle_rad + table + products; }
    /// "fp32 angles at position 2005", "bf16 table" or "fp32 products": the largest part.
    std::string limited_by;
};

RoundingBound rounding_bound(const System& system, std::int64_t head_dim, double base,
                             std::int64_t largest_position, Arithmetic arithmetic);

/// The largest deviation found, with the bound that rounding allows for it.
struct Measured {
    double value = 0.0;
    double bound = 0.0;

    bool holds() const { return value <= bound; }
    /// Keeps the deviation that is larger relative to its bound. NaN counts as the largest.
    void include(double other_value, double other_bound);
    void include(const Measured& other) { include(other.value, other.bound); }
};

/// One score of a [b, h, l, l] tensor and the vectors behind it.
struct ScoreSite {
    std::int64_t score = 0;     ///< index of s(m, n)
    std::int64_t q_vector = 0;  ///< index of q_m
    std::int64_t k_vector = 0;
    std::int64_t m = 0;
    std::int64_t n = 0;
    double q_length = 0.0;
    double k_length = 0.0;
    double scale = 0.0;  ///< |q_m| |k_n| / sqrt(head_dim), more than 0
};
/// Every score of nonzero vectors of q and k [b, h, l, d].
std::vector<ScoreSite> score_sites(const nd::Array& q, const nd::Array& k);

/// A q and a k tensor [b, h, l, d], whose last head is all zero (it shows f(0)).
struct ProbePair {
    nd::Array q;
    nd::Array k;
    std::vector<ScoreSite> sites;
};
ProbePair make_probe_pair(std::uint64_t seed, std::int64_t batch, std::int64_t heads,
                          std::int64_t positions, std::int64_t head_dim);

/// Their images under a system from the position `offset` on, and the scores between those.
struct ProbeImages {
    nd::Array q;
    nd::Array k;
    nd::Array scores;
    RoundingBound rounding;  ///< of either image
};

/// f(x[p]) when a permutation is given.
std::variant<ProbeImages, FrameworkError> probe_images(const System& system, const ProbePair& probe,
                                                       const ProbeSetting& setting,
                                                       std::span<const Index> permutation = {});

/// Collects the worst cases of any number of calls.
struct RotationTest {
    Measured image_of_zero;         ///< |f(0)|, exactly 0 for a linear map
    Measured norm_change;           ///< | |f(x)| / |x| - 1 |
    Measured equal_position_error;  ///< |s(m, m) - q . k| / (|q| |k|): R_m^T R_m = 1
    Measured relative_violation;    ///< |s(m + s, n + s) - s(m, n)| / (|q| |k|)

    void include(const ProbePair& probe, const ProbeImages& images);
    /// The same q and k from two offsets.
    void include_shift(const ProbePair& probe, const ProbeImages& here, const ProbeImages& there);

    void include(const RotationTest& other);

    bool is_rotation() const { return reason().empty(); }
    /// The first property that fails, with its number; "" for a rotation.
    std::string reason() const;
};

}  // namespace ropescope
