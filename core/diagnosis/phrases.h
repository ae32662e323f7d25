// All that can be said of a dump or of answers, as phrases for values: every sentence of a
// diagnosis is written here. Values have formats of fmt, or those of words.cpp.
#pragma once

#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis::say {

// Joints.
inline constexpr Phrase kWordsBefore{"{}: {}"};
inline constexpr Phrase kByItself{"{} by itself, but not as {} says: {}"};
inline constexpr Phrase kFactorsAlone{
    "factors on frequencies alone do not say which base they belong to"};
inline constexpr Phrase kGiveBaseOfFactors{
    "Name the model by --expect, or give inv_freq, or cos and sin."};
inline constexpr Phrase kWithPlace{"{} ({})"};
inline constexpr Phrase kAndOfK{"{} (the same holds for k)"};
inline constexpr Phrase kListed{"{:*; }{}"};
inline constexpr Phrase kAndOthers{"; and others"};
inline constexpr Phrase kWith{"{}, {}"};

// Layouts.
inline constexpr Phrase kPermuted{
    "Channels are permuted: the pair ({}, {}) comes out as channels {} and {}."};
inline constexpr Phrase kPairsInBlocks{
    "Pairs are half-split inside each block of channels: ({}, {}) is the first."};
inline constexpr Phrase kOwnLayout{"Channels {} and {} are a pair: a layout of its own."};
inline constexpr Phrase kLayout{"Channels {} and {} are a pair: {}."};
inline constexpr Phrase kOtherSideLayout{"{} {} has another layout, {}."};
inline constexpr Phrase kWithPairMoved{
    "in which the pair ({}, {}) comes out as channels {} and {}"};
inline constexpr Phrase kWithPair{"in which channels {} and {} are a pair"};
inline constexpr Phrase kSomeTurn{"{} of {} channels turn; the others stay as they are."};
inline constexpr Phrase kSomeTurnMoved{
    "{} of {} channels turn; the others keep their numbers and come out in other places."};
inline constexpr Phrase kInnerTurn{"Channels {} to {} of {} turn; the others stay as they are."};
inline constexpr Phrase kOthersLayout{"{} Other {} have another layout."};

// Spectra.
inline constexpr Phrase kSpectrum{"The spectrum: {}."};
inline constexpr Phrase kExpected{"as expected"};
inline constexpr Phrase kAsModel{"as {}"};
inline constexpr Phrase kBase{"base {:.10g}"};
inline constexpr Phrase kFittedBase{"base {:.7g}"};
inline constexpr Phrase kBaseInEachAxis{"base {:.10g} in each axis"};
inline constexpr Phrase kLearnedDirections{
    "a direction and a speed of its own for each pair, in several axes at once, as RoPE-Mixed "
    "learns them"};
inline constexpr Phrase kOwnSpeeds{"speeds of its own in each axis"};
inline constexpr Phrase kNoPairTurns{"no pair turns"};
inline constexpr Phrase kOnePairTurns{
    "pair 0 alone turns, and the frequencies of all others are zero (an integer division, or a "
    "power "
    "that overflows)"};
inline constexpr Phrase kTimesPositions{"{}, at {} times the positions"};
inline constexpr Phrase kMistakenUnit{"base {:.10g}, positions times {:.7g} ({})"};
inline constexpr Phrase kDegrees{"180/pi: degrees in place of radians?"};
inline constexpr Phrase kFromDegrees{"pi/180: radians taken for degrees?"};
inline constexpr Phrase kTurns{"2 pi: turns in place of radians?"};
inline constexpr Phrase kFromTurns{"1/(2 pi): radians taken for turns?"};
inline constexpr Phrase kLinear{"base {:.10g}, linear scaling by {:.6g}"};
inline constexpr Phrase kFaster{"base {:.10g}, positions times {:.6g}"};
inline constexpr Phrase kFlat{"every pair turns by {:.6g} radians per position"};
inline constexpr Phrase kYarn{"base {:.10g}, YaRN by {:.6g} from {} positions"};
inline constexpr Phrase kYarnUntruncated{
    "base {:.10g}, YaRN by {:.6g} from {} positions, ramp not truncated"};
