// What is said of scores, beside the phrases of diagnosis/phrases.h.
#pragma once

#include "core/diagnosis/phrases.h"

namespace ropescope::diagnosis::say {

inline constexpr Phrase kScore{"The score is"};
inline constexpr Phrase kScoreAt{"The score of {} is"};
inline constexpr Phrase kAllScores{"All scores are"};
inline constexpr Phrase kSomeScores{"{} of {} scores are"};
inline constexpr Phrase kSomeScoresAt{"{} of {} scores ({}) are"};
inline constexpr Phrase kNotFinite{"{} NaN or infinite."};
inline constexpr Phrase kAllMasked{
    "All scores are masked, so that none can be held to q_rot . k_rot; dump them before the mask "
    "and the softmax."};
inline constexpr Phrase kMasked{
    "{} masked where no mask hides a key (causal, padding, a window, documents); dump scores "
    "before the mask and the softmax."};
inline constexpr Phrase kUnusualMask{
    "{} masked in all heads, and the mask is no causal, window, padding or document mask; it is "
    "not "
    "judged."};
inline constexpr Phrase kLeaningScores{
    "Scores of {} are q_rot . k_rot times {:.6g}, and those of all are times {:.6g}."};
inline constexpr Phrase kOneScore{"{} {:.6g}, and q_rot . k_rot times {:.6g} is {:.6g}."};
inline constexpr Phrase kZeroScores{"Scores are all 0, and q_rot . k_rot is not."};
inline constexpr Phrase kZeroScoresOf{"Scores of {} are all 0, and q_rot . k_rot is not."};
inline constexpr Phrase kWrongScores{
    "{} not q_rot . k_rot times {:.6g}: the first of them is {:.6g} in place of {:.6g}."};
inline constexpr Phrase kNoMultiple{
    "Scores are not a multiple of q_rot . k_rot; dump them before the mask and the softmax."};
inline constexpr Phrase kCapped{
    "Scores are cap tanh(x / cap) of multiples x of q_rot . k_rot, as models with "
    "attn_logit_softcapping have them; dump them before the cap."};
inline constexpr Phrase kKeysRepeated{
    "Query head h reads key head h mod {0} where groups of {1} neighbours share one: keys were "
    "repeated as a whole, not each {1} times."};
inline constexpr Phrase kScoresOfNeither{
    "Scores are a multiple of q . k: neither is rotated in them."};
inline constexpr Phrase kScoresOfQ{"Scores are a multiple of q_rot . k: k is not rotated in them."};
inline constexpr Phrase kScoresOfK{"Scores are a multiple of q . k_rot: q is not rotated in them."};
inline constexpr Phrase kOtherFactor{"Scores are q_rot . k_rot times {:.6g}; {:.6g} is expected."};
inline constexpr Phrase kOwnFactor{
    "Scores are q_rot . k_rot times {:.6g}, where 1 / sqrt(head_dim) is {:.6g}: some models have a "
    "factor of their own (query_pre_attn_scalar, attention_multiplier, YaRN's mscale); give "
    "--expect to compare."};
inline constexpr Phrase kSameNumbers{"The code of {} gives the same numbers for the first tokens."};

}  // namespace ropescope::diagnosis::say
