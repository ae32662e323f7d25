// The angular speed of each pair, from the angles of consecutive tokens, without any assumption
// about the spectrum.
#pragma once

#include <span>
#include <vector>

#include "core/diagnosis/measure/turns.h"

namespace ropescope::diagnosis {

struct Speeds {
    /// [pairs], radians per position and its bound; known only modulo 2 pi / step.
    std::vector<double> omega = {}, error = {};
    double step = 0.0;  ///< smallest distance of two positions; 0: no two tokens turn differently
    /// 3 |position| / span of the tokens: what a relative error of angles becomes in a speed.
    double lever = 3.0;
    Index row = 0, first = 0, count = 0;  ///< the tokens that it was measured on

    bool known() const { return step > 0.0; }
    /// The difference of pair i from `other`, in radians per position, without whole turns.
    double difference(Index i, double other) const {
        return wrapped((omega[i] - other) * step) / step;
    }
};

/// Measures on the longest run of tokens, from `from` on, in which every token turns on as its
/// predecessor did. `positions` are [rows, length].
Speeds recover_speeds(const Turns& turns, std::span<const double> positions,
                      const AngleNoise& noise, Index from = 0);

}  // namespace ropescope::diagnosis
