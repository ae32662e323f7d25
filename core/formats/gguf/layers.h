// Which layers of a GGUF file's model have a sliding window, and in which nothing turns.
#pragma once

#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/formats/gguf/metadata.h"

namespace ropescope::gguf {

/// attention.head_count and the like: one number for all layers, or a list with one for each, of
/// which the first that is not 0 is returned; 0 if the file does not have it.
std::int64_t first_count(const Metadata& file, std::string_view key);

/// block_count without the layers that predict further tokens.
std::int64_t count_layers(const Metadata& file);

/// For each layer whether it has a window; empty if none has.
std::vector<bool> windowed_layers(const Metadata& file, std::int64_t layers);

/// The numbers of the layers in which nothing turns.
std::vector<Index> still_layers(const Metadata& file, const std::vector<bool>& windowed,
                                std::int64_t layers);

}  // namespace ropescope::gguf
