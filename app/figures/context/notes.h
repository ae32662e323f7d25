// What the context calculator says in words beside its table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/context/methods.h"
#include "app/plot/figure.h"
#include "core/formats/model_config.h"

namespace ropescope::figures {

/// The model that the scene names: a preset or a config.json; none where it cannot be read.
std::optional<ModelConfig> named_model(const Scene& scene);

/// The key of a config.json by which the model's family calls the base; "" where it has none.
std::string base_key(const std::optional<ModelConfig>& model);

/// What pasting the row's block takes, the scaling that the model has already, which row is marked
/// and why, and which methods have none: the most important first.
std::vector<plot::Facts::Fact> context_notes(const Scene& scene, const Methods& methods,
                                             const MethodRow& chosen,
                                             const std::optional<ModelConfig>& model);

}  // namespace ropescope::figures
