// Rotation tables, rotations, and the curves of a score or a decay on the device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/decay.h"
#include "core/gpu/device.h"
#include "core/rope/axis_positions.h"
#include "core/rope/rotate.h"
#include "core/rope/spectrum.h"

namespace ropescope::gpu {

/// A table in the device's memory, [rows, pairs] each.
struct DeviceTable {
    Matrix cos;
    Matrix sin;
};

/// A table with its memory.
struct OwnedTable {
    std::int64_t rows = 0;
    std::int64_t pairs = 0;
    std::shared_ptr<GlBuffer> cos;
    std::shared_ptr<GlBuffer> sin;

    DeviceTable table() const { return {{cos->all(), rows, pairs}, {sin->all(), rows, pairs}}; }
};

/// Row r is the rotation by positions[r], within 2^-25 + 2^-45 and the angle's own error, as
/// make_rotation_table(). The processor forms and reduces the angles of every block of positions
/// and takes cos and sin in double; the device adds the angle within the block. Throws InputError
/// for a position beyond +-kMaxPosition.
OwnedTable make_table(Device& device, const Spectrum& spectrum,
                      std::span<const std::int64_t> positions);

/// The same for positions in several axes, within 2^-25 + 2^-45 for each axis and the angles' own
/// errors. Throws InputError as make_rotation_table() of them does.
OwnedTable make_table(Device& device, const Spectrum& spectrum, const AxisPositions& positions);

/// Which row of the table row r of x takes: row r modulo the table's rows, or row indices[r].
struct RowChoice {
    BufferRange indices;         ///< uint32, kStillRow for a token that stays; bytes == 0: none
    std::int64_t head_rows = 0;  ///< RotateOptions::rows_per_head
};
inline constexpr std::uint32_t kStillRow = 0xffffffff;

/// The channels of each pair: those of the layout, or those that are listed.
struct ChannelChoice {
    Layout layout = Layout::half_split;
    BufferRange listed = {};  ///< uint32 [pairs, 2]; bytes == 0: those of the layout
};

/// Rotates every head of x [rows, heads * head_dim] in place.
void rotate(Device& device, const Matrix& x, std::int64_t heads, const DeviceTable& table,
            const RowChoice& choice, const ChannelChoice& channels, Direction direction);

/// As Engine::pair_curves. Angles are formed as in make_table(); everything is in double,
/// within pair_curves_error().
PairCurves pair_curves(Device& device, const Spectrum& spectrum,
                       std::span<const std::int64_t> distances, const PairWeights& weights);

// The angles of a rotation table, which the processor forms and reduces. The device gets cos and
// sin of the block of each position and of its offset in the block, and only adds the two angles.

/// dvec2 of std430.
struct Cis {
    double cos;
    double sin;
};
static_assert(sizeof(Cis) == 16);

/// uvec2 of std430.
struct BlockAndOffset {
    std::uint32_t block;
    std::uint32_t offset;
};

/// The data from which the device makes the rows of any positions.
struct TablePlan {
    std::vector<Cis> blocks;   ///< [blocks that occur, pairs], times the gain
    std::vector<Cis> offsets;  ///< [offsets that occur, pairs]
    std::vector<BlockAndOffset> rows;
};

/// The data from which the device makes rows for positions in several axes: cos and sin of every
/// coordinate that occurs in an axis, and which of them a token takes in each axis.
struct AxisTablePlan {
    std::vector<Cis> coordinates;     ///< [coordinates of all axes, pairs]; axis 0 has the gain
    std::vector<std::uint32_t> rows;  ///< [tokens, axes]
};

/// Tokens first .. first + count - 1 of the positions, which must be valid for the spectrum.
AxisTablePlan plan_axis_table(const Spectrum& spectrum, const AxisPositions& positions,
                              std::int64_t first, std::int64_t count);

/// Throws InputError for a position beyond +-kMaxPosition.
TablePlan plan_table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                     double gain);

}  // namespace ropescope::gpu
