// Positions of language models that see: text, images and videos in one sequence (M-RoPE).
#pragma once

#include "core/base/enum_names.h"
#include "core/base/index.h"

namespace ropescope {

/// How a family counts. With c the position that the next token of text would have, a block of
/// patches sits at (c + time, c + row, c + column), and text is at (c, c, c).
enum class MultimodalFamily : std::uint8_t {
    qwen2_vl,    ///< a frame of a video is one step of time
    qwen2_5_vl,  ///< steps of time are tokens_per_second * seconds of a grid, cut to an integer
    qwen3_vl,    ///< each frame of a video is a block of its own behind the text of its time stamp
    glm4v,       ///< the same
    videorope,   ///< time counts twice, rows and columns go out from the middle of their frame
    ernie4_5_vl  ///< as qwen2_vl, after frames of a video were merged
};
template <>
inline constexpr std::array<std::string_view, 6> kEnumNames<MultimodalFamily> = {
    "qwen2_vl", "qwen2_5_vl", "qwen3_vl", "glm4v", "videorope", "ernie4_5_vl"};

struct MultimodalRule {
    MultimodalFamily family = MultimodalFamily::qwen2_vl;
    Index merge = 2;               ///< merge x merge patches become one token
    double tokens_per_second = 1;  ///< of qwen2_5_vl
    /// Frames of a video that become one in ernie4_5_vl; 2 in the released models.
    Index temporal_merge = 2;

    /// Frames of a video that become one.
    Index merged_frames() const {
        return family == MultimodalFamily::ernie4_5_vl ? temporal_merge : 1;
    }
};

}  // namespace ropescope
