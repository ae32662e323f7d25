// What `inspect` prints: the same facts as JSON (docs/command-line.md lists the keys) and as text.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/formats/inspection.h"

namespace ropescope::cli {

/// The facts of one RopeSpec: head_dim, rotary_dim, base, layout, scaling, attention_factor,
/// softmax_scale_factor, seq_len, inv_freq, wavelengths.
nlohmann::ordered_json rope_json(const RopeSpec& rope);

nlohmann::ordered_json inspection_json(const Inspection& inspection);
std::string inspection_text(const Inspection& inspection);

}  // namespace ropescope::cli
