// The curves of a score or a decay on the device.
#pragma once

#include <cstdint>
#include <span>

#include "core/analysis/pair_curves.h"
#include "core/gpu/device.h"

namespace ropescope::gpu {

/// As Engine::pair_curves. Angles are formed as in make_table() (rotation.h); everything is in
/// double, within pair_curves_error().
PairCurves pair_curves(Device& device, const Spectrum& spectrum,
                       std::span<const std::int64_t> distances, const PairWeights& weights);

}  // namespace ropescope::gpu
