// What the scores view computes, and the parts of its figure.
#pragma once

#include <vector>

#include "app/figures/content.h"
#include "app/plot/figure.h"
#include "core/analysis/separability.h"

namespace ropescope::figures {

/// A pair's share of the mean cosine between q_m and k_n.
struct PairShare {
    double cos_part = 0, sin_part = 0;
    double sum() const { return cos_part + sin_part; }
};

struct ScoresState {
    RopeSpec spec;
    Spectrum spectrum;
    Content content;
    std::int64_t delta = 0;  ///< n - m
    std::int64_t range = 1;  ///< drawn distances -range .. range
    double step = 1;
    ScoreHalves halves;             ///< of the drawn curve
    std::vector<PairShare> shares;  ///< at delta, [pairs]
    std::vector<int> carriers;      ///< fewest pairs that make half of sum |share|, largest first
    PairShare total;                ///< at delta
    int selected = 0;               ///< pair

    int contents = 0, distances = 0;              ///< rows and columns of the table
    std::vector<double> rope, multiplied, added;  ///< its singular values
    int rank = 0;                                 ///< numerical, of RoPE's table
    double beyond = 0;                            ///< beyond_rank_one()
};
ScoresState make_scores_state(const Scene& scene, Engine& engine);

/// Of one pair at one distance.
PairShare pair_share(const Content& content, const Spectrum& spectrum, int pair,
                     std::int64_t delta);

plot::Panel parts_panel(const ScoresState& state);
plot::Panel shares_panel(const ScoresState& state);
plot::Panel singular_panel(const ScoresState& state);

/// CSV: table ("score" by distance, "pair" at n - m, "singular" by index), at (the distance, the
/// pair, the index from 1), total, cos_part, sin_part; of "singular": RoPE's value, that of the
/// multiplied and of the added bias.
plot::DataTable scores_data(const ScoresState& state);
std::string scores_report(const ScoresState& state);

}  // namespace ropescope::figures
