// What `inspect --compare` prints: how several runtimes read the same config.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/formats/runtimes/comparison.h"

namespace ropescope::cli {

/// The differences first, then in one line what is the same, what each runtime passes over, and
/// where each rule was read.
std::string comparison_text(const runtimes::Comparison& comparison);
nlohmann::ordered_json comparison_json(const runtimes::Comparison& comparison);

}  // namespace ropescope::cli
