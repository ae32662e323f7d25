// What `inspect` prints: the same facts as JSON (docs/command-line.md lists the keys) and as text.
// Sources: inspect.cpp, inspect_json.cpp, inspect_text.cpp, inspect_axes.cpp.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/encoder/parameter_table.h"
#include "core/formats/inspection.h"
#include "core/formats/schemes/model_schemes.h"

namespace ropescope::cli {

/// What a path contains; for an encoder that we know, also the table of its parameters.
struct Inspected {
    Inspection found;
    std::optional<ParameterTable> encoder;
    std::string no_encoder_reason;    ///< why config and weights do not make an encoder; empty if
                                      ///< they do, or if they name none
    std::optional<ModelScheme> part;  ///< the part that is shown, if it turns in several axes
    std::vector<std::string> parts;   ///< names of all parts, if there are several
    /// The other parts that turn in several axes, if no part was asked for: text shows them all.
    std::vector<ModelScheme> others = {};
    std::string unread_vision = {};  ///< why a part that sees is not shown; empty if it is
};

nlohmann::ordered_json inspection_json(const Inspected& inspected);
std::string inspection_text(const Inspected& inspected);

/// A part that turns in several axes.
nlohmann::ordered_json scheme_json(const ModelScheme& part);
std::string scheme_text(const ModelScheme& part);

}  // namespace ropescope::cli
