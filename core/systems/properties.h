// Curves and numbers that show whether a system rotates: norm, relative property, singular values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/systems/probe.h"
#include "core/systems/rotation_test.h"

namespace ropescope {

/// Smallest and largest |f(x)| / |x| over probe vectors at one position.
struct NormRange {
    double lowest = 1.0;
    double highest = 1.0;

    /// Largest distance from 1.
    double change() const;
    void include(const NormRange& other);
};
NormRange norm_ratio(const System& system, std::int64_t head_dim, double base,
                     std::int64_t position, std::int64_t vectors = 64);

/// max |s(m + shift, n + shift) - s(m, n)| / (|q| |k|) over pairs of probe vectors, s before the
/// division by sqrt(head_dim). The vectors are the same at every shift, so that several calls make
/// a curve.
double relative_violation(const System& system, std::int64_t head_dim, double base, std::int64_t m,
                          std::int64_t n, std::int64_t shift, std::int64_t vectors = 64);

/// Singular values of the operator at a position, the largest first.
std::vector<double> singular_values(const System& system, std::int64_t head_dim, double base,
                                    std::int64_t position,
                                    Arithmetic arithmetic = Arithmetic::real_numbers);

/// All four properties at one head_dim and base, over the offsets (at least two to see the relative
/// one): a batch as long as its sequence of 4, two heads of noise and one of zeros. Throws
/// InputError with the system's error if the system does not run there.
RotationTest test_rotation(const System& system, std::int64_t head_dim, double base,
                           std::span<const std::int64_t> offsets);

/// max over m, n of |s(m, n) - s(m, m)| / (|q| |k|) with one q and one k repeated along a sequence
/// of `seq` positions in `seq` samples: 0 if scores carry no position (the Keras layer as written).
double position_response(const System& system, std::int64_t head_dim, double base,
                         std::int64_t seq = 8);

}  // namespace ropescope
