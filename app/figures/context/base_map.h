// The map of the context view: the bases that allow a length, over all lengths, and where published
// models stand (core/analysis/base_bound.h). Source: base_map.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/context/context.h"
#include "app/figures/picture.h"
#include "app/figures/work.h"
#include "core/analysis/base_bound.h"

namespace ropescope::figures {

/// A published model with as many pairs as the scene.
struct PlacedModel {
    std::string title;
    double base = 0;
    Index context = 0;
    bool scaled = false;
    /// Of its own frequencies, scaled as configured, up to its context.
    std::optional<Index> first_negative = {};
};

/// The same for every scene with as many channels that turn.
struct BaseMap {
    double step = 1;  ///< from one base to the next
    std::vector<double> bases = {};
    std::vector<std::optional<Index>> first_negative = {};  ///< up to kMaxPosition
    std::vector<PlacedModel> models = {};
    bool draft = false;
};

/// The map; one of few bases if a frame waits and it is not known.
std::shared_ptr<const BaseMap> base_map(Index rotary_dim, const Work& work);

/// Draws the map into the picture of the context view.
void show_base_map(Picture& picture, const ContextState& state, const Work& work);

}  // namespace ropescope::figures
