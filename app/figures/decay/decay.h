// The decay view: two curves over the distance, where they rise, and the scores of random content
// beside them. Sources: state.cpp, figure.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/encoder/measured.h"
#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/analysis/decay.h"
#include "core/analysis/random_scores.h"
#include "core/base/index.h"
#include "core/engine/engine.h"

namespace ropescope::figures {

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

    bool draft = false;  ///< only what a frame has time for

    /// What the encoder's head shows in a text; empty unless the scene asks for it.
    struct Measured {
        plot::Text name;  ///< "layer 0, head 1 of RoFormer trained on WordNet, 12 tokens"
        OpenedHead at;
        Index heads = 0;  ///< in a layer
        MeasuredDecay by_distance;
    };
    std::optional<Measured> measured;

    /// The widest gap between two drawn distances; 1 if every distance is drawn.
    Index step() const;

    /// What takes long (Carried).
    static void each_carried(auto& state, auto visit) {
        visit(state.distances);
        visit(state.curves);
        visit(state.random_at);
        visit(state.random);
        visit(state.draws);
        visit(state.counted);
        visit(state.bound_rises);
        visit(state.cosine_rises);
        visit(state.below_zero);
    }
};
/// Without `measured`. A draft if a frame waits for it (Work::may_draft) and the whole state is not
/// known.
DecayState make_decay_state(const Scene& scene, Engine& engine, const Work& work);

/// "steps" or "step"; "drawn steps" if not every whole distance has been looked at.
std::string steps_noun(const DecayState& state, const Rises& rises);

/// CSV: distance_positions, upper_bound, cosine_sum, bound_rises and cosine_rises (1 if the next
/// drawn value is higher), random_mean, random_low_5_percent, random_high_5_percent (NaN if none
/// was computed).
plot::DataTable decay_data(const DecayState& state);

plot::Text decay_report(const DecayState& state);

View decay_view();

}  // namespace ropescope::figures
