// The rows of `ropescope inspect` about a model as a whole: its sizes, and which of its layers turn
// nothing.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "core/base/record.h"
#include "core/formats/model_config.h"

namespace ropescope::cli {

/// Null for 0, which a file does not state.
nlohmann::ordered_json stated_count(std::int64_t count);
Entry model_type_field(const ModelConfig& model);
Record sizes_record(const ModelConfig& model);

}  // namespace ropescope::cli
