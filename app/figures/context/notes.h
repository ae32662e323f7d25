// What the context view says in words beside its table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/context/methods.h"
#include "app/plot/figure.h"
#include "core/formats/model_config.h"

namespace ropescope::figures {

/// The model that the scene names, a preset or a config.json; empty if it cannot be read.
std::optional<ModelConfig> named_model(const Scene& scene);

/// The key that the model's family has for the base in a config.json; "" if it has none.
std::string base_key(const std::optional<ModelConfig>& model);

/// The most important first: what to mind when the marked row's block is pasted, the scaling that
/// the model has already, why that row is marked, and which methods have no row.
std::vector<plot::Facts::Fact> context_notes(const Scene& scene, const Methods& methods,
                                             const MethodRow& chosen,
                                             const std::optional<ModelConfig>& model);

}  // namespace ropescope::figures
