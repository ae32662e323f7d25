// The numbers of lessons about pairs, speeds, wavelengths, scaling and precision.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "app/figures/absolute/absolute.h"
#include "app/figures/context/context.h"
#include "app/figures/scores/scores.h"
#include "app/figures/shared/content.h"
#include "app/figures/shared/describe.h"
#include "app/lessons/quantities.h"
#include "core/analysis/absolute.h"
#include "core/analysis/decay.h"
#include "core/analysis/precision.h"
#include "core/rope/spectrum.h"

namespace ropescope::lessons {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

Spectrum spectrum_of(const Asked& asked) {
    return make_spectrum(rope_spec(asked.scene));
}

double speed(const Asked& asked) {
    return spectrum_of(asked).inv_freq_rad[asked.scene.selected_pair];
}

double wavelength(const Asked& asked) {
    return spectrum_of(asked).wavelength_positions(asked.scene.selected_pair);
}

double turns(const Asked& asked) {
    return static_cast<double>(asked.scene.context_length) / wavelength(asked);
}

double query_turn_degrees(const Asked& asked) {
    return static_cast<double>(asked.scene.query_position) * speed(asked) * kDegrees;
}

/// How far that is from a whole number of turns.
double query_turn_rest_degrees(const Asked& asked) {
    return std::abs(reduced_angle_rad(asked.scene.query_position, speed(asked))) * kDegrees;
}

/// At the scene's length of context, for methods that depend on it.
Spectrum spectrum_at_context(const Asked& asked) {
    return make_spectrum(figures::at_context(rope_spec(asked.scene), asked.scene.context_length));
}

double unfinished_pairs(const Asked& asked) {
    const Spectrum spectrum = spectrum_at_context(asked);
    double count = 0;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        count +=
            spectrum.wavelength_positions(pair) > to_double(asked.scene.context_length) ? 1 : 0;
    }
    return count;
}

double slowdown(const Asked& asked) {
    const Index pair = asked.scene.selected_pair;
    return make_spectrum(unscaled_rope_spec(asked.scene)).inv_freq_rad[pair] /
           spectrum_at_context(asked).inv_freq_rad[pair];
}

/// The row of the context calculator for the scene's method.
figures::MethodRow method_row(const Asked& asked) {
    const figures::Methods methods = figures::extension_methods(asked.scene);
    const figures::MethodRow* row = methods.find(asked.scene.scaling);
    return row == nullptr ? methods.rows.front() : *row;
}

double rounded_angle_error(const Asked& asked) {
    double worst = 0;
    for (const double speed_rad : spectrum_of(asked).inv_freq_rad) {
        worst = std::max(worst, std::abs(round_to(NumberFormat::bf16, speed_rad) - speed_rad));
    }
    return worst * static_cast<double>(asked.scene.query_position);
}

double table_error(const Asked& asked) {
    const std::vector<double> errors = chain_error(precision_chain(asked.scene.precision_chain),
                                                   spectrum_of(asked), asked.scene.query_position);
    return *std::ranges::max_element(errors);
}

/// Both positions move by as much as the context is long.
double score_violation(const Asked& asked) {
    const Scene& scene = asked.scene;
    return relative_violation(precision_chain(scene.precision_chain), spectrum_of(asked),
                              scene.head_dim, scene.query_position, scene.key_position,
                              scene.context_length)
        .worst;
}

double cosine_to_unscaled(const Asked& asked) {
    const Spectrum plain = make_spectrum(unscaled_rope_spec(asked.scene));
    const Spectrum scaled = spectrum_of(asked);
    double sum = 0;
    for (Index pair = 0; pair < plain.pairs(); ++pair) {
        const Index at = asked.scene.query_position;
        sum += std::cos(reduced_angle_rad(at, plain.inv_freq_rad[pair]) -
                        reduced_angle_rad(at, scaled.inv_freq_rad[pair]));
    }
    return sum / to_double(plain.pairs());
}

}  // namespace

std::vector<NumberQuantity> encoding_quantities() {
    return {
        {"pair_count", "pairs of channels that turn",
         [](const Asked& asked) { return static_cast<double>(asked.scene.rotary_dim / 2); }},
        {"speed", "radians per position of the selected pair", speed},
        {"wavelength", "positions of one turn of the selected pair", wavelength},
        {"turns", "turns of the selected pair within the context", turns},
        {"query_turn_degrees", "degrees by which the query's position turns the selected pair",
         query_turn_degrees},
        {"query_turn_rest_degrees", "how many degrees that is from the nearest whole turn",
         query_turn_rest_degrees},
        {"unfinished_pairs", "pairs that finish no turn within the context", unfinished_pairs},
        {"slowdown", "how many times slower the scaling makes the selected pair", slowdown},
        {"needed_factor", "target length over trained length",
         [](const Asked& asked) { return figures::needed_factor(asked.scene); }},
        {"kept_pairs", "pairs that the scaling leaves as fast as they were",
         [](const Asked& asked) { return static_cast<double>(method_row(asked).kept); }},
        {"slower_pairs", "pairs that the scaling slows",
         [](const Asked& asked) { return static_cast<double>(method_row(asked).slower()); }},
        {"unseen_pairs", "pairs that meet angles within the target that training never showed",
         [](const Asked& asked) { return static_cast<double>(method_row(asked).unseen); }},
        {"table_error", "largest error of cos and sin at the query's position, for the chain",
         table_error},
        {"score_violation",
         "largest change of a score, over |q| |k|, if both positions move by the context length",
         score_violation},
        {"rounded_angle_error",
         "largest error in radians of an angle at the query's position if inv_freq is bf16",
         rounded_angle_error},
        {"cosine_to_unscaled",
         "mean cosine between a vector turned with and without the scaling at the query's position",
         cosine_to_unscaled},
    };
}

// The numbers of lessons about scores: by distance, their parts, their decay, and what added
// positions make of them.

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

/// Over the positions that the figure draws.
double shift_error(const Asked& asked) {
    const figures::AbsoluteState state = absolute_state(asked);
    double worst = 0;
    for (const figures::AbsoluteScores& at : state.scores) {
        const std::vector<double> moved =
            shifted(state.spectrum, state.shift, sinusoidal_row(state.spectrum, at.m));
        const std::vector<double> there = sinusoidal_row(state.spectrum, at.m + state.shift);
        for (std::size_t channel = 0; channel < there.size(); ++channel) {
            worst = std::max(worst, std::abs(moved[channel] - there[channel]));
        }
    }
    return worst;
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
        {"shift_error",
         "largest difference between a sinusoidal position that is moved by shift and the one "
         "there",
         shift_error},
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
