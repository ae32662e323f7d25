// Which family a config.json belongs to. Sources: family_of.cpp, several_axes.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/model_family.h"

namespace ropescope {

/// Whether the file has the arguments of the notebook encoder, which name no type.
bool is_notebook(const ConfigObject& config);

/// Whether a file is read by what is known about its family, or by the names of its keys alone.
enum class Confidence : std::uint8_t { known, inferred };

struct FoundFamily {
    ModelFamily family;
    Confidence confidence = Confidence::known;
};

/// The family, or the one by which it is read where a key has the value that says so, which is then
/// appended to `assumptions`.
const ModelFamily& meant_family(const ConfigObject& config, const ModelFamily& family,
                                std::span<const ModelFamily> families,
                                std::vector<std::string>& assumptions);

/// The family that model_type names; for other types one that is inferred from the file's rotary
/// keys, which is appended to `assumptions`. Throws InputError if the model has no RoPE, or turns
/// in several axes. Must not outlive `config`.
FoundFamily family_of(const ConfigObject& config, std::span<const ModelFamily> families,
                      std::vector<std::string>& assumptions);

/// Refuses a file of a type that is known to turn in several axes: one position for each token, as
/// everywhere here, does not describe it. Throws InputError.
void check_one_axis(const ConfigObject& config, const std::string& model_type);

/// Refuses a file of a type that is not known if a key is that of images, videos or axes. Throws
/// InputError naming the key.
void check_no_vision_keys(const ConfigObject& config, const std::string& model_type);

}  // namespace ropescope
