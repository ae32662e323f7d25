// What an adapter answers: a line about a request, and a file of tensors.
#pragma once

#include <filesystem>
#include <string>

#include "core/probe/request.h"

namespace ropescope::cli {

/// Reads a line {"id": 1} or {"id": 1, "error": "..."} about the request of that id; in the first
/// case also `file` with q_rot, k_rot and perhaps scores, a .npz if it is called so, else a
/// .safetensors. Whatever line and file hold, the result says it.
probe::Answer answer_of_line(const std::string& line, Index id, const std::filesystem::path& file);

}  // namespace ropescope::cli
