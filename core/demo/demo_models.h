// The trained models in the box: a small RoFormer that fills masked words in the definitions of
// WordNet, its twin without any position, and a decoder without any position, which names the next
// piece (assets/demo-roformer/README.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/encoder/encoder.h"
#include "core/formats/word_pieces.h"

namespace ropescope::demo {

/// no_position: trained on the same text without RoPE. Its passes need EncoderRope::enabled =
/// false. decoder: the same behind a causal mask.
enum class DemoModel { rope, no_position, decoder };

/// The longest text of the training, in tokens with [CLS] and [SEP].
inline constexpr Index kTrainedLength = 128;

/// Its config and its weights, which lie in the program's memory.
EncoderFiles demo_model(DemoModel model);
EncoderConfig demo_config(DemoModel model);
/// The vocabulary of all demo models.
const WordPieces& demo_vocabulary();

/// Text that no training saw, as one stream of tokens without [CLS] and [SEP].
struct HeldOutText {
    std::vector<Index> ids;     ///< of the stream
    std::vector<Index> hidden;  ///< places in the stream that [MASK] takes, ascending
};
const HeldOutText& held_out_text();

}  // namespace ropescope::demo

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<demo::DemoModel> = {
    "rope", "no_position", "decoder"};
}  // namespace ropescope

namespace ropescope::demo {

// The files of the demo models, compiled into the program by cmake/Embed.cmake.

/// Contents of a file by its path in the repository: "assets/demo-roformer/vocab.txt".
std::optional<std::string_view> demo_file(std::string_view name);

}  // namespace ropescope::demo
