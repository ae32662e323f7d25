// Rotation tables and rotations on the device.
#pragma once

#include <cstdint>
#include <span>

#include "core/analysis/pair_curves.h"
#include "core/gpu/device.h"
#include "core/rope/rotate.h"

namespace ropescope::gpu {

/// A table in the device's memory, [rows, pairs] each.
struct DeviceTable {
    Matrix cos;
    Matrix sin;
};

/// And the memory.
struct OwnedTable {
    std::int64_t rows = 0;
    std::int64_t pairs = 0;
    std::shared_ptr<GlBuffer> cos;
    std::shared_ptr<GlBuffer> sin;

    DeviceTable table() const { return {{cos->all(), rows, pairs}, {sin->all(), rows, pairs}}; }
};

/// Row r is the rotation by positions[r], within 2^-25 + 2^-45 and the angle's own error, as
/// make_rotation_table(); angles are formed, reduced and turned into cos and sin in double by the
/// processor for every block of positions, and added on the device. Throws InputError for a
/// position beyond +-kMaxPosition.
OwnedTable make_table(Device& device, const Spectrum& spectrum,
                      std::span<const std::int64_t> positions);

/// As Engine::pair_curves; angles as in make_table(), everything in double, within
/// pair_curves_error().
PairCurves pair_curves(Device& device, const Spectrum& spectrum,
                       std::span<const std::int64_t> distances, const PairWeights& weights);

/// Which row of the table a row of x takes: row r modulo the table's rows, or indices[r], uint32,
/// where they are given.
struct RowChoice {
    BufferRange indices;  ///< bytes == 0: none
};

/// Rotates every head of x [rows, heads * head_dim] in place.
void rotate(Device& device, const Matrix& x, std::int64_t heads, const DeviceTable& table,
            const RowChoice& choice, Layout layout, Direction direction);

}  // namespace ropescope::gpu
