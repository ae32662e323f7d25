// The position ids of one block of patches, as the language models that see count them.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/positions/multimodal_rule.h"
#include "core/positions/position_version.h"
#include "core/positions/token_layout.h"

namespace ropescope {

/// Time, height and width of one token.
using AxisIds = std::array<Index, 3>;

struct BlockIds {
    std::vector<AxisIds> tokens = {};
    Index next = 0;  ///< where the text behind the block goes on
};

/// Counts a block in whose place text would go on at `start`.
using CountBlock = std::function<BlockIds(const Segment& segment, Index start)>;

/// The steps of time between the ids of neighbouring frames. get_rope_index of Qwen2.5-VL cuts the
/// seconds to an integer before it multiplies them.
double frame_interval(const MultimodalRule& rule, const Segment& segment);

/// The grid of tokens that a block becomes: merge x merge patches, and the frames of a video that
/// are merged, make one token.
PatchGrid merged_grid(const MultimodalRule& rule, const Segment& segment);
/// Tokens of a segment.
Index token_count(const MultimodalRule& rule, const Segment& segment);

/// As the family counts, in that version.
BlockIds block_ids(const MultimodalRule& rule, PositionVersion version, const Segment& segment,
                   Index start);
/// The same with frames `interval` steps of time apart, for families but VideoRoPE.
BlockIds spaced_block_ids(const MultimodalRule& rule, PositionVersion version,
                          const Segment& segment, double interval, Index start);

/// Throws InputError that begins with `place` for a segment that the rule cannot count.
void validate(const MultimodalRule& rule, const Segment& segment, const std::string& place);

}  // namespace ropescope
