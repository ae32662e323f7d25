// The scores view: the cos and the sin part of a score, pair by pair, and how many terms a table of
// scores needs. Sources: state.cpp, figure.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/shared/content.h"
#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "core/analysis/separability.h"

namespace ropescope::figures {

/// A pair's share of the mean cosine between q_m and k_n.
struct PairShare {
    double cos_part = 0, sin_part = 0;
    double sum() const { return cos_part + sin_part; }
};

/// Singular values of a table of scores, content x distance, in descending order.
struct SingularValues {
    std::vector<double> values;
    Index rank = 0;  ///< numerical
};

struct ScoresState {
    RopeSpec spec;
    Spectrum spectrum;
    Content content;
    Index delta = 0;  ///< n - m
    Index range = 1;  ///< drawn distances -range .. range
    double step = 1;  ///< positions between two samples of the curve
    ScoreHalves halves;
    Index selected = 0;             ///< pair
    std::vector<PairShare> shares;  ///< at delta, [pairs]
    PairShare total;                ///< at delta
    std::vector<int> carriers;      ///< fewest pairs that make half of sum |share|, largest first

    Index contents = 0, distances = 0;  ///< rows and columns of the table
    SingularValues rope, multiplied, added;
    double beyond = 0;  ///< beyond_rank_one() of RoPE's table

    /// The curve has 2 * half() + 1 samples; curve_at(i) is the score at the distance i * step.
    Index half() const { return std::ssize(halves.even) - 1; }
    PairShare curve_at(Index i) const;
    /// The share of one pair, and of all pairs, at any distance.
    PairShare share(Index pair, Index distance) const;
    PairShare total_at(Index distance) const;
};
/// The content whose score is shown, and those that the table of scores is made of.
struct ScoresContent {
    Content shown;
    std::vector<Content> many;
};
/// Drawn by the scene's seed; the table's by the seeds from there on.
ScoresContent drawn_content(const Scene& scene);
ScoresState make_scores_state(const Scene& scene, ScoresContent content, Engine& engine);

/// CSV: table ("score" by distance, "pair" at n - m, "singular" by index), at (the distance, the
/// pair, the index from 1), total, cos_part, sin_part. The rows of "singular" hold the values of
/// RoPE, of the multiplied and of the added bias there.
plot::DataTable scores_data(const ScoresState& state);

/// The scene's score, its pairs, and the singular values.
plot::Text scores_report(const ScoresState& state);

View scores_view();

}  // namespace ropescope::figures
