// The scaling of a rotary encoding as one value: one of the methods, each in a file of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "core/scaling/linear.h"
#include "core/scaling/llama3.h"
#include "core/scaling/longrope.h"
#include "core/scaling/ntk.h"
#include "core/scaling/proportional.h"
#include "core/scaling/yarn.h"

namespace ropescope {

/// No scaling: Hugging Face rope type "default".
struct NoScaling {
    bool operator==(const NoScaling&) const = default;
};

using Scaling = std::variant<NoScaling, LinearScaling, NtkScaling, DynamicNtkScaling, YarnScaling,
                             Llama3Scaling, LongRopeScaling, ProportionalScaling>;

/// Hugging Face's name of the method: default linear ntk dynamic yarn llama3 longrope proportional
/// ("ntk" is ours: transformers has no static NTK).
std::string_view scaling_type(const Scaling& scaling);

/// Throws InputError "where.key: ..." naming the key, its value and the expected form.
void validate(const Scaling& scaling, const FrequencyInput& input,
              std::string_view where = "rope_scaling");

/// Assumes validated input.
Frequencies frequencies(const Scaling& scaling, const FrequencyInput& input);

/// Whether the frequencies depend on seq_len.
bool depends_on_seq_len(const Scaling& scaling);

/// Positions that the method starts from (the length before extension); none where it has no such
/// parameter.
std::optional<std::int64_t> original_positions(const Scaling& scaling);
/// By how much the method extends; 1 without scaling.
double extension_factor(const Scaling& scaling);

}  // namespace ropescope
