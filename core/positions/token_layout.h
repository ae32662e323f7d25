// What the tokens of a batch are: text, images and videos, one segment after the other.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"
#include "core/positions/grid_rule.h"

namespace ropescope {

enum class SegmentKind : std::uint8_t { text, image, video, frame };
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<SegmentKind> = {"text", "image",
                                                                            "video", "frame"};

/// Tokens of text, or patches that the vision tower hands over before they are merged. A frame is
/// one of a video whose frames have text between them.
struct Segment {
    SegmentKind kind = SegmentKind::text;
    Index text = 0;  ///< tokens
    PatchGrid grid = {};
    std::optional<double> second_per_grid = {};  ///< of a video: seconds from frame to frame
    /// Of a frame: how many of its video come before; of an image: how many of the batch.
    Index number = 0;
    /// Of a video: tokens of its sound, which are woven into its own between four marks.
    Index sound = 0;
};

/// Where the short rows of a batch are filled up. Without padding all rows have one length.
enum class Padding : std::uint8_t { none, left, right };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<Padding> = {"none", "left", "right"};

/// Tokens first .. first + count - 1 of every row.
struct TokenRange {
    Index first = 0;
    Index count = 0;
};

/// Ranks among which a sequence is shared out (context parallelism). Without a rank: all of them,
/// one after the other.
struct ContextShards {
    Index size = 1;
    std::optional<Index> rank = {};
    bool per_document = false;  ///< each document of a packed row is shared out by itself
};

struct TokenLayout {
    std::string name = {};
    Padding padding = Padding::none;
    std::vector<std::vector<Segment>> rows = {};  ///< one for each sequence of the batch
    std::optional<Index> length = {};             ///< as the file states it; checked if it is there
    bool packed = false;                          ///< the rows are documents of one sequence
    Index filled_length = 0;                   ///< of packed documents: tokens with their padding
    Index decode_steps = 0;                    ///< tokens generated behind each sequence
    std::optional<TokenRange> chunk = {};      ///< only these: a chunk of a prefill
    std::optional<ContextShards> shards = {};  ///< only the tokens of a rank, or those of all
    /// Only these tokens of every row, by their numbers in it: what a cache keeps, or a sparse
    /// indexer picks. Empty: all.
    std::vector<Index> kept = {};
};

template <typename Wanted>
bool any_segment(const TokenLayout& layout, Wanted wanted) {
    return std::ranges::any_of(layout.rows, [&](const std::vector<Segment>& row) {
        return std::ranges::any_of(row, wanted);
    });
}

// Where each token of a sequence comes from.

/// What a token is: one of a segment (sound is that of a video), padding, generated behind the
/// sequence (decode), or a token that the model adds to its patches, as CLS (other).
enum class TokenKind : std::uint8_t { text, image, video, frame, sound, padding, decode, other };
template <>
inline constexpr std::array<std::string_view, 8> kEnumNames<TokenKind> = {
    "text", "image", "video", "frame", "sound", "padding", "decode", "other"};

struct TokenOrigin {
    TokenKind kind = TokenKind::padding;
    Index row = 0;      ///< of the layout
    Index segment = 0;  ///< of the row; 0 if the token is not of a segment
    Index index = 0;    ///< in the segment, or in the run of padding or decode steps

    bool in_segment() const { return kind <= TokenKind::sound; }
};

}  // namespace ropescope
