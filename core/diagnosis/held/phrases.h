// What is said of a dump that is held to a rotation: differences from the expected one, and what is
// left beside it.
#pragma once

#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis::say {

// Differences from what is expected.
inline constexpr Phrase kDiffers{"{} {}, expected {}"};
inline constexpr Phrase kDiffersFromInferred{"{} {}, inferred {}"};
inline constexpr Phrase kExpectedButInferred{"as expected but for what was inferred"};
inline constexpr Phrase kOneOfAllLayers{
    "{0} {1} in some layers and {2} in others: no key says which, and not both are right"};
inline constexpr Phrase kBaseDiffers{"base {:.8g}, expected {:.8g}"};
inline constexpr Phrase kBaseAtLengthDiffers{"base {:.8g}, expected {:.8g} at {} positions"};
inline constexpr Phrase kGainDiffers{"attention factor {:.5g}, expected {:.5g}"};
inline constexpr Phrase kGainOfSideDiffers{"attention factor of {} {:.5g}, expected {:.5g}"};
inline constexpr Phrase kPartnerDiffers{"channel {} turns with channel {}, expected {}"};
inline constexpr Phrase kFirstChannelDiffers{"the first channel that turns is {}, expected 0"};
inline constexpr Phrase kSpeedDiffers{
    "{0} of {1} {0:?turns|turn} at another speed: by {3:.6g} radians per position, expected "
    "{4:.6g}"};
inline constexpr Phrase kSpeedsDifferBy{
    "{0} of {1} {0:?turns|turn} at another speed: pair {2} by {3:.6g} radians per position, "
    "expected {4:.6g}"};
inline constexpr Phrase kOtherLength{
    "the spectrum is not the one for a sequence of {} positions: the frequencies of this model "
    "depend on the length"};
inline constexpr Phrase kAxesDiffer{"positions of {} axes, expected 1"};
inline constexpr Phrase kInLayersOfType{"{} in layers of type {}"};
inline constexpr Phrase kRotationDiffers{"found {}, expected {}"};

// What is left beside the expected or the found rotation.
inline constexpr Phrase kTableOfAnotherRotation{
    "cos and sin are those of another rotation: in some pairs they are exchanged or have the other "
    "sign."};
inline constexpr Phrase kAsIf{"{} comes out as if {}"};
inline constexpr Phrase kBothAsIf{"{} come out as if {}"};
inline constexpr Phrase kAsIfSentence{"{} comes out as if {}."};
inline constexpr Phrase kBothAsIfSentence{"{} come out as if {}."};
inline constexpr Phrase kPartOf{"{} ({:*, })"};
inline constexpr Phrase kLeft{
    "{} of {} vectors are not the expected ones ({}); the farthest, {}, is off by {:.3g} times "
    "what "
    "rounding explains"};
inline constexpr Phrase kNotProved{
    "no parameters that were found explain every vector of {}; dump consecutive tokens from "
    "position "
    "0 on, in float32, or give --expect"};
inline constexpr Phrase kLeftOfFound{
    "{} of {} vectors do not turn as found ({}); the farthest, {}, is off by {:.3g} times what "
    "rounding explains; give --expect"};
inline constexpr Phrase kLeftIn{"{}: {:*, }"};
inline constexpr Phrase kAllOf{"all {}"};
inline constexpr Phrase kNumbers{"{}"};
inline constexpr Phrase kStillChannels{"channels that should stay"};
inline constexpr Phrase kLeftPlace{"{}{}"};
inline constexpr Phrase kAtPair{", pair {}"};
inline constexpr Phrase kAtChannel{", channel {}"};
inline constexpr Phrase kBehindRotation{
    "Every pair of {} comes out with a turn or a reflection of its own behind the expected "
    "rotation, "
    "the same at every token: scores depend on differences only."};
inline constexpr Phrase kInHalves{
    "Pairs of {} are interleaved and come out in halves, as DeepSeek's code writes them: scores "
    "are "
    "the same with keys that the same code wrote."};
inline constexpr Phrase kFirstsNegated{
    "The first channel of each pair of {} comes out with the other sign, at every token alike: "
    "scores "
    "do not notice it."};
inline constexpr Phrase kOrderNotShown{
    "The shapes leave the order of the axes open, and {} was taken because its angles fit: code "
    "that "
    "turns heads by their number in place of tokens looks the same in the other order. --axes, or "
    "positions of another number than heads, would tell."};
inline constexpr Phrase kAxesNotShown{
    "by which axis each pair turns, because the positions of every token are the same in all axes; "
    "tokens of an image whose rows and columns differ in number would"};
inline constexpr Phrase kNotToldFrom{
    "whether it is {:*, or }, which turns these tokens alike within rounding; a token at position "
    "{} "
    "would"};
inline constexpr Phrase kWeightsNotShown{
    "whether the weights have their channels in the order that this code pairs; `ropescope diff` "
    "with a dump of an implementation that is known to be right would"};
inline constexpr Phrase kWithoutScaling{"the same without its {} scaling"};
inline constexpr Phrase kTitle{"{}"};

}  // namespace ropescope::diagnosis::say
