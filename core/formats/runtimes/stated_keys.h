// Which keys of a config.json say something about its rotary embedding.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ropescope::runtimes {

struct Stated {
    std::string path;  ///< "rope_parameters.rope_theta"
    nlohmann::json value;
};

/// Those beside the objects of rotary parameters and those in them, in the order of the file; a key
/// that is null counts as missing.
std::vector<Stated> stated_keys(const nlohmann::json& config);

}  // namespace ropescope::runtimes
