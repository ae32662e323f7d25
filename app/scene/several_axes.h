// Models that turn in several axes among those that a user opens.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "core/models/model.h"

namespace ropescope {

/// The scene's model with its tensors. Throws InputError if there is none, and for one that has no
/// language model, with a word on the view that shows it.
Model open_scene_model(const std::string& name);

/// Whether the published model of that name, or the model of the file or folder at that path, has a
/// part that turns in several axes. False if nothing can be read there.
bool turns_in_several_axes(const std::string& name);

/// Whether the scene's model turns in several axes and is known to the axes view, as it is when it
/// has been opened: then the views of one axis show how it turns text.
bool shows_text_alone(const Scene& scene);

}  // namespace ropescope
