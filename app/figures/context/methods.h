// The rows of the context calculator: one scaling method each, with the parameters that carry the
// trained length to the target, and what that does to the pairs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

struct MethodRow {
    std::string name;  ///< as scaling_type() names it
    RopeSpec spec;
    Spectrum spectrum;
    std::vector<double> slowdown;  ///< [pairs]: unscaled over scaled inv_freq
    // Numbers of pairs: those that keep their speed, that slow down by less than the factor, by
    // the whole factor or more, and that speed up.
    int kept = 0, blended = 0, slowed = 0, faster = 0;
    int unfinished = 0;  ///< pairs that turn less than once within the target
    /// Pairs that never finished a turn in training and, within the target, reach angles that
    /// training never showed.
    int unseen = 0;

    /// Whether it is the row of this method.
    template <typename Method>
    bool is() const {
        return std::holds_alternative<Method>(spec.scaling);
    }
    int slower() const { return blended + slowed; }
    double base() const;  ///< the base that the method turns with: larger for NTK
};

/// A method without a row, and the reason.
struct MissingMethod {
    std::string name, why;
};

struct Methods {
    std::vector<MethodRow> rows;  ///< the first is the unscaled encoding
    std::vector<MissingMethod> missing;

    /// The row of a method; null if it has none.
    const MethodRow* find(std::string_view name) const;
    template <typename Method>
    const MethodRow* find() const {
        return find(Method::description().facts.type);
    }
};

/// target / trained, at least 1. Throws InputError if the target is shorter.
double needed_factor(const Scene& scene);

/// A row for each scaling method that extends and fits the encoding, in the order of the list of
/// methods; for a method with searched numbers only if the scene has them. A row takes the fields
/// of the scene that belong to its method, the factor that is needed, and the target as length.
Methods extension_methods(const Scene& scene);

/// The row whose block is shown: that of the scene's method; that of the suggested method
/// (MethodFacts::suggested) if the scene's has no row or extends nothing; the last if there is none
/// either.
const MethodRow& chosen_row(const Scene& scene, const std::vector<MethodRow>& rows);

}  // namespace ropescope::figures
