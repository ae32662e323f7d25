// A norm, or a factor on each channel, between a tensor and its rotated one that nobody told of.
#pragma once

#include <optional>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/dump.h"
#include "core/rope/qk_norm.h"

namespace ropescope::diagnosis {

struct RecognisedNorm {
    NormOrder order = NormOrder::before;
    bool by_row = true;  ///< rows are divided by their root mean square; else channels alone differ
    Index width = 0;     ///< numbers that the mean is over
    double eps = 0.0;
    double least = 1.0, most = 1.0;  ///< of the weights, without their signs
};

/// Solves for the weights: a rotation keeps the length of a pair of weighted channels, so that
/// |y of the pair|^2 = s of the row * (A x_a^2 + B x_b^2), with the same A and B in every row (and
/// the reverse if the norm stands behind the rotation). Empty if no usual layout explains all rows
/// of every head that are looked at, at even steps, within rounding, if s is neither the same in
/// all rows nor one over their mean square and an eps, and if there are no weights and no norm.
std::optional<RecognisedNorm> recognise_norm(const DumpSide& side);

/// If one of the sides turns no pairs, or by another factor at every token, and a norm explains
/// that: what to give instead of the fault. Empty otherwise.
std::optional<Analysis> with_norm_recognised(const Dump& dump, const Analysis& first);

}  // namespace ropescope::diagnosis
