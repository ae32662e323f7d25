// What a runtime makes of the rotary parameters in a config.json, by its rules.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/runtimes/runtime.h"
#include "core/formats/runtimes/stated_keys.h"

namespace ropescope::runtimes {

/// One quantity as a runtime takes it.
struct TakenQuantity {
    std::string quantity = {};               ///< "base", "rotary_dim", ...
    std::string layer_type = {};             ///< empty if all layers turn alike
    nlohmann::ordered_json value = nullptr;  ///< null if the rules do not say it: `note` says why
    std::string from = {};                   ///< the key that states it; empty for a default
    std::string note = {};
    Source source = {};
};

struct Reading {
    Runtime runtime;
    std::string unknown = {};  ///< why nothing is known; empty if there are answers
    bool fails = false;        ///< it cannot read the file: `unknown` says what it lacks
    std::vector<TakenQuantity> answers = {};
    /// What the file states about the rotation and this runtime passes over.
    std::vector<Stated> unread = {};
};

/// Throws InputError if a number in the file is not one, or a size is missing.
Reading read_as(const Runtime& runtime, const ConfigObject& config);

}  // namespace ropescope::runtimes
