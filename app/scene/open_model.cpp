// Opens a preset or a path.
#include "app/scene/open_model.h"

#include <algorithm>
#include <filesystem>

#include "core/formats/model_presets.h"

namespace ropescope {
namespace {

bool is_path(const std::string& name) {
    std::error_code ignored;
    return name.find('/') != name.npos || name.ends_with(".json") ||
           std::filesystem::exists(name, ignored);
}

}  // namespace

Inspection open_model(const std::string& name) {
    const bool is_preset =
        std::ranges::find(model_presets(), name, &ModelConfig::id) != model_presets().end();
    return is_preset || !is_path(name) ? Inspection{model_preset(name), {}} : inspect(name);
}

}  // namespace ropescope
