// NTK-aware scaling: a larger base instead of slower positions. Source: the proposal of 2023 on the
// LocalLLaMA forum, restated in YaRN, arXiv:2309.00071, section 3.1; and its dynamic form, Hugging
// Face rope type "dynamic".
#pragma once

#include <cstdint>

#include "core/scaling/method.h"

namespace ropescope {

/// base' = base * factor^(rotary_dim / (rotary_dim - 2)): the slowest pair slows down by exactly
/// `factor`, the fastest not at all. Needs rotary_dim > 2.
struct NtkScaling {
    double factor = 1.0;  ///< >= 1
    bool operator==(const NtkScaling&) const = default;
    static const Description<NtkScaling>& description();
};

/// base' = base * (factor * L / N - (factor - 1))^(rotary_dim / (rotary_dim - 2)) with N the
/// original length and L = max(seq_len, N): no change up to N, then growing with the sequence.
/// Keys cached at a shorter length were rotated with an older base (transformers#25104).
struct DynamicNtkScaling {
    double factor = 1.0;                  ///< >= 1
    std::int64_t original_positions = 0;  ///< max_position_embeddings
    bool operator==(const DynamicNtkScaling&) const = default;
    static const Description<DynamicNtkScaling>& description();
};

/// The enlarged bases by themselves.
double scaled_base(const NtkScaling& scaling, const FrequencyInput& input);
double scaled_base(const DynamicNtkScaling& scaling, const FrequencyInput& input);

void validate(const NtkScaling& scaling, const FrequencyInput& input);
void validate(const DynamicNtkScaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const NtkScaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const DynamicNtkScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
