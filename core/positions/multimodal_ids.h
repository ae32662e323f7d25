// Position ids of language models that see, as get_rope_index of Hugging Face transformers makes
// them, and what becomes of them in packed sequences, chunks, shards and decode steps.
#pragma once

#include <span>
#include <vector>

#include "core/positions/block_ids.h"
#include "core/positions/multimodal_rule.h"
#include "core/positions/position_version.h"
#include "core/positions/token_layout.h"

namespace ropescope {

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

/// Largest number of tokens of a batch, padding included.
inline constexpr Index kMaxLayoutTokens = Index{1} << 22;

/// Throws InputError that names the row and the segment for a grid that does not divide into blocks
/// of merged patches, for a video of a family that takes single frames, and for rows of different
/// lengths without padding. Sources: huggingface/transformers v4.57.6 and v5.15.0, get_rope_index
/// of models/qwen2_vl, qwen2_5_vl, qwen3_vl and glm4v; Wiselnn570/VideoRoPE,
/// videorope-transformer/modeling_videorope.py, get_t_scale_rope_index, with scale factor 2.
MultimodalIds multimodal_ids(const MultimodalRule& rule, PositionVersion version,
                             const TokenLayout& layout);
/// The same with blocks counted in another way.
MultimodalIds multimodal_ids(const MultimodalRule& rule, PositionVersion version,
                             const TokenLayout& layout, const CountBlock& count);

/// The rows of the layout as documents of one sequence: positions begin again with each document.
/// One row, whose delta is that of the last document, which a decode step continues.
MultimodalIds packed_ids(const MultimodalRule& rule, PositionVersion version,
                         const TokenLayout& layout);
MultimodalIds packed_ids(const MultimodalRule& rule, const TokenLayout& layout,
                         const CountBlock& count);

/// These tokens of every row, by their numbers in it. The deltas stay those of the whole.
MultimodalIds tokens_of(const MultimodalIds& ids, std::span<const Index> tokens);

/// Tokens first .. first + count - 1 of every row: a chunk of a prefill has the ids of its place.
/// The deltas become those of the whole. Throws InputError if the range does not lie in the rows.
MultimodalIds chunk_of(const MultimodalIds& ids, Index first, Index count);

/// The numbers of the tokens of one of `shards` context-parallel ranks: of 2 shards parts of equal
/// length, part `rank` and the same part counted from the end. Throws InputError if the length is
/// not a multiple of 2 shards. Source: NVIDIA/Megatron-LM, megatron/training/utils.py,
/// get_batch_on_this_cp_rank.
std::vector<Index> shard_tokens(Index length, Index rank, Index shards);
MultimodalIds context_shard(const MultimodalIds& ids, Index rank, Index shards);

/// The id, on all axes, of step 0, 1, ... of a decode behind `tokens` tokens: tokens + step +
/// delta.
Index decode_id(Index tokens, Index step, Index delta);

}  // namespace ropescope
