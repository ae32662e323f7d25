// What only a probe says, beside the phrases of diagnosis/phrases.h.
#pragma once

#include "core/diagnosis/phrases.h"

namespace ropescope::diagnosis::say {

inline constexpr Phrase kWider{
    "{} has dtype {}, and {} was asked: round the answer as the implementation does, or answer "
    "with an error if it does not take this dtype."};
inline constexpr Phrase kTakesNoPositions{
    "The implementation takes no positions, and is not judged by requests whose rows do not count "
    "from 0."};
inline constexpr Phrase kStillTokens{
    "{} of {} tokens of {} are not rotated in this call; token {} is the first."};
inline constexpr Phrase kChangedFrom{
    "The request \"{}\" gets another answer when it is asked again; before: {}"};
inline constexpr Phrase kChangedSomehow{
    "The request \"{}\" gets another answer when it is asked again."};
inline constexpr Phrase kAnswerOff{
    "{} of {} numbers of q_rot and k_rot are off, by up to {:.3g} tolerances."};

}  // namespace ropescope::diagnosis::say
