// The angles of some tokens beside their positions in several axes, as the recovery of axes reads
// them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/speeds.h"

namespace ropescope::diagnosis {

/// A token of one of the rows.
struct TokenPlace {
    Index row = 0, token = 0;
};

class AxisAngles {
  public:
    /// Keeps references: both must outlive it. Of many tokens it takes the first ones, which are
    /// neighbours, and others at even steps.
    AxisAngles(const Turns& turns, const DumpPositions& positions, const AngleNoise& noise)
        : turns_(turns), positions_(positions), noise_(noise) {
        constexpr Index kNeighbours = 512, kMore = 512;
        const Index tokens = turns.rows * turns.length;
        const auto add = [&](Index at) {
            places_.push_back({at / turns.length, at % turns.length});
        };
        for (Index at = 0; at < std::min(tokens, kNeighbours); ++at) {
            add(at);
        }
        const Index others = tokens - std::ssize(places_);
        for (Index k = 0; k < std::min(others, kMore); ++k) {
            add(kNeighbours + k * others / std::min(others, kMore));
        }
        for (Index axis = 0; axis < positions.axes; ++axis) {
            bool whole = true;
            double reach = 0.0;
            for (const TokenPlace& place : places_) {
                const double x = position(axis, place);
                whole = whole && x == std::round(x);
                reach = std::max(reach, std::abs(x));
            }
            rounded_.push_back(whole ? 0.0 : 0.25 * reach);
        }
    }

    Index axes() const { return positions_.axes; }
    Index pairs() const { return turns_.pairs; }
    std::span<const TokenPlace> places() const { return places_; }

    double position(Index axis, const TokenPlace& place) const {
        return positions_.at(axis, positions_.batch == 1 ? 0 : place.row, place.token);
    }
    double angle_rad(const TokenPlace& place, Index pair) const {
        return turns_.angle_rad[turns_.at(place.row, place.token, pair)];
    }
    /// The bound of the rounding of an angle that was formed as this number of radians.
    double error_rad(const TokenPlace& place, Index pair, double formed_rad) const {
        return turns_.error_rad[turns_.at(place.row, place.token, pair)] + noise_.table_rad +
               noise_.relative * std::abs(formed_rad);
    }
    double relative_error() const { return noise_.relative; }
    /// The product of a speed and a position, by which its rounding is measured. A coordinate that
    /// is not whole is a difference or quotient in fp32 of numbers as large as the largest, and so
    /// off by up to 4 units of 2^-24 of that, a quarter of what relative_error() takes.
    double formed_rad(Index axis, double position, double omega) const {
        return std::abs(omega) * (std::abs(position) + rounded_[axis]);
    }

  private:
    const Turns& turns_;
    const DumpPositions& positions_;
    AngleNoise noise_;
    std::vector<TokenPlace> places_;
    std::vector<double> rounded_;  ///< [axes], in positions
};

}  // namespace ropescope::diagnosis
