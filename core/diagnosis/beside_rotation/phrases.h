// What is said of something that stands beside a right rotation, and of computations that are none.
#pragma once

#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis::say {

inline constexpr Phrase kTransformOfBoth{
    "A Hadamard transform of {1} channels stands behind the rotation of {0}, which is right "
    "without "
    "it: scores are the same."};
inline constexpr Phrase kTransformOfOne{
    "A Hadamard transform of {1} channels stands behind the rotation of {0} alone: products of q "
    "and "
    "k are other ones."};
inline constexpr Phrase kTransformOfShown{
    "A Hadamard transform of {1} channels stands behind the rotation of {0}, which is right "
    "without "
    "it: scores are the same if the other side has it, too."};
inline constexpr Phrase kTransformScaled{
    "A Hadamard transform of {1} channels without its factor of 1 / sqrt({1}) stands behind the "
    "rotation of {0}: scores are {1} times as large if both sides have it."};
inline constexpr Phrase kBiasBefore{
    "A right rotation turned {0} with a vector added that is the same at every token, up to "
    "{1:.6g} in a channel: {0} was dumped before the bias of its projection, or the bias is added "
    "again."};
inline constexpr Phrase kBiasBehind{
    "A vector that is the same at every token was added to {0} behind the rotation, up to {1:.6g} "
    "in "
    "a channel: a bias belongs before the rotation, because it turns with the token."};
inline constexpr Phrase kPublished{
    "This is no rotation; it is what {0} computes ({1}): tables of cos and sin in the order of "
    "halves, under pairs of neighbours. Its weights were trained with that."};
inline constexpr Phrase kNotPublished{
    "This is not what {0} computes ({1}): {2} of {3} vectors are other ones, the first in {4} at "
    "token "
    "{5}."};

}  // namespace ropescope::diagnosis::say
