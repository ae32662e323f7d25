// A Trace as a safetensors file.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/encoder/trace.h"

namespace ropescope {

/// Names of tensors before their ".N": logits, hidden, scores, probs, q_rot, k_rot.
const std::vector<std::string>& trace_tensor_names();

/// logits; hidden.0 .. (0 the embeddings); scores.N, probs.N, q_rot.N and k_rot.N of layer N: those
/// of `names` that the trace holds, F32. Written whole or not at all. Throws InputError.
void write_trace(const std::filesystem::path& path, const Trace& trace,
                 const std::set<std::string>& names,
                 const std::map<std::string, std::string>& metadata);

}  // namespace ropescope
