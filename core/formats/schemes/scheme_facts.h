// All schemes by name: what they belong to, and where their definition was read
// (assets/scheme_presets.json).
#pragma once

#include <span>
#include <string_view>

namespace ropescope {

struct SchemeFacts {
    std::string_view id = {};      ///< "qwen2_vl_text"
    std::string_view title = {};   ///< models that use it
    std::string_view source = {};  ///< repository, file, functions
};

std::span<const SchemeFacts> scheme_facts();
/// Of an empty id, that of frequencies of one's own. Throws InputError that names near matches.
const SchemeFacts& scheme_facts(std::string_view id);

}  // namespace ropescope