inline constexpr Phrase kLlama3{"base {:.10g}, Llama 3 scaling by {:.6g} from {} positions"};
inline constexpr Phrase kNtk{"base {:.10g} enlarged by NTK scaling by {:.6g}"};
inline constexpr Phrase kProportional{
    "base {:.10g} with exponents over the whole head of {} channels, of which {} turn"};
inline constexpr Phrase kLongRope{
    "a factor of its own for each pair, as LongRoPE has, if the base is {:.10g}"};
inline constexpr Phrase kBlocks{"base {:.10g} in each of {} blocks of channels"};
inline constexpr Phrase kRounded{"{}, {} rounded to {}"};
inline constexpr Phrase kFromOne{
    "base {:.10g} with the exponent (2i + 1) / rotary_dim in place of 2i / rotary_dim"};
inline constexpr Phrase kFromTwo{
    "base {:.10g} with the exponent 2(i + 1) / rotary_dim in place of 2i / rotary_dim"};
inline constexpr Phrase kNarrower{
    "base {:.10g} with the exponent 2i / (rotary_dim - 2) in place of 2i / rotary_dim"};
inline constexpr Phrase kReciprocal{
    "base {:.10g}, base^(+2i / rotary_dim): the reciprocal is missing"};
inline constexpr Phrase kPairsReversed{"base {:.10g}, the order of the pairs is reversed"};
inline constexpr Phrase kSpectrumChanges{
    "From position {:g} on the spectrum is another one: {} before, {} from there."};
inline constexpr Phrase kSpectra{"{0:^} turn at {1} different sets of speeds: {2}."};
inline constexpr Phrase kSpectraInShort{"{0:^} turn at {1} different sets of speeds: {2}"};
inline constexpr Phrase kHeads{"heads"};
inline constexpr Phrase kLayers{"layers"};
inline constexpr Phrase kEach{"each {}"};
inline constexpr Phrase kSpectraOfHeads{"spectra that differ between heads"};

// Axes.
inline constexpr Phrase kNoAxis{"no axis"};
inline constexpr Phrase kAnyAxis{"any axis"};
inline constexpr Phrase kSeveralAxes{"several axes at once"};
inline constexpr Phrase kTime{"time"};
inline constexpr Phrase kHeight{"height"};
inline constexpr Phrase kWidth{"width"};
inline constexpr Phrase kPairBy{"{} by {}"};
inline constexpr Phrase kPairsBy{"{} to {} by {}"};
inline constexpr Phrase kMap{"pairs {:*, }{}"};
inline constexpr Phrase kAndSoOn{", and so on in turn"};
inline constexpr Phrase kMapIs{"The map: {}."};
inline constexpr Phrase kMapExpected{"The map is the expected one: {}."};
inline constexpr Phrase kMapOf{"The map is that of {}: {}."};
inline constexpr Phrase kAxesExchanged{"{} and {} are exchanged: the map is that of {} otherwise."};
inline constexpr Phrase kAxesExchangedBut{
    "{} and {} are exchanged: the map is that of {} otherwise, but {}."};
inline constexpr Phrase kExpectedModel{"the expected model"};
inline constexpr Phrase kMapDiffers{
    "In the map, {} by {}, and {} is expected; {} of {} pairs differ."};
inline constexpr Phrase kPairTurns{"pair {} turns"};
inline constexpr Phrase kPairsTurn{"pairs {} to {} turn"};
inline constexpr Phrase kOneSpeed{
    "one pair at another speed: pair {} by {:.6g} radians per position, expected {:.6g}"};
inline constexpr Phrase kSomeSpeeds{
    "{3} pairs at another speed: pair {0} by {1:.6g} radians per position, expected {2:.6g}"};
inline constexpr Phrase kAxesButSpeeds{"Pairs turn by the expected axes, but {}."};
inline constexpr Phrase kNumberOfAxes{"The positions have {} axes, and {} are expected."};
inline constexpr Phrase kOtherChannels{"Other channels turn than expected."};
inline constexpr Phrase kOtherPairs{
    "Channels {} and {} are a pair; the expected model pairs {} and {}."};
