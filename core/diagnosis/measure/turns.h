// Angle and gain of every pair at every token, by least squares over the heads; the format of an
// implementation's table of cos and sin, and the factor on it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/aligned_vector.h"
#include "core/diagnosis/dump.h"
#include "core/diagnosis/measure/pairing.h"
#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {

/// What a side does to its pairs. A row is a sequence of the batch; if heads turn differently, a
/// sequence of one head.
struct Turns {
    Index rows = 0, length = 0, pairs = 0;
    Index summed_heads = 1;  ///< that an angle was fitted to
    /// [rows, length, pairs]: the angle in [-pi, pi], the bound of its rounding error (infinite if
    /// the pair is zero), and the factor on the length of the pair.
    AlignedVector<double> angle_rad = {};
    AlignedVector<float> error_rad = {}, gain = {};
    /// The first token of a row at which heads are further from one common rotation than rounding
    /// explains; -1: there is none.
    Index torn_token = -1;

    std::size_t at(Index row, Index token, Index pair) const {
        return (row * length + token) * pairs + pair;
    }
};

/// How heads are put together.
enum class Heads { together, apart };

Turns recover_turns(const DumpSide& side, const Pairing& pairing, const FloatFormat& format,
                    Heads heads = Heads::together);

/// The angle reduced to [-pi, pi].
double wrapped(double angle_rad);

/// F16 or BF16 if every cosine and sine is a number of that format; F32 if not; empty if the
/// tensors are too coarse, or turn too little, to tell.
std::optional<Dtype> table_dtype(const Turns& turns, const FloatFormat& format);

/// What angles carry beside the rounding of the tensors.
struct AngleNoise {
    double table_rad = 0x1p-23;  ///< from the rounding of cos and sin
    double relative = 0x1p-20;   ///< of an angle: 16 units of fp32 (angle_units())
};

/// What a table of this format adds to the angles.
AngleNoise noise_of_table(std::optional<Dtype> table);

/// The factor on the lengths of the pairs.
struct Gain {
    double value = 1.0;   ///< the median
    bool uniform = true;  ///< of all pairs and tokens, within rounding
    /// Tokens of [rows, length] whose rotated channels are all zero.
    std::vector<Index> zero_at = {};
    /// The most that a factor differs from `value` by more than rounding explains, as a share.
    double uneven = 0.0;
    /// [rows, length], if the factor is another one at other tokens, and the same for all pairs of
    /// a token; not a number at a token that does not tell.
    std::vector<double> by_token = {};
};
/// Lengths that grow or shrink by a factor of each pair's own from one position to the next, as
/// xPos has (arXiv 2212.10554, section 3): gain = exp(start + slope * position).
struct Stretch {
    std::vector<double> start = {}, slope = {};              ///< [pairs]; slope for one position
    std::vector<double> start_error = {}, slope_error = {};  ///< [pairs]

    /// Whether some length changes by more than its error.
    bool changes() const;
    /// Whether no pair changes by more than one before it, within their errors: those of xPos
    /// change the less the slower they turn.
    bool falls() const;
};
/// `positions` are [rows, length]. Empty if another factor is found at one of the tokens.
std::optional<Stretch> measure_stretch(const Turns& turns, std::span<const double> positions,
                                       const AngleNoise& noise);

/// A gain within rounding of 1 is 1.
Gain measure_gain(const Turns& turns, const AngleNoise& noise, const FloatFormat& format);

}  // namespace ropescope::diagnosis
