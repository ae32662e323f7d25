// A pack as two files that any language can read: index.json, whose form is
// docs/verify/vectors.schema.json, and a .safetensors with the arrays that it names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/vectors/packs.h"

namespace ropescope::vectors {

/// The text of index.json. The arrays lie in `data_file`, whose bytes have the digest.
std::string index_json(const Pack& pack, const std::string& data_file,
                       std::string_view data_digest);

/// The arrays that the index names: inputs, positions, expected and wrong answers, tolerances.
std::vector<Tensor> pack_tensors(const Pack& pack);

/// Writes index.json and NAME.safetensors into the folder, which is made if it is not there: the
/// same bytes on every machine. Throws InputError that names the path and the reason.
void write_pack(const std::filesystem::path& folder, const Pack& pack);

}  // namespace ropescope::vectors
