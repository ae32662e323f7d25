// A scene's scaling parameters as the engine's Scaling, and back.
#pragma once

#include <string>
#include <vector>

#include "app/scene/parameters.h"
#include "core/scaling/scaling.h"

namespace ropescope {

/// The method that scene.scaling names, with the scene's parameters; validate() checks their
/// ranges.
Scaling scene_scaling(const Scene& scene);
/// The same for another method than the scene has chosen.
Scaling scene_scaling(const Scene& scene, std::string_view method);

/// The scene with a model's scaling. What belongs to other methods alone returns to its default;
/// scaling_factor and original_length keep their values where the scaling has none.
Scene with_scaling(Scene scene, const Scaling& scaling);

/// Whether the views of scores take q and k from the encoder, and show its RoPE.
inline bool takes_content_of_encoder(const Scene& scene) {
    return scene.content_source == ContentSource::encoder;
}

/// Whether the figure of the scene reads the parameter (Parameter::read_when), so that a control is
/// shown for it. In the calculator of contexts only the numbers of the marked method count.
bool is_used(const Scene& scene, const Parameter& parameter);

/// Whether the parameter describes the scene's own encoding: head_dim, base, layout, scaling.
bool describes_encoding(const Parameter& parameter);

/// `names`, followed by the parameters of the scaling, for views that show an encoding.
std::vector<std::string> with_scaling_parameters(std::vector<std::string> names);

}  // namespace ropescope
