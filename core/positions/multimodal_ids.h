// Position ids of language models that see, as get_rope_index of Hugging Face transformers makes
// them, and what becomes of them in packed sequences, chunks, shards and decode steps.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/positions/token_layout.h"

namespace ropescope {

// The versions of Hugging Face transformers that number tokens differently.

/// transformers_4 stands for 4.57 and for 5.0 to 5.2: text after a block goes on behind the largest
/// position of all axes, padding sits at 1, and deltas count the padded length. transformers_5
/// stands for 5.3 and later: text goes on at the block's start plus the longer of its merged sides,
/// padding sits at 0, and deltas count the tokens without padding.
enum class PositionVersion : std::uint8_t { transformers_4, transformers_5 };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<PositionVersion> = {"transformers-4",
                                                                                "transformers-5"};

// Positions of language models that see: text, images and videos in one sequence (M-RoPE).

/// How a family counts. With c the position that the next token of text would have, a block of
/// patches sits at (c + time, c + row, c + column), and text is at (c, c, c).
enum class MultimodalFamily : std::uint8_t {
    qwen2_vl,     ///< a frame of a video is one step of time
    qwen2_5_vl,   ///< steps of time are tokens_per_second * seconds of a grid, cut to an integer
    qwen3_vl,     ///< each frame of a video is a block of its own behind the text of its time stamp
    glm4v,        ///< the same
    videorope,    ///< time counts twice, rows and columns go out from the middle of their frame
    ernie4_5_vl,  ///< as qwen2_vl, after frames of a video were merged
    /// Time of a video is tokens_per_second * seconds, cut at each frame. Sound counts as text, or
    /// is woven into its video in chunks of some seconds (woven_sound.h).
    qwen2_5_omni,
    qwen3_omni,  ///< the same without a cut; sound is woven in token by token
    /// Four axes: the number of the token, column, row and number of the image. Each row of an
    /// image ends in one more token.
    hunyuan_vl
};
template <>
inline constexpr std::array<std::string_view, 9> kEnumNames<MultimodalFamily> = {
    "qwen2_vl",    "qwen2_5_vl",   "qwen3_vl",   "glm4v",     "videorope",
    "ernie4_5_vl", "qwen2_5_omni", "qwen3_omni", "hunyuan_vl"};

struct MultimodalRule {
    MultimodalFamily family = MultimodalFamily::qwen2_vl;
    Index merge = 2;               ///< merge x merge patches become one token
    double tokens_per_second = 1;  ///< of qwen2_5_vl, qwen2_5_omni and qwen3_omni
    /// Frames of a video that become one in ernie4_5_vl; 2 in the released models.
    Index temporal_merge = 2;

    /// Steps of time in a chunk of video and sound of qwen2_5_omni; 2 seconds in the released one.
    Index chunk_steps = 50;

    bool is_omni() const {
        return family == MultimodalFamily::qwen2_5_omni || family == MultimodalFamily::qwen3_omni;
    }
    /// Ids of a token.
    Index axes() const { return family == MultimodalFamily::hunyuan_vl ? 4 : 3; }
    /// Frames of a video that become one.
    Index merged_frames() const {
        return family == MultimodalFamily::ernie4_5_vl ? temporal_merge : 1;
    }
};

// The position ids of one block of patches, as the language models that see count them.

/// The ids of one token: time, height and width, or what hunyuan_vl has in their place. The fourth
/// is 0 for families of three axes.
using AxisIds = std::array<Index, 4>;

/// "t", "h", "w"; for hunyuan_vl "p", "w", "h", "t", where t is the number of the image.
std::vector<std::string> axis_names(const MultimodalRule& rule);

struct BlockIds {
    std::vector<AxisIds> tokens = {};
    Index next = 0;  ///< where the text behind the block goes on
};

/// Counts a block in whose place text would go on at `start`.
using CountBlock = std::function<BlockIds(const Segment& segment, Index start)>;

/// The steps of time between the ids of neighbouring frames. get_rope_index of Qwen2.5-VL cuts the
/// seconds to an integer before it multiplies them, that of Qwen2.5-Omni and Qwen3-Omni does not.
double frame_interval(const MultimodalRule& rule, const Segment& segment);
/// Steps of time from the first frame to another, `interval` steps apart from frame to frame.
Index frame_time(const MultimodalRule& rule, const Segment& segment, double interval, Index frame);

/// The grid of tokens that a block becomes: merge x merge patches, and the frames of a video that
/// are merged, make one token; the token at the end of a row counts as a column.
PatchGrid merged_grid(const MultimodalRule& rule, const Segment& segment);
/// Tokens of a segment.
Index token_count(const MultimodalRule& rule, const Segment& segment);

/// As the family counts, in that version.
BlockIds block_ids(const MultimodalRule& rule, PositionVersion version, const Segment& segment,
                   Index start);
/// The same with frames `interval` steps of time apart, for families but videorope and hunyuan_vl.
BlockIds spaced_block_ids(const MultimodalRule& rule, PositionVersion version,
                          const Segment& segment, double interval, Index start);

/// Throws InputError that begins with `place` for a segment that the rule cannot count.
void validate(const MultimodalRule& rule, const Segment& segment, const std::string& place);

/// Ids of a batch.
struct MultimodalIds {
    Index batch = 0;
    Index length = 0;
    std::vector<Index> ids;     ///< [axes, batch, length]: time, height, width
    std::vector<Index> deltas;  ///< [batch]: token n of a decode step sits at n + delta
    Index axes = 3;

    Index at(Index axis, Index b, Index token) const {
        return ids[(axis * batch + b) * length + token];
    }
};

/// Largest number of tokens of a batch, padding included.
inline constexpr Index kMaxLayoutTokens = Index{1} << 22;

/// Throws InputError that names the row and the segment for a grid that does not divide into blocks
/// of merged patches, for a video of a family that takes single frames, and for rows of different
/// lengths without padding. Sources: huggingface/transformers v4.57.6 and v5.15.0, get_rope_index
/// of models/qwen2_vl, qwen2_5_vl, qwen3_vl and glm4v, and of models/qwen2_5_omni and
/// qwen3_omni_moe of August 2026 (there text goes on behind the largest position in every
/// version) and hunyuan_vl (images are numbered through all rows); Wiselnn570/VideoRoPE,
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