inline constexpr Phrase kMapsDiffer{"q and k differ: {} in q, {} in k."};
inline constexpr Phrase kMovedBySlot{
    "{} turns by the slot of each token in every axis, not by its stated positions: {} as ({}) = "
    "({}), stated ({})."};
inline constexpr Phrase kMovedTokens{
    "{5} of {6} tokens of {0} turn as other positions than stated: {1} as ({2}) = ({3}), stated "
    "({4})."};
inline constexpr Phrase kList{"{:*, }"};
inline constexpr Phrase kWord{"{}"};
inline constexpr Phrase kNumber{"{:.6g}"};

// Direction, phase, offset and table.
inline constexpr Phrase kBackwards{
    "{0} {0:?turns|turn} the other way (the transposed rotation): right for a model that was "
    "trained this way; weights that were trained forward get other scores."};
inline constexpr Phrase kBackwardsAsModel{"{0} {0:?turns|turn} the other way, as {1} says."};
inline constexpr Phrase kKBackwards{"k turns the other way than q."};
inline constexpr Phrase kQBackwards{"q turns the other way than k."};
inline constexpr Phrase kPhase{
    "Every pair of {} stands {:+.0f} degrees from its angle, at position 0 too, {}."};
inline constexpr Phrase kPhaseOfBoth{
    "Every pair of {} stands {:+.0f} degrees from its angle, at position 0 too, {}; scores depend "
    "on differences only."};
inline constexpr Phrase kSignsChanged{"as if the rotated channels changed their sign"};
inline constexpr Phrase kCosSinExchanged{"as if cos and sin were exchanged"};
inline constexpr Phrase kTableOff{"as if the table began a quarter of a turn off"};
inline constexpr Phrase kOffsetsDiffer{
    "q stands {:+g} and k {:+g} from the stated positions, so that every distance is off by "
    "{:g}."};
inline constexpr Phrase kOffset{
    "Every position is {:+g} from the stated one; scores depend on differences only."};
inline constexpr Phrase kOffsetOfStep{
    "Every position is {:+g} from the stated one, and the keys of earlier calls, which a step "
    "meets, "
    "stand at the stated ones."};
inline constexpr Phrase kOffsetsOfHeads{
    "Every position is {:+g} from the stated one here, and by another number in other heads."};
inline constexpr Phrase kCoarseTable{
    "Every cosine and sine is a number of {}: each score is wrong by up to {:.1g} of |q| |k|, at "
    "any length."};

inline constexpr Phrase kQ15Table{
    "Every cosine and sine is a whole multiple of 1 / {:.0f} ({}), as fixed-point tables have "
    "them: each score is wrong by up to {:.1g} of |q| |k|, at any length."};
inline constexpr Phrase kTowardsNearest{"to the nearest"};
inline constexpr Phrase kTowardsZero{"cut"};
inline constexpr Phrase kTowardsBelow{"rounded down"};
inline constexpr Phrase kFastSines{
    "Cosines and sines are those of a GPU's fast functions, off by up to {:.1g} here: more than "
    "float32 explains, and no more than these are documented to be."};
inline constexpr Phrase kCoarseSines{
    "Cosines and sines are off by up to {:.2g} in {}, more than any table or function that is "
    "known: lengths of pairs change with the angle. To 16 bits the rotation is right."};

// Sides that differ, and those that do not turn.
inline constexpr Phrase kNothingTurns{
    "Nothing turns at any position: inv_freq is zero, or this layer has no rotary embedding."};
inline constexpr Phrase kKStill{"k is not rotated, and q is."};
inline constexpr Phrase kQStill{"q is not rotated, and k is."};
inline constexpr Phrase kTwice{"k turns twice as far as q at every position: it is rotated twice."};
inline constexpr Phrase kTwiceAtSome{
    "k turns twice as far as q at some positions: there it is rotated twice."};
