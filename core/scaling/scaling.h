// The scaling of a rotary encoding as one value: one of the methods, each in a file of its own.
#pragma once

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

/// Throws InputError naming the key and the expected form.
void validate(const Scaling& scaling, const FrequencyInput& input);

/// Assumes validated input.
Frequencies frequencies(const Scaling& scaling, const FrequencyInput& input);

/// Whether the frequencies depend on seq_len.
bool depends_on_seq_len(const Scaling& scaling);

}  // namespace ropescope
