// What defines a rotary position embedding, before any number is computed from it.
#pragma once

#include <cstdint>

#include "core/rope/layout.h"
#include "core/scaling/scaling.h"

namespace ropescope {

/// Largest |position| for which tables keep their stated accuracy.
inline constexpr std::int64_t kMaxPosition = std::int64_t{1} << 20;
inline constexpr int kMaxHeadDim = 4096;
inline constexpr std::int64_t kMaxSeqLen = std::int64_t{1} << 40;

struct RopeSpec {
    int head_dim = 128;     ///< channels of one attention head; even, 2 .. kMaxHeadDim
    int rotary_dim = 128;   ///< leading channels that are rotated; even, 2 .. head_dim
    double base = 10000.0;  ///< rope_theta; finite, > 0
    Layout layout = Layout::half_split;
    Scaling scaling = {};  ///< how a trained context is extended; NoScaling
    /// Length of the sequence at hand, which dynamic NTK and LongRoPE look at; 0 where it is not
    /// known yet, as when a model is loaded.
    std::int64_t seq_len = 0;

    int pairs() const { return rotary_dim / 2; }
    bool operator==(const RopeSpec&) const = default;
};

/// Throws InputError that names the first field out of its range, the value, and what is expected.
void validate(const RopeSpec& spec);

/// What the scaling methods read of it.
FrequencyInput frequency_input(const RopeSpec& spec);

/// Throws InputError when |position| > kMaxPosition; `what` names it in the message.
void validate_position(std::int64_t position, const char* what = "position");

}  // namespace ropescope
