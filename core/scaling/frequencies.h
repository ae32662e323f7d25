// What the scaling methods share: what each starts from, what it returns, and the checks of
// parameters. Messages start with the key of rope_scaling.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/index.h"

namespace ropescope {

/// The unscaled encoding, and the length of the sequence.
struct FrequencyInput {
    Index head_dim = 0;
    Index rotary_dim = 0;
    double base = 10000.0;
    std::int64_t seq_len = 0;  ///< positions; 0 if not known yet (when a model is loaded)

    Index pairs() const { return rotary_dim / 2; }
};

struct Frequencies {
    std::vector<double> inv_freq_rad;   ///< [pairs], radians per position
    double attention_factor = 1.0;      ///< multiplies cos and sin of the table
    double softmax_scale_factor = 1.0;  ///< multiplies 1 / sqrt(head_dim), apart from the table
};

/// inv_freq[i] = base^(-2i / rotary_dim), i = 0 .. rotary_dim/2 - 1 (RoFormer, section 3.2.2). In
/// long double, rounded once: the relative error is below 1.02 units of 2^-53.
std::vector<double> default_inv_freq(Index rotary_dim, double base);

/// Finite and at least 1.
void require_factor(std::string_view key, double value);
/// Finite and above 0.
void require_positive(std::string_view key, double value);
/// A length of at least 1 position.
void require_length(std::string_view key, std::int64_t positions);

}  // namespace ropescope
