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

/// target / trained, at least 1. Throws InputError when the target is shorter.
double needed_factor(const Scene& scene);

/// default (the unscaled encoding), linear, ntk, dynamic, yarn, llama3, as far as they fit the
/// encoding.
std::vector<MethodRow> method_rows(const Scene& scene);

/// The row whose block is shown: the scene's method, or YaRN where that is none of them, or the
/// last.
const MethodRow& chosen_row(const Scene& scene, const std::vector<MethodRow>& rows);

/// `"rope_scaling": {...}` to paste into a config.json; for NTK its `"rope_theta"`.
std::string rope_scaling_block(const MethodRow& row);

}  // namespace ropescope::figures
