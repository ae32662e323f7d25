// How long a context a base allows, by Men et al., "Base of RoPE Bounds Context Length",
// arXiv:2405.14591. With keys that are alike but for noise, a query scores a key of its own kind
// above any other at the distance m by an amount in proportion to
//   B(m) = sum over pairs i of cos(m theta_i)
// if all components of q and k are independent and of one variance. Where B is negative, another
// key is preferred. So a base allows a context of N positions if B(m) >= 0 at m = 0 .. N.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// Returns the first of the distances 0 .. last at which B is below zero by more than the rounding
/// of the sum (decay_error()); empty if there is none. `still` pairs of channels that do not turn
/// add 1 each at every distance. Goes through blocks of distances and leaves out those where a
/// lower bound of the sum is above zero, so it takes microseconds for thousands of distances.
std::optional<Index> first_negative_distance(const Spectrum& spectrum, Index last, Index still = 0);

/// The same for unscaled encodings of `rotary_dim` channels: for each base.
std::vector<std::optional<Index>> first_negative_distances(Index rotary_dim,
                                                           std::span<const double> bases,
                                                           Index last);

/// Bases from `low` to `high` (at least 1), each `ratio` times the one before.
std::vector<double> bases_between(double low, double high, double ratio);

/// Bases from `least` to `most` that were tried next to each other, and all allow the length.
struct BaseRange {
    double least = 0, most = 0;
};

/// What is known about the bases that allow a context of `length` positions: the set is no
/// interval, because B falls below zero at another distance for a base somewhat larger.
struct WorkingBases {
    Index length = 0;
    std::vector<BaseRange> ranges = {};
    /// The smallest base tried from which on all bases tried allow the length; empty if the
    /// largest one does not.
    std::optional<double> all_from = {};
    bool open_end = false;  ///< the last range ends at the largest base tried
};

/// Which of the bases tried allow a length, as their first negative distances say. `bases` ascend.
WorkingBases working_bases(std::span<const double> bases,
                           std::span<const std::optional<Index>> first_negative, Index length);

/// The same for bases at steps of kBaseStep from 2 to 64 times the first that allows the length,
/// but not beyond kLargestBase. A range that lies between two neighbours is not found.
WorkingBases find_working_bases(Index rotary_dim, Index length);
inline constexpr double kBaseStep = 1.005, kLargestBase = 1e14;

/// The curve of the paper's figure 1, which was fitted to the least bases that its authors found
/// for 64 pairs and lengths of 1,000 to 10^6 positions: 0.0424 length^1.628.
double paper_base(double length);

}  // namespace ropescope
