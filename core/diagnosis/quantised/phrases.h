// What is said of tensors that were rounded to 8 bits.
#pragma once

#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis::say {

inline constexpr Phrase kGridStated{
    "{} is {} with a scale for {} ({}): each number is judged within half a step."};
inline constexpr Phrase kGridWithoutScale{
    "{} is {} without a scale: each number is judged within half a step."};
inline constexpr Phrase kGridRecognised{
    "The numbers of {} are those of {} with a scale for {}: each is judged within half a step."};
inline constexpr Phrase kRoundedAlone{
    "the numbers of {0} are those of {1}, and those of {2} are not: right for a cache of 8 bits, "
    "and "
    "else they were rounded on their way; dump them in 8 bits, or with {0}_scale, if they are kept "
    "so"};
inline constexpr Phrase kGridHides{
    "what is below half a step of {1} in {0}: up to {2:.3g} of a number"};
inline constexpr Phrase kStepsHide{"what is below half a step of {1} in {0}: up to {2:.3g}"};
inline constexpr Phrase kNarrowHides{
    "what the rounding of {0} hides: it is kept as {1}, and all its numbers are those of {2}, "
    "which "
    "the numbers before the rotation are not"};
inline constexpr Phrase kCut{
    "{0} of the numbers of {1} stand at the end of {2} where larger ones are expected: they were "
    "cut to it."};
inline constexpr Phrase kCutHides{
    "how much larger {0} of the numbers of {1} should be, which were cut to the end of {2}"};
inline constexpr Phrase kSaturated{
    "{0} of the numbers of {1} were cut to the end of {2}, although {3}: it was not made of the "
    "numbers behind the rotation."};
inline constexpr Phrase kScalesChange{"the scale belongs to {}"};
inline constexpr Phrase kScaleOfInput{"the scale follows the largest number before the rotation"};
inline constexpr Phrase kCutTowardsZero{
    "Numbers of {} are cut towards zero to steps of {}, and not rounded to the nearest."};
inline constexpr Phrase kRoundedDown{
    "Numbers of {} are rounded down to steps of {}, and not to the nearest."};
inline constexpr Phrase kScaleFactor{
    "Numbers of {0} times their scale are {1:.6g} times the expected ones: the scale is wrong by "
    "that factor."};
inline constexpr Phrase kScaleFactors{
    "Numbers of {0} times their scale differ from the expected ones by a factor for {1} (from "
    "{2:.4g} to {3:.4g}): the scale is that of other numbers."};
inline constexpr Phrase kGiveScale{
    "{0} is {1} without a scale, and is as expected but for a factor for {2} (from {3:.4g} to "
    "{4:.4g}); dump the scale as {0}_scale"};
inline constexpr Phrase kGiveReciprocal{
    "{0} holds what the numbers were multiplied by before they were rounded; give its reciprocal, "
    "by which they are multiplied back"};
inline constexpr Phrase kWidthOpen{
    "{0} channels may turn by base {1:.7g}, or {2} of them by base {3:.7g}: the others would turn "
    "by "
    "less than half a step; dump tokens at larger positions, or give --expect"};
inline constexpr Phrase kGridTooCoarse{
    "{} is {}, which is too coarse to tell what is left of its rotation; give --expect, or dump it "
    "before it is quantised"};

}  // namespace ropescope::diagnosis::say
