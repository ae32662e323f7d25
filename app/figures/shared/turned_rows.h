// One vector at many positions, turned by an engine as it would turn a query: the trails of the
// rotation view and the cells of the table view.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

/// Row r holds each of `pairs`, a point of its plane x + iy, turned by positions[r] and multiplied
/// by the attention factor; [positions, 2 * pairs], x and y side by side.
DeviceTensor turned_rows(TensorOps& ops, std::span<const std::complex<double>> pairs,
                         const Spectrum& spectrum, std::span<const Index> positions);

/// first .. first + count - 1
std::vector<Index> consecutive(Index first, Index count);

}  // namespace ropescope::figures
