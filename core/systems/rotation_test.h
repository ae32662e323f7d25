// Whether a system rotates by position: four properties, each with the error that rounding alone
// would give.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/systems/probe.h"
#include "core/systems/rounding_bound.h"

namespace ropescope {

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