inline constexpr Phrase kSpeedsDiffer{"q and k turn at other speeds (q: {}; k: {})."};
inline constexpr Phrase kNeverWritten{
    "{0} of the {1} rows of {2} {0:?is|are} zero behind the rotation: {0:?it was|they were} never "
    "written."};
inline constexpr Phrase kStillRows{"{0:^} of {1} {0:?does|do} not turn; the others do."};
inline constexpr Phrase kStillHeads{"These heads do not turn; the others do."};
inline constexpr Phrase kStillLayers{"These layers do not turn; the others do."};
inline constexpr Phrase kStillAsModel{"These layers do not turn, as {} says."};
inline constexpr Phrase kStillInTurn{
    "One layer in {} does not turn, as in models that leave the rotation out there."};
inline constexpr Phrase kStillSome{
    "These layers do not turn; the others do. Some models leave the rotation out in one layer of "
    "several; give --expect, or dump all layers."};

// Lengths.
inline constexpr Phrase kGain{
    "The turned channels of {} are multiplied by {:.6g}, and what they add to a score by {:.6g}."};
inline constexpr Phrase kGainOfBoth{
    "The turned channels of {} are multiplied by {:.6g}, and what they add to a score by the "
    "square, {:.6g}."};
inline constexpr Phrase kFactorOfAll{
    "All channels of {} are multiplied by {:.6g}, those that stay as well."};
inline constexpr Phrase kGainOfSome{
    "The turned channels of {} are multiplied by another factor at {} of {} tokens: by {:.6g} at "
    "the first of them, by {:.6g} at the others."};
inline constexpr Phrase kGainOfEach{
    "The turned channels of {} are multiplied by another factor at every token: from {:.6g} ({}) "
    "to {:.6g} ({}), so that scores depend on more than the distance."};
inline constexpr Phrase kFolded{
    "{} {} multiplied by {:.6g}, the factor {:.6g} of the scores{}: it must not be applied to them "
    "again."};
inline constexpr Phrase kFoldedIsOne{"is"};
inline constexpr Phrase kFoldedAreBoth{"are each"};
inline constexpr Phrase kFoldedRoot{" by its root"};
inline constexpr Phrase kFoldedTwice{"{} The scores have it a second time."};
inline constexpr Phrase kOnPurpose{"{} Some models do that to q on purpose (log n, temperature)."};
inline constexpr Phrase kXpos{
    "Lengths change with the position and cancel but for the distance, as in xPos: pair 0 of q by "
    "{:.6g}, pair {} by {:.6g} for each position."};
inline constexpr Phrase kXposOfOne{
    "Lengths of {} change with the position, as in xPos: pair 0 by {:.6g} for each position; those "
    "of {} must change by the reciprocal."};
inline constexpr Phrase kLengthsGrow{
    "Lengths change with the position, and those of q and k do not cancel: pair 0 of q by {:.6g} "
    "and of k by {:.6g} for each position, so that scores depend on more than the distance."};
inline constexpr Phrase kTableEndsInZeros{
    "From position {:g} on the turned channels of {} are zero: the table ends or was never "
    "filled."};
inline constexpr Phrase kZeroAtStart{
    "The turned channels of {} are zero at position 0 alone, so that cos is zero there: sin stands "
    "in "
    "its place, or the first row of the table was never filled."};
inline constexpr Phrase kZeroEverywhere{
    "The turned channels of {} are zero at every token: the table was never filled, or the result "
    "never written."};
inline constexpr Phrase kZeroTokens{
    "The turned channels of {0} are zero at {1} of {2} tokens, token {3} the first, and tokens at "
    "larger positions are not: a part of the table was never filled, or of the result never "
    "written."};
inline constexpr Phrase kUneven{
    "Pairs of one token of {} change their lengths by different factors: that is not a rotation."};

// The norm beside the rotation.
inline constexpr Phrase kNormTaken{
    "{0} {0:?is|are} normalised {1} the rotation: {2}, over {3} numbers, eps {4:g}, {5}."};
