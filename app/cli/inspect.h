// What `inspect` prints: the same facts as JSON (docs/command-line.md lists the keys) and as text.
// Sources: inspect.cpp, inspect_report.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "app/cli/inspect_context.h"
#include "core/encoder/tensor_names.h"
#include "core/models/model.h"

namespace ropescope::cli {

/// What a path contains; for an encoder that we know, also the table of its parameters.
struct Inspected {
    Model model;
    std::optional<Part> part =
        {};                   ///< the part that was asked for, or the first; empty without one
    bool part_asked = false;  ///< if not, text shows all that turn in several axes
    std::optional<JudgedContext> context = {};  ///< a length to judge the base by (--context)
    std::optional<ParameterTable> encoder = {};
    /// Why config and weights do not make an encoder; empty if they do, or if they name none.
    std::string no_encoder_reason = {};
};

nlohmann::ordered_json inspection_json(const Inspected& inspected);
std::string inspection_text(const Inspected& inspected);

}  // namespace ropescope::cli
