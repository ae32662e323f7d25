// What `inspect` prints: the same facts as JSON (docs/command-line.md lists the keys) and as text.
// Sources: inspect.cpp, inspect_json.cpp, inspect_text.cpp, inspect_parameters.cpp.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/encoder/parameter_table.h"
#include "core/formats/inspection.h"

namespace ropescope::cli {

/// What a path holds, and of an encoder that is known here the table of its parameters.
struct Inspected {
    Inspection found;
    std::optional<ParameterTable> encoder;
    std::string no_encoder_reason;  ///< why config and weights do not make a known encoder; "" when
                                    ///< they do, or name none
};

/// The facts of one RopeSpec: head_dim, rotary_dim, base, layout, scaling, attention_factor,
/// softmax_scale_factor, seq_len, inv_freq, wavelengths.
nlohmann::ordered_json rope_json(const RopeSpec& rope);

nlohmann::ordered_json inspection_json(const Inspected& inspected);
std::string inspection_text(const Inspected& inspected);
/// The table as torchinfo's summary prints it.
std::string parameter_text(const ParameterTable& table);

}  // namespace ropescope::cli
