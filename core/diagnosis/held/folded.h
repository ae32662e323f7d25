// The factor of the scores, 1 / sqrt(head_dim) or the model's own, that was multiplied into q or k
// already: scores are right if nobody applies it again.
#pragma once

#include <optional>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

struct Folded {
    Side sides = Side::q;  ///< both: by its root in each
    double scale = 1.0;    ///< of the scores
    double factor() const;
};

/// What a gain on these sides is, if it is the factor or its root within rounding.
std::optional<Folded> folded_gain(double gain, Side sides, double scale, double rounding);

/// The dump held to the expected rotation of q or k that have the factor in them, in all channels.
struct HeldFolded {
    Held held = {};
    Folded folded = {};
};
std::optional<HeldFolded> held_folded(const Held& held, double scale);

/// Equivalent, as far as scores are not in the dump.
Finding finding_of(const Folded& folded);

/// Weighs the finding by the scores of the dump, which must not have the factor again.
void weigh_folded_scores(const Dump& dump, Diagnosis& diagnosis);

}  // namespace ropescope::diagnosis