inline constexpr Phrase kItsWeights{"with the weights of the dump"};
inline constexpr Phrase kNoWeights{"without weights"};
inline constexpr Phrase kNormEps{"The norm of {} has eps {:.2g}, and {:.2g} is expected."};
inline constexpr Phrase kNormNoEps{
    "The norm of {} has no eps, or one too small to show, and {:.2g} is expected."};
inline constexpr Phrase kEpsOutside{
    "The norm of {} adds its eps, {:.2g}, to the root of the mean, and not to the mean under it."};
inline constexpr Phrase kNormOneLess{
    "The norm of {} divides its sum of squares by {}, and by {} is expected."};
inline constexpr Phrase kWeightsReversed{
    "The weights of the norm of {} are multiplied in reverse order."};
inline constexpr Phrase kPlusOneMissing{
    "The weights of the norm of {} are multiplied as they are, and 1 + w is expected."};
inline constexpr Phrase kPlusOneTooMuch{
    "The norm of {} multiplies by 1 + w, and by the weights w themselves is expected."};
inline constexpr Phrase kWeightsExchanged{"The norm of {} has the weights of {}."};
inline constexpr Phrase kWeightsMissing{"The weights of the norm of {} are never multiplied."};
inline constexpr Phrase kNormOrder{"{} is normalised {} the rotation, and {} it is expected."};
inline constexpr Phrase kNormWidth{
    "The norm of {} is one over {} numbers, and over {} is expected."};
inline constexpr Phrase kNormKind{"The norm of {} is of kind {}, and {} is expected."};
inline constexpr Phrase kNormMissing{"{} is turned and not normalised."};
inline constexpr Phrase kNormCoarse{
    "The norm of {} is off by more than float32 explains, and by no more than {} does: it is "
    "computed in 16 bits."};
inline constexpr Phrase kNormScale{
    "Lengths of {} behind the norm are up to {:.3g} times the expected ones, at any angle."};
inline constexpr Phrase kNormFound{
    "{0} is normalised {1} the rotation (an RMS norm over {2} numbers, eps about {3:.1g}, weights "
    "from {4:.4g} to {5:.4g}): the rotation is hidden. Dump the weights as {0}_norm and give "
    "--norm rms, or dump {0} beside the rotation alone."};
inline constexpr Phrase kChannelGains{
    "Each channel of {0} is multiplied by a factor of its own {1} the rotation, from {2:.4g} to "
    "{3:.4g}, as by the weights of a norm: dump {0} beside the rotation alone."};

// No rotation of pairs.
inline constexpr Phrase kHeadsMoved{
    "The heads of {0} come out in another order: head {1} of {0}_rot has the lengths of head {2} "
    "of {0}."};
inline constexpr Phrase kHeadsTogether{
    "Channels of head {} of {} turn with those of head {}: it was rotated before its heads were "
    "split."};
inline constexpr Phrase kRowsMoved{
    "The rows of {0} come out in another order, {1}: head {2}, token {3} of {0}_rot has the length "
    "of head {4}, token {5} of {0}."};
inline constexpr Phrase kExchanged{
    "q and k are exchanged behind the rotation: q_rot is k turned, and k_rot is q."};
inline constexpr Phrase kReshaped{"as a reshape does where a transpose is meant"};
inline constexpr Phrase kReversed{"the tokens are reversed"};
inline constexpr Phrase kShifted{"the tokens are shifted by one"};
inline constexpr Phrase kNoPairing{
    "No pairing of the channels of {} keeps their lengths: it is not a rotation of pairs."};
inline constexpr Phrase kSinScaled{
    "sin is multiplied by {:.4g} in {}, and cos is not: that is no rotation."};
inline constexpr Phrase kCosScaled{
    "cos is multiplied by {:.4g} in {}, and sin is not: that is no rotation."};
inline constexpr Phrase kSinMissing{
    "Channels of {} are multiplied by factors of their own, and their partners are never added: "
    "the term with sin is missing."};
inline constexpr Phrase kNotExchanged{
    "Channels of {} are multiplied by cos - sin and by cos + sin, and their partners are never "
    "added: {} changes a sign, but does not exchange the two channels of a pair."};
