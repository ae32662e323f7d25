// The models that the axes view knows by name, and those of files.
#pragma once

#include <string>

#include "app/scene/choices.h"
#include "core/formats/schemes/model_schemes.h"

namespace ropescope::figures {

struct NamedScheme {
    std::string name;   ///< as the scene has it
    std::string title;  ///< for people
    ModelScheme read;
};

/// Opens a published model of several axes, RoPE-ViT mixed before training (ropevit-mixed-start), a
/// published model of one axis, or a config.json. `parameter` is the scene parameter that has the
/// name, for messages. Throws InputError that names it if there is no such model, or if the model
/// does not have the part.
NamedScheme open_scheme(const std::string& parameter, const std::string& name, AxesPart part);

}  // namespace ropescope::figures
