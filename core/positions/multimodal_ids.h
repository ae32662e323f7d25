// Position ids of language models that see, as get_rope_index of Hugging Face transformers makes
// them, and what becomes of them in packed sequences, chunks, shards and decode steps.
#pragma once

#include <span>
#include <vector>

#include "core/positions/multimodal_rule.h"
#include "core/positions/token_layout.h"

namespace ropescope {

/// transformers_4 stands for 4.57 and for 5.0 to 5.2: text after a block goes on behind the largest
/// position of all axes, padding sits at 1, and deltas count the padded length. transformers_5
/// stands for 5.3 and later: text goes on at the block's start plus the longer of its merged sides,
/// padding sits at 0, and deltas count the tokens without padding.
enum class PositionVersion : std::uint8_t { transformers_4, transformers_5 };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<PositionVersion> = {"transformers-4",
                                                                                "transformers-5"};

/// Ids of a batch.
struct MultimodalIds {
    Index batch = 0;
    Index length = 0;
    std::vector<Index> ids;     ///< [3, batch, length]: time, height, width
    std::vector<Index> deltas;  ///< [batch]: token n of a decode step sits at n + delta

    Index at(Index axis, Index b, Index token) const {
        return ids[(axis * batch + b) * length + token];
    }
};

/// Throws InputError that names the row and the segment for a grid that does not divide into blocks
/// of merged patches, for a video of a family that takes single frames, and for rows of different
/// lengths without padding. Sources: huggingface/transformers v4.57.6 and v5.15.0, get_rope_index
/// of models/qwen2_vl, qwen2_5_vl, qwen3_vl and glm4v; Wiselnn570/VideoRoPE,
/// videorope-transformer/modeling_videorope.py, get_t_scale_rope_index, with scale factor 2.
MultimodalIds multimodal_ids(const MultimodalRule& rule, PositionVersion version,
                             const TokenLayout& layout);

/// The rows of the layout as documents of one sequence: positions begin again with each document.
/// One row, whose delta is that of the last document, which a decode step continues.
MultimodalIds packed_ids(const MultimodalRule& rule, PositionVersion version,
                         const TokenLayout& layout);

/// Tokens first .. first + count - 1 of every row: a chunk of a prefill has the ids of its place.
/// The deltas become those of the whole. Throws InputError if the range does not lie in the rows.
MultimodalIds chunk_of(const MultimodalIds& ids, Index first, Index count);

/// The tokens of one of `shards` context-parallel ranks: of 2 shards parts of equal length, part
/// `rank` and the same part counted from the end. Throws InputError if the length is not a multiple
/// of 2 shards. Source: NVIDIA/Megatron-LM, megatron/training/utils.py,
/// get_batch_on_this_cp_rank.
MultimodalIds context_shard(const MultimodalIds& ids, Index rank, Index shards);

/// The id, on all axes, of step 0, 1, ... of a decode behind `tokens` tokens: tokens + step +
/// delta.
Index decode_id(Index tokens, Index step, Index delta);

}  // namespace ropescope
