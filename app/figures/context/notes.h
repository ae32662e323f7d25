// What the context view says beside its table: notes, and what to write into a config.json.
// Sources: notes.cpp, block.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// `"rope_scaling": {...}` to paste into a config.json. For NTK the base, under the key that the
/// model's family has for it; for dynamic also the max_position_embeddings at which it starts.
std::string rope_scaling_block(const MethodRow& row, std::string_view base_key = "rope_theta");

/// The block in lines of at most `widest` characters, broken after commas, with the first and the
/// last number of each list.
std::vector<std::string> block_lines(const std::string& block, std::size_t widest);

}  // namespace ropescope::figures
