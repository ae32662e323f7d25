// What the absolute view computes, and the parts of its figure.
#pragma once

#include <vector>

#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/analysis/absolute.h"

namespace ropescope::figures {

/// The scores of one pair of contents at a query position and the key at the same distance.
struct AbsoluteScores {
    std::int64_t m = 0, n = 0;
    AdditiveTerms additive;
    double rope = 0;  ///< (R_m W_q x)^T R_n W_k y / sqrt(d)
};

struct AbsoluteState {
    RopeSpec spec;
    Spectrum spectrum;
    std::int64_t shift = 0;
    std::int64_t delta = 0;  ///< n - m
    std::int64_t count = 1;  ///< positions drawn, from the first that has a key
    std::vector<AbsoluteScores> scores;

    double additive_least = 0, additive_most = 0, rope_least = 0, rope_most = 0;
};
AbsoluteState make_absolute_state(const Scene& scene);
/// At the query position m.
AbsoluteScores absolute_scores(const Scene& scene, std::int64_t m);

plot::Panel sinusoidal_panel(const AbsoluteState& state);
plot::Panel shift_panel(const AbsoluteState& state);
plot::Panel terms_panel(const AbsoluteState& state);

/// Channels of the shift map that are drawn.
inline constexpr std::size_t kMapChannels = 24;

/// CSV: query_position, key_position, content_content, content_position, position_content,
/// position_position, additive_sum, rope: the scores over sqrt(d) as the lower panel draws them.
plot::DataTable absolute_data(const AbsoluteState& state);
std::string absolute_report(const AbsoluteState& state);

}  // namespace ropescope::figures
