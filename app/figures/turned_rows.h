// What positions make of one vector, computed by an engine as it would a query: the rotation view's
// trails, the table view's cells.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/engine.h"

namespace ropescope::figures {

/// Row r: each of `pairs`, a point of its plane x + iy, turned by positions[r], times the
/// attention factor; [positions, 2 * pairs], x and y side by side.
DeviceTensor turned_rows(TensorOps& ops, std::span<const std::complex<double>> pairs,
                         const Spectrum& spectrum, std::span<const std::int64_t> positions);

/// first .. first + count - 1
std::vector<std::int64_t> consecutive(std::int64_t first, std::int64_t count);

}  // namespace ropescope::figures
