// Takes the norm of q or k from the tensors of a dump, so that the rotation alone is left to be
// held to them.
#pragma once

#include "core/diagnosis/held/expected_rotation.h"
#include "core/diagnosis/held/held_dump.h"

namespace ropescope::diagnosis {

/// Replaces the tensors of a side with a norm by those that its rotation lies between. A norm
/// before the rotation is computed in float64 of the numbers before it. Of one after the rotation
/// the weights are divided out behind it; before it stand the numbers that this rotation turns into
/// the normalised ones. A weight of 0 leaves a channel as it is expected. The rotation gets the
/// format of the numbers behind and the rounding of the norm: norm_units() in float32, and one unit
/// of a format of 16 bits, to which the normalised numbers may be rounded before their weights are
/// multiplied.
void take_norm(StatedSide& side, ExpectedRotation& rotation);

/// The same without knowing the rotation, for a search: a row has the length before it that it has
/// behind it, so that rounding and eps do not matter. A side without a norm stays as it is.
void take_norm_by_length(StatedSide& side);

/// [batch, heads, length]: the length behind by that of the normalised row, which is 1 if the norm
/// is right. Of a norm before the rotation, or one without a shift.
std::vector<double> scales_of_norm(const StatedSide& side);

}  // namespace ropescope::diagnosis