inline constexpr Phrase kNotAdded{
    "Channels of {} are multiplied by factors of their own, and their partners are never added: "
    "that is no rotation."};
inline constexpr Phrase kFirst{"first"};
inline constexpr Phrase kSecond{"second"};
inline constexpr Phrase kLeftAlone{
    "The {} channel of every {} pair of {} stays as it was, and the other one turns: only half of "
    "the rotation is written."};
inline constexpr Phrase kOverwritten{
    "The {} channel of every {} pair of {} is computed from the new value of the {} one: x{} is "
    "overwritten before it is read; keep a copy."};
inline constexpr Phrase kSameSign{
    "The partner has the same sign in both channels of every pair of {}, where it is subtracted in "
    "one and added in the other: {} lost its minus sign, or has two."};
inline constexpr Phrase kRotateHalf{"rotate_half"};
inline constexpr Phrase kRotateNeighbours{"the rotation of neighbours"};
inline constexpr Phrase kAngleLayout{
    "Channels of {} are added to their {} partners, but cos and sin are laid out for {} pairs: the "
    "two channels of a pair turn by different angles."};
inline constexpr Phrase kSinLayout{
    "Channels of {} are added to their {} partners; cos is laid out for {} pairs, but sin for {} "
    "ones."};

// Positions.
inline constexpr Phrase kByNumber{"{} turns by the number of the {}, not by the token's position."};
inline constexpr Phrase kHead{"head"};
inline constexpr Phrase kBatchRow{"batch row"};
inline constexpr Phrase kCoarsePositions{
    "Positions are rounded to {}: token {} turns as if it stood at {:g}, not at {:g}."};
inline constexpr Phrase kClamped{
    "The table ends at {0:g}: positions from {1:g} on turn as position {0:g} does."};
inline constexpr Phrase kLastAtZero{
    "The last token of {} turns as position 0, not {:g}: it was not rotated, or positions begin "
    "again there."};
inline constexpr Phrase kCountsOn{
    "The stated positions begin again at token {}, and {} counts on: it turns as position {:g}."};
inline constexpr Phrase kBeginsAgain{
    "Positions begin again: token {} of {} turns as position {:g}, not {:g}."};
inline constexpr Phrase kRowsShifted{
    "Rows count from different tokens: in {} of {} every position is {:g} from the stated one."};
inline constexpr Phrase kBySlot{
    "{} turns by the slot of each token, not by its stated position: token {} as {:g}, not as "
    "{:g}."};
inline constexpr Phrase kElsewhere{"Token {} of {} turns as position {:.6g}, not as {:g}."};
inline constexpr Phrase kAlike{
    "All tokens of {} turn alike, although their stated positions differ (from {:g} to {:g}): "
    "every row needs its own."};
inline constexpr Phrase kTornLater{
    "Up to token {} all heads of {} turn by the same angles, and at token {} they do not."};
inline constexpr Phrase kOddPairs{
    "{0:^} of {1} {0:?does|do} not turn by the angle of the stated position, and all others do: "
    "look at the frequency and at the signs of channels {2} and {3}."};

// Numbers that are not finite.
inline constexpr Phrase kNan{"NaN"};
inline constexpr Phrase kInfinite{"infinite"};
inline constexpr Phrase kNanOrInfinite{"NaN or infinite"};
inline constexpr Phrase kFirstNotFinite{"token {}, position {:.10g}, row {}, head {}, channel {}"};
inline constexpr Phrase kNotFiniteBehind{
    "{0} of {1} numbers of {2} {0:?is|are} {3} where {4} is finite: {5:*, }; the first: {6}."};
inline constexpr Phrase kNotFiniteBefore{
    "{0} of {1} numbers of {2} {0:?is|are} {3} before the rotation: {4:*, }; the first: {5}. What "
    "comes out of these rows is not judged."};
inline constexpr Phrase kBeyondHalf{
    "{} These are the tokens beyond position 65504, where float16 ends."};
inline constexpr Phrase kNoneFinite{
    "{} has no two tokens in a row whose numbers are all finite; dump a call before they begin"};

