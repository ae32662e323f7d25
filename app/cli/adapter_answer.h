// What an adapter answers: a line about a request, and a file of tensors.
//
// Nothing of it is trusted. The line is read within the limits of all JSON. The file is opened
// without waiting, must be a regular one and no longer than the request can need, and is read into
// memory, because an adapter may shorten it meanwhile. A tensor's numbers are read only if its
// shape and dtype are those that were asked for.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/probe/request.h"

namespace ropescope::cli {

/// Reads a line {"id": 1} or {"id": 1, "error": "..."} about the request; in the first case also
/// `file` with q_rot, k_rot and perhaps scores, a .npz if it is called so, else a .safetensors.
/// Whatever line and file hold, the result says it; a tensor of another shape or dtype than asked
/// for comes without its bytes.
probe::Answer answer_of_line(const std::string& line, const probe::Request& request,
                             const std::filesystem::path& file);

/// What a file of answers may hold beside the numbers, in bytes.
inline constexpr std::size_t kAnswerHeaders = std::size_t{1} << 16;
/// The longest file that answers the request: its own tensors and the asked ones in F64, twice.
std::size_t most_answer_bytes(const probe::Request& request);

}  // namespace ropescope::cli
