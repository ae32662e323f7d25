// What the script that trained the demo models counted with PyTorch, and the changed rotations that
// it counted with: assets/demo-roformer/scores.json, tools/train-demo/{score,scalings}.py.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/demo/demo_models.h"
#include "core/encoder/rope_options.h"
#include "core/rope/rope_spec.h"

namespace ropescope::demo {

/// How many of the hidden pieces were named rightly.
struct ScriptCount {
    Index right = 0;
    Index of = 0;
    double share() const { return to_double(right) / to_double(of); }
};

/// A change to the rotation, and nothing else: half_split reads the interleaved weights as that
/// layout.
enum class RopeChange { none, off, half_split };

/// How a text longer than those of the training is turned.
enum class StretchMethod { none, linear, ntk, yarn, llama3 };

/// Of the shipped model at one length, in tokens with [CLS] and [SEP].
struct StretchCount {
    Index length = 0;
    StretchMethod method = StretchMethod::none;
    ScriptCount count;
};

/// What the script counted on one text.
struct TextScores {
    ScriptCount no_position;             ///< of the twin, at the trained length
    std::array<ScriptCount, 3> changes;  ///< by RopeChange, at the trained length
    std::vector<StretchCount> lengths;   ///< every method at every length, lengths ascending

    const ScriptCount& of(RopeChange change) const {
        return changes[static_cast<std::size_t>(change)];
    }
    /// The count must exist.
    const ScriptCount& of(StretchMethod method, Index length) const;
};

struct DemoScores {
    TextScores sample;    ///< held_out_text(), which the engine can count again
    TextScores held_out;  ///< all of the text that was kept out of the training
};
const DemoScores& demo_scores();

/// The lengths at which the script counted, ascending; the first is kTrainedLength.
std::vector<Index> stretched_lengths();

/// The rotation of the demo model by a method: the factor is length / kTrainedLength, and a text
/// that is not longer than those of the training is turned without scaling.
RopeSpec stretched_spec(StretchMethod method, Index length);

EncoderRope changed_rope(RopeChange change);
EncoderRope stretched_rope(StretchMethod method, Index length);

}  // namespace ropescope::demo

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<demo::RopeChange> = {"none", "off",
                                                                                 "half_split"};
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<demo::StretchMethod> = {
    "none", "linear", "ntk", "yarn", "llama3"};
}  // namespace ropescope
