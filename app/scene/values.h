// The value of one parameter: as text, and with the checks that --set, scene files and models
// share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/parameters.h"
#include "core/base/variant.h"

namespace ropescope {

/// An enum or a bool is a string here, the name of its value.
using ParameterValue =
    Variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

ParameterValue get_value(const Scene& scene, const Parameter& parameter);

/// The scene with the parameter set to the value, which must have the parameter's type. Throws
/// InputError that names the parameter, quotes `text` and says what is expected.
Scene with_value(Scene scene, const Parameter& parameter, ParameterValue value,
                 const std::string& text);

/// Throws that error: "head_dim: 'abc' is not a whole number from 2 to 4096".
[[noreturn]] void refuse_value(const Parameter& parameter, const std::string& text);

/// The text as a value of the parameter's type; empty if it has another form.
std::optional<ParameterValue> parse_value(const Parameter& parameter, std::string_view text);

/// The value as the text that parse_value() accepts.
std::string parameter_text(const Scene& scene, const Parameter& parameter);

/// "half_split" as people write it: "half-split"; words of the field (head_dim, inv_freq) stay.
std::string spoken(std::string_view name, char between = '-');

/// What a value must look like, for errors and help: "a whole number from 2 to 4096",
/// "interleaved or half_split", "a finite number above 0".
std::string expected_form(const Parameter& parameter);

/// Whether the parameter is a number, so that it has a slider.
bool is_number(const Parameter& parameter);

/// The value of such a parameter. Throws InputError if it is not a number.
double number(const Scene& scene, const Parameter& parameter);

}  // namespace ropescope
