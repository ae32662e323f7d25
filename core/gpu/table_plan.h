// The angles of a rotation table, which the processor forms and reduces. The device gets cos and
// sin of the block of each position and of its offset in the block, and only adds the two angles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rope/axis_positions.h"
#include "core/rope/spectrum.h"

namespace ropescope::gpu {

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
