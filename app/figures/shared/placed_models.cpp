// Finds the first negative sum of cosines of published models.
#include "app/figures/shared/placed_models.h"

#include <algorithm>

#include "core/analysis/base_bound.h"
#include "core/formats/presets.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {

std::vector<PlacedModel> placed_models(Index rotary_dim) {
    std::vector<PlacedModel> models;
    for (const ModelConfig& model : model_presets()) {
        const Index context = std::min<Index>(model.max_positions, kMaxPosition);
        if (model.rope.rotary_dim != rotary_dim || context < 1) {
            continue;
        }
        RopeSpec rope = model.rope;
        rope.seq_len = context;
        models.push_back({.title = model.title,
                          .base = rope.base,
                          .context = context,
                          .first_negative = first_negative_distance(make_spectrum(rope), context)});
    }
    return models;
}

}  // namespace ropescope::figures
