// Where each token of a sequence comes from.
#pragma once

#include "core/base/enum_names.h"
#include "core/base/index.h"

namespace ropescope {

/// What a token is: one of a segment, padding, generated behind the sequence (decode), or a token
/// that the model adds to its patches, as CLS (other).
enum class TokenKind : std::uint8_t { text, image, video, frame, padding, decode, other };
template <>
inline constexpr std::array<std::string_view, 7> kEnumNames<TokenKind> = {
    "text", "image", "video", "frame", "padding", "decode", "other"};

struct TokenOrigin {
    TokenKind kind = TokenKind::padding;
    Index row = 0;      ///< of the layout
    Index segment = 0;  ///< of the row; 0 if the token is not of a segment
    Index index = 0;    ///< in the segment, or in the run of padding or decode steps

    bool in_segment() const { return kind <= TokenKind::frame; }
};

}  // namespace ropescope