// The verdict.
inline constexpr Phrase kValid{"{}, {} of {} channels turn, {}"};
inline constexpr Phrase kNoTurn{"nothing turns"};

// What to do or to dump next.
inline constexpr Phrase kPermutedWeights{
    "If the channels of these weights were permuted for {} pairs, as in checkpoints of Meta, "
    "torchtune and gpt-fast and in GGUF of llama.cpp, say --layout {}."};
inline constexpr Phrase kNoPosition{
    "{} of {} tokens of {} turn by no position that fits; dump fewer tokens around the first of "
    "them, in float32"};
inline constexpr Phrase kUnevenOpen{
    "pairs of one token of {} change their lengths by different factors, by no more than cosines "
    "and sines of 16 bits explain; name the model by --expect"};
inline constexpr Phrase kOddPairsOpen{
    "{0} of {1} {0:?is|are} off the angle of the stated position by no more than cosines and sines "
    "of 16 bits explain; name the model by --expect"};
inline constexpr Phrase kNoUsualPairing{
    "the channels of {} keep their length together, and those of no usual pairing keep theirs; "
    "name "
    "the model by --expect, or dump more tokens and heads"};
inline constexpr Phrase kStretchUnclear{
    "the lengths of q and k change with the position by hardly more than rounding, so that they "
    "may cancel or not; dump more tokens, in float32"};
inline constexpr Phrase kUnknownSpeeds{
    "the angular speeds of {} are not those of a method that is known here{}; dump consecutive "
    "tokens from position 0 on, in float32{}; if the model turns by several axes, dump their "
    "positions too"};
inline constexpr Phrase kTooCoarse{
    ", and {} is too coarse to tell a factor for each pair (LongRoPE)"};
inline constexpr Phrase kOrExpect{", or give --expect"};
inline constexpr Phrase kAxesAgree{
    "the positions of {} are the same in all axes, so that no pair shows by which it turns; dump "
    "tokens of an image whose rows and columns differ in number"};
inline constexpr Phrase kOnePosition{
    "the tokens of {} stand at one position, which leaves whole turns open; dump tokens at several "
    "positions, some of them neighbours"};
inline constexpr Phrase kHeadsInAxes{
    "the heads of {} turn differently, in several axes; dump one head at a time"};
inline constexpr Phrase kNoSumOfAxes{
    "{} of {} pairs of {} turn by no sum over the axes of the positions; dump all tokens of one "
    "image or text, so that neighbours in each axis are there, in float32{}"};
inline constexpr Phrase kOrderOpen{
    "{} If the dump states its positions in that order, this is right; name the model by --expect "
    "to tell"};
inline constexpr Phrase kPerhapsAliased{
    "the numbers of {0} are the same before and behind the rotation: either nothing was rotated, "
    "or "
    "the call wrote over its input before that was saved; keep a copy before the call"};
inline constexpr Phrase kFewPairs{
    "{0} {0:?pair turns|pairs turn}, which some base and factor, phase or offset fit at any "
    "positions; give --expect"};
inline constexpr Phrase kHardlyTurns{
    "{} hardly turns, so that several layouts fit; dump more tokens, at larger positions"};
inline constexpr Phrase kAllZero{"{} is zero everywhere; dump tensors of a real forward pass"};
inline constexpr Phrase kAtZero{
    "{} stands at position 0 only, where nothing turns; dump tokens at several positions"};
inline constexpr Phrase kOwnFactors{
    "the pairs of {} have a factor of their own each, as with LongRoPE, and no published model has "
    "these; they are right if they are those of the model: give --expect"};
inline constexpr Phrase kGainOpen{
    "the turned channels of {} are multiplied by {:.6g}, as YaRN does, and no token tells whether "
    "the spectrum is that of YaRN; dump tokens at larger positions, or give --expect"};
inline constexpr Phrase kAloneNotShown{
    "what the call does to {}, which is compared with {}; the dump does not have that"};
inline constexpr Phrase kSideBySideNotShown{
    "what the call does to {}, because its heads lie side by side; an axis of heads would"};

}  // namespace ropescope::diagnosis::say
