// Which object of a config.json is that of the language model. Source: language_model.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/model_family.h"

namespace ropescope {

/// Models that also see or hear keep the language model's part in an object of its own, which may
/// lie in another. transformers reads text_config wherever it is, others the sizes beside it.
/// False if `config` is it already; `assumptions` get a line for each object that is entered.
bool enter_language_model(ConfigObject& config, std::vector<std::string>& assumptions);
/// The object that this leads to.
ConfigObject language_model(const ConfigObject& whole);

/// The language model's part with the type that files of the whole's type mean, where it names
/// none: what the table says of them, else their own (DeepSeek-VL2's language_config). Empty if
/// neither is known.
std::optional<nlohmann::json> part_of_the_files_type(
    const ConfigObject& part, const ConfigObject& whole,
    std::span<const ModelFamily> families = model_families());

}  // namespace ropescope
