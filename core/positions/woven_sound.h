// The ids of a video of Qwen2.5-Omni or Qwen3-Omni with its sound (use_audio_in_video), whose
// tokens are woven into those of the frames.
#pragma once

#include <optional>
#include <vector>

#include "core/positions/multimodal_ids.h"

namespace ropescope {

/// Marks of a video with sound: where the video and its sound begin, and where both end.
inline constexpr Index kWovenMarks = 4;

/// The order of the tokens between the marks, and where the last piece of them begins. A piece is
/// what get_rope_index appends at once.
struct Weave {
    std::vector<TokenKind> tokens = {};  ///< video or sound
    Index last_piece = 0;
};

/// Qwen2.5-Omni takes by turns the frames and the sound of a chunk of time, Qwen3-Omni always the
/// token that is earlier, and that of the video if both are at the same time.
Weave weave(const MultimodalRule& rule, const Segment& segment);

/// What each token of such a segment is, the marks as text.
std::vector<TokenKind> woven_tokens(const MultimodalRule& rule, const Segment& segment);

/// How ids are counted beside the order of the tokens. A fault changes one of them.
struct WovenCount {
    bool own_marks = false;           ///< each mark has a position of its own, or two share one
    bool behind_largest = false;      ///< marks at the end sit behind all tokens, or the last piece
    bool sound_behind = false;        ///< sound counts behind the video, or from its start
    std::optional<Weave> order = {};  ///< the ids come in this order; empty: in that of the tokens
};
/// The order in which Qwen2.5-Omni, or else Qwen3-Omni, weaves, whatever the rule's family is.
Weave weave_in_chunks(const MultimodalRule& rule, const Segment& segment);
Weave weave_by_time(const MultimodalRule& rule, const Segment& segment);

/// As the family counts: the marks of Qwen2.5-Omni share a position.
WovenCount woven_count(const MultimodalRule& rule);

/// The block's tokens with frames `interval` steps of time apart. Sources: huggingface/transformers
/// of August 2026, get_rope_index and get_chunked_index of models/qwen2_5_omni/
/// modeling_qwen2_5_omni.py, and get_rope_index of models/qwen3_omni_moe/
/// modeling_qwen3_omni_moe.py.
BlockIds woven_block_ids(const MultimodalRule& rule, const Segment& segment, double interval,
                         Index start);
BlockIds woven_block_ids(const MultimodalRule& rule, const Segment& segment, double interval,
                         Index start, const WovenCount& count);

}  // namespace ropescope
