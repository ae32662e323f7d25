// The angles of a rotation table, formed and reduced by the processor: cos and sin of a position
// are those of its block turned by those of its place in the block, and only that is left to the
// device.
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

/// What the device needs to make the rows of any positions.
struct TablePlan {
    std::vector<Cis> blocks;   ///< [blocks, pairs], those that occur, times the gain
    std::vector<Cis> offsets;  ///< [places in a block, pairs]
    std::vector<BlockAndOffset> rows;
};

/// Throws InputError for a position beyond +-kMaxPosition.
TablePlan plan_table(const Spectrum& spectrum, std::span<const std::int64_t> positions,
                     double gain);

}  // namespace ropescope::gpu
