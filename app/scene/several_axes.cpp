// Opens models for scenes, and finds out whether they turn in several axes.
#include "app/scene/several_axes.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace ropescope {

Model open_scene_model(const std::string& name) {
    Model model = open_with_tensors(name, Allowed::regular_file);
    if (model.text || model.parts.empty()) {
        return model;
    }
    throw InputError(model.turns_in_several_axes()
                         ? fmt::format("{}; the view axes shows this model with axes_model={}",
                                       model.unread_text, printable(name))
                         : model.unread_text);
}

bool turns_in_several_axes(const std::string& name) {
    try {
        return open_model(name, Allowed::regular_file).turns_in_several_axes();
    } catch (const InputError&) {
        return false;
    }
}

bool shows_text_alone(const Scene& scene) {
    return scene.model == scene.axes_model;
}

}  // namespace ropescope
