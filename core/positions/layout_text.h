// A layout of tokens in a line of text: "text 4, image 4x6, text 3".
#pragma once

#include <string_view>

#include "core/positions/multimodal_ids.h"
#include "core/positions/token_layout.h"

namespace ropescope {

/// The longest sequence that such a text may describe, in tokens.
inline constexpr Index kMaxTextTokens = 4096;

/// Reads parts separated by commas: "text 4", "image 4x6" or "image 1x4x6" (patches, rows x
/// columns), "video 4x4x6" or "video 4x4x6 0.5s" (frames first; seconds from frame to frame), the
/// latter also with "audio 60" behind it (tokens of its sound, woven into it), and at an end of the
/// line "padding 3" and "decode 2" (padding on the left or on the right), and last what part of the
/// tokens is meant: "chunk 8 4" (4 tokens from token 8 on), "kept 0 1 8" (these, as a cache keeps
/// them), "rank 1 of 2" (those of a context-parallel rank) or "ranks 2" (those of all ranks, one
/// after the other). "|" between parts begins another document in the same row. For a family that
/// counts each frame of a video as a block of its own, a video becomes its frames, each behind
/// kStampTokens tokens of text. Padding is that of a batch whose second row, of text, is longer;
/// that of packed documents fills their row up. Throws InputError that names the part and the
/// expected form.
TokenLayout parse_layout_text(std::string_view text, const MultimodalRule& rule);

/// Tokens of a time stamp before each frame: "<1.5 seconds>" and the mark of a picture.
inline constexpr Index kStampTokens = 5;

}  // namespace ropescope
