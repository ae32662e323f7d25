// Layers that leave the rotation out, in models that have such layers (SmolLM3, Llama 4, Cohere 2).
// Sources: layers_without.cpp, model_config.cpp.
#pragma once

#include <vector>

#include "core/base/index.h"
#include "core/formats/model_reader.h"

namespace ropescope {

/// Their distance if the file does not say it.
inline constexpr Index kUsualNoRopeInterval = 4;

/// Their numbers, from 0: those whose base is 0 in a list of bases, those that the family's list
/// names, else every n-th of `layers`, else those of the type that the family leaves still.
std::vector<Index> layers_without_rope(const ModelReader& file, int layers);

}  // namespace ropescope
