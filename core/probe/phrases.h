// What only a probe says, beside the phrases of diagnosis/phrases.h.
#pragma once

#include "core/diagnosis/phrases.h"

namespace ropescope::diagnosis::say {

inline constexpr Phrase kFound{"Found {}."};
inline constexpr Phrase kRefuses{"The implementation refuses: {}."};
inline constexpr Phrase kNoAnswer{"There was no answer in time: {}."};
inline constexpr Phrase kEnded{"The implementation ended: {}."};
inline constexpr Phrase kNotAnAnswer{"What came is not an answer: {}."};
inline constexpr Phrase kUnreadable{"The answer cannot be read: {}."};
inline constexpr Phrase kMissing{"{} is missing in the answer."};
inline constexpr Phrase kKeysMissing{
    "k_rot is missing in the answer; ask with --tensors q (tensors=\"q\" in Python) if the code "
    "turns one tensor."};
inline constexpr Phrase kShape{"{} has shape {}; {} is expected."};
inline constexpr Phrase kShapeExchanged{
    "{} has shape {}; {} is expected: heads and tokens are exchanged."};
inline constexpr Phrase kDtype{"{} has dtype {}; F64, F32, F16 or BF16 is expected."};
inline constexpr Phrase kNoNumber{"{} is {}, and every number must be finite."};
inline constexpr Phrase kChanges{"The request \"{}\" gets another answer the second time: {}"};
inline constexpr Phrase kInEveryCall{"In every call, {}."};
inline constexpr Phrase kInThisCall{"In this call, {}."};
inline constexpr Phrase kStepAtZero{
    "{} turns as position 0: a step counts its tokens from 0, or does not turn them."};
inline constexpr Phrase kStillCall{"{} is not rotated in this call."};
inline constexpr Phrase kFromZero{
    "Positions are counted from 0 again: the first token of {} is to stand at {:g}."};
inline constexpr Phrase kOffsetInCall{
    "Every position of {} is {:+g} from the stated one, and other calls are not."};
inline constexpr Phrase kGainInCall{
    "The turned channels of {} are multiplied by {:.6g} in this call, and by {:.6g} otherwise."};
inline constexpr Phrase kBackwardsInCall{"{} turns the other way in this call."};
inline constexpr Phrase kStepDiffers{"One token a row turns at other speeds than a sequence: {}."};
inline constexpr Phrase kCallsDiffer{"Calls differ: {}."};
inline constexpr Phrase kFirstCallDiffers{
    "this call is as the model says, and the first one is not"};
inline constexpr Phrase kFirstAtZero{
    "Positions begin again: the first token of {} turns as position 0, not {:g}."};
inline constexpr Phrase kAnswerOrder{
    "The numbers of {}_rot lie in the order [batch, tokens, heads, channels]."};
inline constexpr Phrase kCoarseAngles{
    "Angles of {} are off by up to {:.2g} rad, the more the larger they are: they are formed too "
    "coarsely."};
inline constexpr Phrase kUnnamed{
    "{} of {} numbers of {}_rot are off, by up to {:.3g} tolerances, and no known fault gives "
    "them."};
inline constexpr Phrase kAnswersRight{"{} of {} answers are as {} says"};
inline constexpr Phrase kAnswersWrong{"{} ({} of {} answers are as {} says)"};
inline constexpr Phrase kNothingAnswered{"nothing was answered"};
inline constexpr Phrase kWider{
    "{} has dtype {}, and {} was asked: round the answer as the implementation does, or answer "
    "with an error if it does not take this dtype."};
inline constexpr Phrase kNarrowerDtype{
    "{} has dtype {}, and {} was asked: answer in the dtype of the request, or with an error if "
    "the "
    "implementation does not take it."};
inline constexpr Phrase kNarrowedNumbers{
    "The numbers of {} were rounded to {}, and {} was asked: return what was computed, or answer "
    "with an error if the implementation does not take this dtype."};
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
