// What the rotation view computes, and the parts of its figure.
#pragma once

#include <vector>

#include "app/figures/content.h"
#include "app/figures/work.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// Everything the view draws and says, computed once from the scene.
struct RotationState {
    RopeSpec spec;
    Spectrum spectrum;
    Content content;
    std::int64_t m = 0, n = 0;  ///< positions of query and key

    std::int64_t delta() const { return n - m; }
    double inv_freq(int pair) const {
        return spectrum.inv_freq_rad[static_cast<std::size_t>(pair)];
    }
    /// Angles of the two arrows, reduced to a turn, in double.
    double q_rad(int pair) const;
    double k_rad(int pair) const;
    /// From q's arrow to k's, the short way round: -pi .. pi.
    double between_rad(int pair) const;
};
RotationState make_rotation_state(const Scene& scene);

/// One square panel "pair.<i>" a pair of the scene, in reading order on `columns` columns.
std::vector<plot::Panel> pair_panels(const Scene& scene, const RotationState& state, int columns,
                                     Engine& engine, const Work& work);

/// The wide panel "score".
plot::Panel score_panel(const Scene& scene, const RotationState& state, Engine& engine);

/// How many panels stand side by side so that `count` squares are largest on an area twice as wide
/// as high.
int grid_columns(int count);

/// CSV: panel ("pair.8", "score"), series (q, k, q_earlier, k_earlier, score), position (of the
/// arrow or dot; the distance n - m for a score), x and y as drawn: coordinates on the unit circle,
/// or distance and score.
plot::DataTable rotation_data(const Scene& scene, const std::vector<plot::Panel>& panels);

std::string rotation_report(const Scene& scene, const RotationState& state);

}  // namespace ropescope::figures
