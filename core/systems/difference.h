// How far two systems are apart on the same vectors, and how far rounding allows them to be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/systems/case_images.h"

namespace ropescope {

/// Largest differences over a sweep. Outputs in units of the input; scores / (|q| |k|) sqrt(d).
struct Difference {
    Measured outputs;  ///< where they are worst against their bound
    Measured scores;
    double largest_output = 0.0;  ///< of all
    double largest_score = 0.0;
    SweepPoint worst;                      ///< where `outputs` was met
    std::string limited_by;                ///< the rounding that its bound mostly comes from
    bool same_in_exact_arithmetic = true;  ///< as double formulas, to a few 2^-52 m

    void include(const Difference& other);
    bool holds() const { return outputs.holds() && scores.holds() && same_in_exact_arithmetic; }
};

/// b(x[p]) against a(x)[p], p being the permutation of this index in `images`. Where one of the two
/// does not run, the outputs are infinitely far apart.
Difference compare(CaseImages& images, const System& a, const System& b, std::size_t permutation);

}  // namespace ropescope
