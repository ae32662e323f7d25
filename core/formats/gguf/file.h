// From a GGUF file, whole or in parts, to the metadata of its model as a JSON object, which is read
// like any other configuration.
#pragma once

#include "core/base/file.h"
#include "core/formats/config_text.h"

namespace ropescope {
class ConfigObject;
}

namespace ropescope::gguf {

/// Whether the file begins as GGUF files do.
bool is_gguf(const OpenedFile& file);

// Keys of the object beside those of the file itself.

/// The three tensors of factors of frequencies, as lists under their own names.
inline constexpr const char* kFactorsTensor = "rope_freqs.weight";
inline constexpr const char* kLongFactorsTensor = "rope_factors_long.weight";
inline constexpr const char* kShortFactorsTensor = "rope_factors_short.weight";
/// How many parts of a model in several files were not found, and the name of the first of them.
inline constexpr const char* kMissingParts = "split.missing";
inline constexpr const char* kFirstMissing = "split.first_missing";
inline constexpr const char* kArchitectureKey = "general.architecture";

/// The metadata of the model that `file` is or is a part of: of its own architecture and name, and
/// the tensors of factors, which may lie in any part. The file is mapped; no other tensor is
/// touched. `origin` is the part that holds the metadata. Throws InputError naming the file, the
/// place, and the part that is wanted if it is not there.
ConfigText read_metadata_text(OpenedFile file);

/// Whether the object is such metadata.
bool is_metadata(const ConfigObject& config);

}  // namespace ropescope::gguf
