// The rows of the context calculator: one scaling method each, with the parameters that carry the
// trained length to the target, and what that does to the pairs.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

struct MethodRow {
    std::string name;  ///< as scaling_type() names it
    RopeSpec spec;
    Spectrum spectrum;
    std::vector<double> slowdown;  ///< [pairs]: unscaled over scaled inv_freq
    // How many pairs: speed kept, slowed by less than the factor, slowed by the factor.
    int kept = 0, blended = 0, slowed = 0;
    int unfinished = 0;  ///< less than a turn within the target
    /// Pairs that never finished a turn in training and reach angles in the target that training
    /// never showed.
    int unseen = 0;

    double base() const;  ///< the base that stands for the method: larger for NTK
};

/// A method without a row, and why.
struct MissingMethod {
    std::string name, why;
};

struct Methods {
    std::vector<MethodRow> rows;  ///< the first is default, the unscaled encoding
    std::vector<MissingMethod> missing;

    const MethodRow* find(const std::string& name) const;
};

/// target / trained, at least 1. Throws InputError when the target is shorter.
double needed_factor(const Scene& scene);

/// default, linear, ntk, dynamic, yarn and llama3, as far as they fit the encoding, and longrope
/// where the scene has it: each with the fields of the scene that belong to it, but for the factor,
/// which is the needed one, and the length of the sequence, which is the target.
Methods extension_methods(const Scene& scene);

/// The row whose block is shown: the scene's method, or YaRN where that has no row or extends
/// nothing, or the last.
const MethodRow& chosen_row(const Scene& scene, const std::vector<MethodRow>& rows);

}  // namespace ropescope::figures
