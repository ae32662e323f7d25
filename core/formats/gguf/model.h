// From the metadata of a GGUF file (core/formats/gguf/file.h) to what it says about positions.
#pragma once

#include <optional>
#include <string>

#include "core/formats/config_object.h"
#include "core/formats/model_config.h"
#include "core/schemes/part.h"

namespace ropescope::gguf {

/// The language model: sizes, rotary embedding, types of layers, and what the file leaves open.
/// Layouts are those of the file's own weights, by llama.cpp's table; of an architecture that the
/// table does not have they are inferred. Throws InputError naming the file, the key and the
/// expectation, and if the architecture has no RoPE.
ModelConfig model_of_metadata(const ConfigObject& metadata, const std::string& origin);

/// The text of a model that turns in several axes (rope.dimension_sections); empty if the file's
/// does not.
std::optional<Part> sections_scheme(const ConfigObject& metadata);

}  // namespace ropescope::gguf
