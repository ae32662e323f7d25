// The score of a patch with every patch of a frame.
#pragma once

#include <vector>

#include "core/rope/spectrum.h"
#include "core/schemes/patch_positions.h"

namespace ropescope::figures {

/// For q and k of the same content, a unit vector in each pair: the mean over the pairs of the
/// cosine of the angle by which the pair turns from `fixed` to each patch of `frame`, [rows,
/// columns]. The angle is a sum over frames, rows and columns, so that the map is a product of two
/// small matrices of cosines and sines.
std::vector<double> score_map(const Spectrum& spectrum, const PatchPositions& places,
                              const PatchIndex& fixed, Index frame);

/// The angle in radians by which each pair turns from one patch to another, in [-pi, pi].
std::vector<double> turns_rad(const Spectrum& spectrum, const PatchPositions& places,
                              const PatchIndex& from, const PatchIndex& to);

}  // namespace ropescope::figures
