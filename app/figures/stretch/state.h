// What the stretching view shows: how often the trained model in the box names hidden pieces of
// longer texts by each scaling method, and what the methods do to its pairs.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/demo/demo_scores.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

/// A method at the length that is looked at.
struct StretchRow {
    demo::StretchMethod method = demo::StretchMethod::none;
    std::string type;  ///< as scaling_type() names the method
    RopeSpec spec;
    Spectrum spectrum;
    demo::ScriptCount count;  ///< over all of the held-out text
    int slower = 0;           ///< pairs that turn slower than in training
    /// Pairs that finished no turn in a text of the training and reach angles that no such text
    /// had.
    int unseen = 0;

    /// Turns of a pair within a text of `length` tokens.
    double turns(Index pair, Index length) const {
        return to_double(length) / spectrum.wavelength_positions(pair);
    }
};

struct StretchState {
    Index length = 0;
    double factor = 1;             ///< length / trained length
    std::vector<Index> lengths;    ///< that were measured, ascending; the first is the trained one
    std::vector<StretchRow> rows;  ///< the first is the unscaled encoding

    const StretchRow& unscaled() const { return rows.front(); }
    /// The scaled row with the most right answers.
    const StretchRow& best() const;
    /// Share of right answers of a method at a measured length.
    double share(const StretchRow& row, Index length) const;
    /// Turns of a pair within a text of the training.
    double trained_turns(Index pair) const;
};
StretchState make_stretch_state(const Scene& scene);

}  // namespace ropescope::figures
