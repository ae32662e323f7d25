// Where published models stand among bases and lengths.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/index.h"

namespace ropescope::figures {

/// A published model, by its base and the context that its file states.
struct PlacedModel {
    std::string title;
    double base = 0;
    Index context = 0;
    /// The first distance at which the sum of cosines is below zero, of its own frequencies, scaled
    /// as configured, up to its context.
    std::optional<Index> first_negative = {};
};

/// Those whose rotary_dim this is, text in one axis, in the order of the presets.
std::vector<PlacedModel> placed_models(Index rotary_dim);

}  // namespace ropescope::figures
