// How much two systems differ on the same vectors, and how much rounding allows.
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
    SweepPoint worst;                      ///< where the worst of `outputs` was found
    std::string limited_by;                ///< the rounding that its bound mostly comes from
    bool same_in_exact_arithmetic = true;  ///< as double formulas, to a few 2^-52 m

    void include(const Difference& other);
    bool holds() const { return outputs.holds() && scores.holds() && same_in_exact_arithmetic; }
};

/// b(x[p]) against a(x)[p], p being the permutation of this index in `images`. If one of the two
/// does not run, the difference is infinite.
Difference compare(CaseImages& images, const System& a, const System& b, std::size_t permutation);

}  // namespace ropescope
