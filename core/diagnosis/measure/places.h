// The position of every token, read off its angles when the spectrum is known.
#pragma once

#include <span>
#include <vector>

#include "core/diagnosis/measure/speeds.h"

namespace ropescope::diagnosis {

/// [rows, length]: where a token stands by its angles, and how exactly. No number (NaN) if no
/// position explains the angles; an infinite error if they say nothing, or were not looked at.
struct Places {
    std::vector<double> position = {}, error = {};
    Index unexplained = 0;   ///< tokens without a position
    double worst_rad = 0.0;  ///< largest distance of an angle from the explanation
};

/// `omega` is signed, [pairs]. The stated position is tried first, then those that the neighbours
/// suggest; then, of some tokens, every position up to 2^20.
/// `omega_error` bounds the frequencies and their products with positions in fp32, [pairs], radians
/// per position; without it all are taken to be off by `noise`.
Places recover_places(const Turns& turns, std::span<const double> omega,
                      std::span<const double> stated, const AngleNoise& noise,
                      std::span<const double> omega_error = {});

/// Whether the angles of a token are those of this position. `worst_rad` becomes the largest
/// distance.
bool explains(const Turns& turns, Index row, Index token, std::span<const double> omega,
              double position, const AngleNoise& noise, double& worst_rad,
              std::span<const double> omega_error = {});

}  // namespace ropescope::diagnosis
