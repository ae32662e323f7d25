// Angle and gain of every pair at every token, by least squares over the heads.
#pragma once

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
    /// [pairs]: largest distance of the heads from one common rotation, in multiples of what
    /// rounding allows.
    std::vector<double> misfit = {};

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

}  // namespace ropescope::diagnosis
