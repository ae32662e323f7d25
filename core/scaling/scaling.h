// The scaling of a rotary encoding as one value: one of the methods in core/scaling/scaling.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/scaling/linear.h"
#include "core/scaling/llama3.h"
#include "core/scaling/longrope.h"
#include "core/scaling/no_scaling.h"
#include "core/scaling/ntk.h"
#include "core/scaling/proportional.h"
#include "core/scaling/yarn.h"

namespace ropescope {

// The one list of the scaling methods. Each has a file of its own, with its parameters, its
// description, its limits and its formula.

/// In the order in which people see them.
using Scaling = std::variant<NoScaling, LinearScaling, NtkScaling, DynamicNtkScaling, YarnScaling,
                             Llama3Scaling, LongRopeScaling, ProportionalScaling>;

/// One of each method, with its usual values, in the order of the list.
const std::vector<Scaling>& scaling_methods();
/// Their names: default, linear, ntk, ... ("ntk" is ours: transformers has no static NTK.)
const std::vector<std::string>& scaling_types();
/// The method of that name with its usual values; empty if no method has it.
std::optional<Scaling> scaling_of_type(std::string_view type);

const MethodFacts& facts(const Scaling& scaling);
/// Hugging Face's name of the method.
std::string_view scaling_type(const Scaling& scaling);

/// Whether the frequencies change with the length of the sequence.
bool depends_on_seq_len(const Scaling& scaling);

/// Throws InputError "where.key: ..." naming the key, its value and the expected form.
void validate(const Scaling& scaling, const FrequencyInput& input,
              std::string_view where = "rope_scaling");

/// Assumes validated input.
Frequencies frequencies(const Scaling& scaling, const FrequencyInput& input);

/// The length before the extension, in positions; empty if the method has no such parameter.
std::optional<std::int64_t> original_positions(const Scaling& scaling);
/// By how much the method extends; 1 without scaling.
double extension_factor(const Scaling& scaling);

}  // namespace ropescope
