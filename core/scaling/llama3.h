// Llama 3.1's scaling: Meta's llama-models, apply_scaling; Hugging Face rope type "llama3".
#pragma once

#include <cstdint>

#include "core/scaling/method.h"

namespace ropescope {

/// With the original length N and wavelength w of a pair:
///   w < N / high_freq_factor: unchanged;  w > N / low_freq_factor: inv_freq / factor;  between,
///   with s = (N / w - low) / (high - low): inv_freq' = (1 - s) inv_freq / factor + s inv_freq.
struct Llama3Scaling {
    double factor = 8.0;  ///< >= 1
    double low_freq_factor =
        1.0;  ///< turns within the original length below which a pair is interpolated
    double high_freq_factor = 4.0;  ///< turns above which it is left alone; > low_freq_factor
    std::int64_t original_positions = 8192;
    bool operator==(const Llama3Scaling&) const = default;
    static const Description<Llama3Scaling>& description();
};

void validate(const Llama3Scaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const Llama3Scaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
