// One parameter's value: its checks, shared by text (--set) and by JSON (scene files).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/scene/parameters.h"

namespace ropescope {

/// In the order of Parameter::Member.
using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

Value get_value(const Scene& scene, const Parameter& parameter);

/// Scene with the value in its place; it has the parameter's type. Throws InputError that names the
/// parameter, quotes `text` and says what is expected.
Scene with_value(Scene scene, const Parameter& parameter, Value value, const std::string& text);

/// Throws that error: "head_dim: 'abc' is not a whole number from 2 to 4096".
[[noreturn]] void refuse_value(const Parameter& parameter, const std::string& text);

}  // namespace ropescope
