// The cases of one model: named after it, with its title and its configuration.
#pragma once

#include "core/models/model.h"
#include "core/vectors/rotation_case.h"

namespace ropescope::vectors {

/// A part in one axis at positions of two rows, near ones and far ones. No case goes further than
/// its reach, if that is 512 at least; with none any position may come.
RotationCase far_case(const Model& model, const Part& part);
/// The same at two positions of one row, with one wrong answer of a kind.
RotationCase short_case(const Model& model, const Part& part);
/// Two rows of one token each, two heads: a decode step.
RotationCase decode_case(const Model& model, const Part& part);
/// A chunk whose positions begin at 100.
RotationCase late_case(const Model& model, const Part& part);

/// A part in several axes: tokens whose positions differ in every axis, with one wrong answer of a
/// kind.
RotationCase axes_case(const Model& model, const Part& part);
/// Two rows of two tokens at later positions, with two heads, or those that differ.
RotationCase batched_axes_case(const Model& model, const Part& part);

}  // namespace ropescope::vectors
