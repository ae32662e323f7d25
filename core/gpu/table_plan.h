// The angles of a rotation table, which the processor forms and reduces. The device gets cos and
// sin of the block of each position and of its offset in the block, and only adds the two angles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

/// Throws InputError for a position beyond +-kMaxPosition.
TablePlan plan_table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                     double gain);

}  // namespace ropescope::gpu
