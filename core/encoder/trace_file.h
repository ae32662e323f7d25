// Writes a Trace as a safetensors file.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/encoder/trace.h"

namespace ropescope {

/// Names of the tensors that write_trace() knows, without the ".N" of a layer: logits, hidden,
/// scores, probs, q_rot, k_rot.
const std::vector<std::string>& trace_tensor_names();

/// Writes the tensors of `names` that the trace holds, as F32: logits; hidden.0 (the embeddings),
/// hidden.1, ...; scores.N, probs.N, q_rot.N and k_rot.N of layer N. The file is written whole or
/// not at all. Throws InputError if that fails.
void write_trace(const std::filesystem::path& path, const Trace& trace,
                 const std::set<std::string>& names,
                 const std::map<std::string, std::string>& metadata);

}  // namespace ropescope
