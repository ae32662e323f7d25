// The rows of `ropescope inspect` about a model as a whole: its sizes, and which of its layers turn
// nothing.
#pragma once

#include "core/base/record.h"
#include "core/formats/model_config.h"

namespace ropescope::cli {

Entry model_type_field(const ModelConfig& model);
/// Null in JSON for what the file does not state.
Record sizes_record(const ModelConfig& model);

}  // namespace ropescope::cli
