// The numbers of lessons about scores: by distance, their parts, their decay, and what added
// positions make of them.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "app/figures/absolute/absolute.h"
#include "app/figures/scores/scores.h"
#include "app/figures/shared/content.h"
#include "app/lessons/quantities.h"
#include "core/analysis/decay.h"

namespace ropescope::lessons {
namespace {

/// The content of q and k with the angles of their positions.
struct Turned {
    figures::Content content;
    Spectrum spectrum;
    Index m = 0, n = 0;

    explicit Turned(const Scene& scene)
        : content(figures::make_content(scene)),
          spectrum(make_spectrum(rope_spec(scene))),
          m(scene.query_position),
          n(scene.key_position) {}

    /// From q's arrow at m to k's at n. Each is turned by its own position, not by the distance.
    double between_rad(Index pair) const {
        const double speed_rad = spectrum.inv_freq_rad[pair];
        return (content.k_rad[pair] + reduced_angle_rad(n, speed_rad)) -
               (content.q_rad[pair] + reduced_angle_rad(m, speed_rad));
    }
    double score() const {
        double sum = 0;
        for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
            sum += std::cos(between_rad(pair));
        }
        return sum / to_double(spectrum.pairs());
    }
};

double score(const Asked& asked) {
    return Turned(asked.scene).score();
}

/// A sum of products over the channels of a whole head.
double logit(const Asked& asked) {
    const RopeSpec spec = rope_spec(asked.scene);
    Turned turned(asked.scene);
    for (Index pair = 0; pair < turned.spectrum.pairs(); ++pair) {
        const double speed_rad = turned.spectrum.inv_freq_rad[pair];
        turned.content.q_rad[pair] += reduced_angle_rad(turned.m, speed_rad);
        turned.content.k_rad[pair] += reduced_angle_rad(turned.n, speed_rad);
    }
    const std::vector<double> q = figures::head_vector(spec, turned.content.q_rad);
    const std::vector<double> k = figures::head_vector(spec, turned.content.k_rad);
    return std::inner_product(q.begin(), q.end(), k.begin(), 0.0) /
           std::sqrt(to_double(spec.head_dim));
}

double pair_angle_degrees(const Asked& asked) {
    const double between = Turned(asked.scene).between_rad(asked.scene.selected_pair);
    return std::remainder(between, 2 * std::numbers::pi) * 180 / std::numbers::pi;
}

double pair_part(const Asked& asked) {
    const Turned turned(asked.scene);
    return std::cos(turned.between_rad(asked.scene.selected_pair)) /
           to_double(turned.spectrum.pairs());
}

figures::ScoresState scores_state(const Asked& asked) {
    return figures::make_scores_state(asked.scene, figures::drawn_content(asked.scene),
                                      *asked.engine);
}

// Decay, over distances up to the scene's decay_range.

DecayCurves decay_curves_of(const Asked& asked) {
    return decay_run(make_spectrum(rope_spec(asked.scene)), 0, asked.scene.decay_range + 1);
}

double cosine_mean(const Asked& asked) {
    const Spectrum spectrum = make_spectrum(rope_spec(asked.scene));
    return decay_at(spectrum, asked.scene.decay_range).cosine_sum / to_double(spectrum.pairs());
}

double below_zero_at(const Asked& asked) {
    return to_double(first_below_zero(decay_curves_of(asked).cosine_sum));
}

Rises cosine_rises(const Asked& asked) {
    return find_rises(decay_curves_of(asked).cosine_sum,
                      decay_tolerance(make_spectrum(rope_spec(asked.scene))));
}

Rises bound_rises(const Asked& asked) {
    return find_rises(decay_curves_of(asked).upper_bound,
                      decay_tolerance(make_spectrum(rope_spec(asked.scene))));
}

figures::AbsoluteState absolute_state(const Asked& asked) {
    return figures::make_absolute_state(asked.scene);
}

}  // namespace

std::vector<NumberQuantity> score_quantities() {
    return {
        {"score", "mean cosine between q at m and k at n", score},
        {"logit", "q_m . k_n / sqrt(head_dim)", logit},
        {"pair_angle_degrees", "degrees from q's arrow to k's in the selected pair",
         pair_angle_degrees},
        {"pair_part", "what the selected pair adds to the score", pair_part},
        {"cos_part", "part of the score that is the same for a key before and after the query",
         [](const Asked& asked) { return scores_state(asked).total.cos_part; }},
        {"sin_part", "part of the score that changes its sign with the distance",
         [](const Asked& asked) { return scores_state(asked).total.sin_part; }},
        {"carriers", "fewest pairs that make half of the sum of all magnitudes",
         [](const Asked& asked) { return to_double(std::ssize(scores_state(asked).carriers)); }},
        {"score_rank", "terms (content times distance) that a table of RoPE's scores needs",
         [](const Asked& asked) { return to_double(scores_state(asked).rope.rank); }},
        {"added_bias_rank", "the same for scores with an added bias of the distance",
         [](const Asked& asked) { return to_double(scores_state(asked).added.rank); }},
        {"cosine_mean", "score of a key that equals its query at the distance decay_range",
         cosine_mean},
        {"below_zero_at", "first distance at which that score is negative, up to decay_range",
         below_zero_at},
        {"cosine_rises", "steps of the distance, up to decay_range, on which that score rises",
         [](const Asked& asked) { return to_double(cosine_rises(asked).rising); }},
        {"bound_rises", "steps of the distance, up to decay_range, on which the bound rises",
         [](const Asked& asked) { return to_double(bound_rises(asked).rising); }},
        {"bound_steps", "steps of the distance up to decay_range",
         [](const Asked& asked) { return to_double(bound_rises(asked).steps); }},
        {"added_least", "smallest score with added positions along the sequence",
         [](const Asked& asked) { return absolute_state(asked).additive_least; }},
        {"added_most", "largest score with added positions along the sequence",
         [](const Asked& asked) { return absolute_state(asked).additive_most; }},
        {"rope_least", "smallest score with RoPE along the same sequence",
         [](const Asked& asked) { return absolute_state(asked).rope_least; }},
        {"rope_most", "largest score with RoPE along the same sequence",
         [](const Asked& asked) { return absolute_state(asked).rope_most; }},
    };
}

}  // namespace ropescope::lessons
