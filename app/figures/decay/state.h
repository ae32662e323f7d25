// What the decay view computes: the two curves over the distance, where they rise, and the scores
// of random content beside them.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/encoder/measured.h"
#include "app/scene/scene.h"
#include "core/analysis/decay.h"
#include "core/analysis/random_scores.h"
#include "core/base/index.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

/// How much a figure may cost.
struct DecayEffort {
    Index whole_steps = 0;  ///< distances times pairs, to look at every whole distance
    Index products = 0;     ///< of the random scores
};

struct DecayState {
    RopeSpec spec;
    Spectrum spectrum;
    Index range = 0;  ///< the largest distance
    bool logarithmic = false;
    Index angle_deg = 0;   ///< k's content lies within this angle of q's
    double angle_rad = 0;  ///< the same
    double tolerance = 0;  ///< two values of a curve that differ by less may be equal

    std::vector<Index> distances;  ///< drawn, ascending
    DecayCurves curves;            ///< at those
    std::vector<Index> random_at;  ///< indices of the distances that have random scores
    RandomScores random;           ///< at those; empty if the work was stopped
    int draws = 0;

    bool counted = false;  ///< whether every whole distance has been looked at
    Rises bound_rises, cosine_rises;
    Index below_zero = -1;  ///< first distance with a negative cosine sum; -1 if there is none

    /// What the encoder's head shows in a text; empty unless the scene asks for it.
    struct Measured {
        std::string name;  ///< "layer 0, head 1 of RoFormer trained on WordNet, 12 tokens"
        OpenedHead at;
        Index heads = 0;  ///< in a layer
        MeasuredDecay by_distance;
    };
    std::optional<Measured> measured;

    /// The widest gap between two drawn distances; 1 if every distance is drawn.
    Index step() const;
};
DecayState make_decay_state(const Scene& scene, const DecayEffort& effort, Engine& engine,
                            const std::stop_token& stop);

/// View::delivery: what takes long in a state, `measured` left out.
std::string pack_decay_state(const DecayState& state);
DecayState unpack_decay_state(std::string_view bytes, const Scene& scene);

}  // namespace ropescope::figures
