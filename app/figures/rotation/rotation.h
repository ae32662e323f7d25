// The rotation view: a plane for each pair, and the score against distance. Sources: state.cpp,
// figure.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/shared/content.h"
#include "app/figures/shared/shown_encoding.h"
#include "app/figures/view.h"
#include "app/figures/work.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// Everything that the view says and draws, but for the arrows.
struct RotationState {
    RopeSpec spec;
    Spectrum spectrum;
    std::optional<AlongAxis> along;
    Content content;
    Index m = 0, n = 0;              ///< positions of query and key
    std::vector<Index> shown;        ///< pairs with a panel of their own
    Index selected = 0;              ///< pair
    double range = 1;                ///< the score is drawn for distances -range .. range
    double step = 1;                 ///< positions between two samples of the curve
    std::vector<plot::Point> curve;  ///< distance and score

    Index delta() const { return n - m; }
    double inv_freq(Index pair) const { return spectrum.inv_freq_rad[pair]; }
    /// Angles of the two arrows, reduced to a turn, in double.
    double q_rad(Index pair) const;
    double k_rad(Index pair) const;
    /// From q's arrow to k's, the short way round: -pi .. pi.
    double between_rad(Index pair) const;
    /// The mean cosine between q and k at a distance, and one pair's part of it.
    double score(Index distance) const { return score_cosine(content, spectrum, distance); }
    double part(Index pair, Index distance) const {
        return score_part(content, spectrum, pair, distance);
    }
    /// A mean cosine as q_m . k_n / sqrt(head_dim).
    double logit(double score) const;
};
RotationState make_rotation_state(const Scene& scene, Engine& engine);

/// The unit vectors of the shown pairs at the positions up to the query's or the key's, as an
/// engine turns them: a dot for each earlier position, and the arrow's tip last.
struct Trail {
    DeviceTensor points;  ///< [positions, 2 * shown pairs]
    HostFloats values;    ///< empty if the trail is drawn from the engine's memory

    plot::Point at(Index row, Index pair) const;
    plot::LivePoints live(Index row, Index pair, Index count) const;
};
struct Trails {
    Trail q, k;
};
/// `live`: they are drawn from the engine's memory, and no values are read.
Trails make_trails(const RotationState& state, TensorOps& ops, bool live);

/// CSV: panel ("pair.8", "score"), series (q, k, q_earlier, k_earlier, score), position (of the
/// arrow or dot; the distance n - m for a score), x and y as drawn: coordinates on the unit circle,
/// or distance and score.
plot::DataTable rotation_data(const RotationState& state, const std::vector<plot::Panel>& panels);

/// A table of the shown pairs, and the score.
plot::Text rotation_report(const RotationState& state);

View rotation_view();

}  // namespace ropescope::figures
