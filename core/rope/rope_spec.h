// The description of a rotary position embedding (RoPE), from which every number here is computed:
// Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", arXiv:2104.09864.
#pragma once

#include <string>

#include "core/base/index.h"
#include "core/rope/layout.h"
#include "core/scaling/scaling.h"

namespace ropescope {

struct FrequencyInput;  // core/scaling/method.h

/// Largest |position|, in tokens: up to here tables keep the accuracy that their header states.
inline constexpr Index kMaxPosition = Index{1} << 20;
inline constexpr Index kMaxHeadDim = 4096;
/// Largest RopeSpec::seq_len, in positions.
inline constexpr Index kMaxSeqLen = Index{1} << 40;

/// Pair i of a query or key at position m turns by m theta_i radians, theta_i = base^(-2i /
/// rotary_dim) unless the scaling changes it (Spectrum).
struct RopeSpec {
    Index head_dim = 128;    ///< channels of one attention head; even, 2 .. kMaxHeadDim
    Index rotary_dim = 128;  ///< leading channels that are rotated; even, 2 .. head_dim
    double base = 10000.0;   ///< rope_theta; finite, > 0
    Layout layout = Layout::half_split;
    Scaling scaling = {};  ///< how a trained context is extended; NoScaling by default
    /// Length of the sequence in positions, on which the frequencies of dynamic NTK and LongRoPE
    /// depend; 0 if it is not known yet, for example when a model is loaded.
    Index seq_len = 0;

    /// Pairs of channels that rotate.
    Index pairs() const { return rotary_dim / 2; }
    bool operator==(const RopeSpec&) const = default;
};

/// Throws InputError if a field is out of its range or the scaling does not fit; the message names
/// the first such field, its value and the range.
void validate(const RopeSpec& spec);

/// The fields of a spec that the scaling methods read.
FrequencyInput frequency_input(const RopeSpec& spec);

/// "head_dim 128, rotary_dim 128, base 10000, half_split": every digit that makes the base, and no
/// scaling.
std::string describe(const RopeSpec& spec);

/// Throws InputError if |position| > kMaxPosition; `what` names the number in the message.
void validate_position(Index position, const char* what = "position");

}  // namespace ropescope
