// What `inspect --context N` says: whether the sum of cosines stays at or above zero to N, and
// which bases would allow it (core/analysis/base_bound.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/schemes/part.h"

namespace ropescope::cli {

/// Throws InputError if `context` is no length that the positions of the program reach.
void validate_context(Index context);

/// The parts of a model with one base, whose layers may differ, and the context that it shall
/// allow.
struct JudgedContext {
    std::vector<Part> parts;
    Index context = 0;
};

/// Adds the key "context"; of parts that are types of layers, one to each of the "layer_types".
void add_context(nlohmann::ordered_json& json, const JudgedContext& judged);
std::string context_text(const JudgedContext& judged);

}  // namespace ropescope::cli
