// Computes the state of the scores view.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/figures/scores/scores.h"
#include "app/figures/shared/text.h"
#include "core/base/singular_values.h"

namespace ropescope::figures {
namespace {

constexpr int kContents = 48;
constexpr Index kHalfColumns = 32;
/// The table tells no more pairs apart than it has rows and columns.
constexpr Index kMostPairsOfScores = 256;
constexpr double kRankTolerance = 1e-10;  // rounding stays below 1e-12

/// Fewest pairs that together make half of what all shares amount to.
std::vector<int> find_carriers(const std::vector<PairShare>& shares) {
    std::vector<int> order(shares.size());
    std::iota(order.begin(), order.end(), 0);
    const auto amount = [&](Index pair) { return std::abs(shares[pair].sum()); };
    std::ranges::stable_sort(order, std::greater{}, amount);
    double all = 0;
    for (const Index pair : order) {
        all += amount(pair);
    }
    Index count = 0;
    for (double sum = 0; count < std::ssize(order) && sum < all / 2; ++count) {
        sum += amount(order[count]);
    }
    order.resize(std::max<Index>(1, count));
    return order;
}

/// The terms of each content in the chosen pairs, as unit vectors have them.
std::vector<ContentTerms> terms_of(const std::vector<Content>& many,
                                   const std::vector<Index>& pairs) {
    std::vector<ContentTerms> contents;
    for (const Content& content : many) {
        ContentTerms terms;
        for (const Index pair : pairs) {
            const double between = content.between_rad(pair);
            const double size = content.weight[pair] * to_double(std::ssize(content.weight));
            terms.push_back({size * std::cos(between), -size * std::sin(between)});
        }
        contents.push_back(std::move(terms));
    }
    return contents;
}

/// Whole distances from -range to range, at most 2 kHalfColumns + 1.
std::vector<Index> table_distances(Index range) {
    const Index half = std::min(range, kHalfColumns);
    std::vector<Index> distances;
    for (Index i = -half; i <= half; ++i) {
        distances.push_back(i * range / half);
    }
    return distances;
}

SingularValues analyse(const Eigen::MatrixXd& table) {
    const std::vector<double> values = singular_values(table);
    return {values, numerical_rank(values, kRankTolerance)};
}

void add_singular_values(ScoresState& state, const std::vector<Content>& many) {
    const std::vector<Index> pairs = evenly_chosen(state.spectrum.pairs(), kMostPairsOfScores);
    const auto contents = terms_of(many, pairs);
    const auto distances = table_distances(state.range);
    state.contents = std::ssize(contents);
    state.distances = std::ssize(distances);
    Spectrum spectrum;
    for (const Index pair : pairs) {
        spectrum.inv_freq_rad.push_back(state.spectrum.inv_freq_rad[pair]);
    }
    state.rope = analyse(rope_score_table(spectrum, contents, distances));
    state.multiplied = analyse(multiplied_bias_table(spectrum, contents, distances));
    state.added =
        analyse(added_bias_table(spectrum, contents, distances, std::sqrt(state.spec.pairs())));
    state.beyond = beyond_rank_one(state.rope.values);
}

}  // namespace

PairShare ScoresState::curve_at(Index i) const {
    return {halves.even[std::abs(i)], (i < 0 ? -1 : 1) * halves.odd[std::abs(i)]};
}

PairShare ScoresState::share(Index pair, Index distance) const {
    const double between = content.between_rad(pair);
    const double turned = reduced_angle_rad(distance, spectrum.inv_freq_rad[pair]);
    const double weight = content.weight[pair];
    return {std::cos(between) * std::cos(turned) * weight,
            -std::sin(between) * std::sin(turned) * weight};
}

PairShare ScoresState::total_at(Index distance) const {
    PairShare sum;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        const PairShare one = share(pair, distance);
        sum.cos_part += one.cos_part;
        sum.sin_part += one.sin_part;
    }
    return sum;
}

ScoresContent drawn_content(const Scene& scene) {
    ScoresContent content{make_content(scene), {}};
    Scene next = scene;
    for (int i = 0; i < kContents; ++i) {
        content.many.push_back(make_content(next));
        ++next.content_seed;
    }
    return content;
}

ScoresState make_scores_state(const Scene& scene, ScoresContent content, Engine& engine) {
    ScoresState state;
    state.spec = rope_spec(scene);
    state.spectrum = make_spectrum(state.spec);
    state.content = std::move(content.shown);
    state.delta = scene.key_position - scene.query_position;
    state.range = drawn_range(scene, state.delta);
    state.step = sample_step(state.range);
    const Index half = floor_to_index(to_double(state.range) / state.step);
    state.halves = score_halves(state.content, state.spectrum, state.step, half, engine);
    state.selected = scene.selected_pair;
    for (Index pair = 0; pair < state.spec.pairs(); ++pair) {
        state.shares.push_back(state.share(pair, state.delta));
    }
    state.total = state.total_at(state.delta);
    state.carriers = find_carriers(state.shares);
    add_singular_values(state, content.many);
    return state;
}

}  // namespace ropescope::figures
