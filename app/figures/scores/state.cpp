#include "app/figures/scores/state.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ropescope::figures {
namespace {

constexpr int kContents = 48;
constexpr std::int64_t kHalfColumns = 32;
constexpr double kRankTolerance = 1e-10;  // rounding stays below 1e-12

/// Fewest pairs that together make half of what all shares amount to.
std::vector<int> find_carriers(const std::vector<PairShare>& shares) {
    std::vector<int> order(shares.size());
    std::iota(order.begin(), order.end(), 0);
    const auto amount = [&](int pair) {
        return std::abs(shares[static_cast<std::size_t>(pair)].sum());
    };
    std::ranges::stable_sort(order, std::greater{}, amount);
    double all = 0;
    for (const int pair : order) {
        all += amount(pair);
    }
    std::size_t count = 0;
    for (double sum = 0; count < order.size() && sum < all / 2; ++count) {
        sum += amount(order[count]);
    }
    order.resize(std::max<std::size_t>(1, count));
    return order;
}

/// Every pair, or as many as the table has rows and columns to tell apart, evenly chosen.
std::vector<std::size_t> table_pairs(std::size_t pairs) {
    constexpr std::size_t kMostPairs = 256;
    const std::size_t count = std::min(pairs, kMostPairs);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(count == 1 ? 0 : i * (pairs - 1) / (count - 1));
    }
    return chosen;
}

/// The contents of the seeds from the scene's own on.
std::vector<ContentTerms> many_contents(Scene scene, const std::vector<std::size_t>& pairs) {
    std::vector<ContentTerms> contents;
    for (int i = 0; i < kContents; ++i) {
        const Content content = make_content(scene);
        ContentTerms terms;
        for (const std::size_t pair : pairs) {
            const double between = content.k_rad[pair] - content.q_rad[pair];
            terms.push_back({std::cos(between), -std::sin(between)});
        }
        contents.push_back(std::move(terms));
        ++scene.content_seed;
    }
    return contents;
}

/// Whole distances from -range to range, at most 2 kHalfColumns + 1.
std::vector<std::int64_t> table_distances(std::int64_t range) {
    const std::int64_t half = std::min(range, kHalfColumns);
    std::vector<std::int64_t> distances;
    for (std::int64_t i = -half; i <= half; ++i) {
        distances.push_back(i * range / half);
    }
    return distances;
}

void add_singular_values(ScoresState& state, const Scene& scene) {
    const auto pairs = table_pairs(state.spectrum.inv_freq_rad.size());
    const auto contents = many_contents(scene, pairs);
    const auto distances = table_distances(state.range);
    state.contents = static_cast<int>(contents.size());
    state.distances = static_cast<int>(distances.size());
    Spectrum spectrum;
    for (const std::size_t pair : pairs) {
        spectrum.inv_freq_rad.push_back(state.spectrum.inv_freq_rad[pair]);
    }
    state.rope = singular_values(rope_score_table(spectrum, contents, distances));
    state.multiplied = singular_values(multiplied_bias_table(spectrum, contents, distances));
    state.added = singular_values(
        added_bias_table(spectrum, contents, distances, std::sqrt(state.spec.pairs())));
    state.rank = numerical_rank(state.rope, kRankTolerance);
    state.beyond = beyond_rank_one(state.rope);
}

}  // namespace

PairShare pair_share(const Content& content, const Spectrum& spectrum, int pair,
                     std::int64_t delta) {
    const auto i = static_cast<std::size_t>(pair);
    const double between = content.k_rad[i] - content.q_rad[i];
    const double turned = reduced_angle_rad(delta, spectrum.inv_freq_rad[i]);
    const double pairs = spectrum.pairs();
    return {std::cos(between) * std::cos(turned) / pairs,
            -std::sin(between) * std::sin(turned) / pairs};
}

ScoresState make_scores_state(const Scene& scene, Engine& engine) {
    ScoresState state;
    state.spec = rope_spec(scene);
    state.spectrum = make_spectrum(state.spec);
    state.content = make_content(scene);
    state.delta = scene.key_position - scene.query_position;
    state.range = drawn_range(scene, state.delta);
    state.step = sample_step(state.range);
    state.halves =
        score_halves(state.content, state.spectrum, state.step,
                     static_cast<int>(static_cast<double>(state.range) / state.step), engine);
    state.selected = static_cast<int>(scene.selected_pair);
    for (int pair = 0; pair < state.spec.pairs(); ++pair) {
        state.shares.push_back(pair_share(state.content, state.spectrum, pair, state.delta));
        state.total.cos_part += state.shares.back().cos_part;
        state.total.sin_part += state.shares.back().sin_part;
    }
    state.carriers = find_carriers(state.shares);
    add_singular_values(state, scene);
    return state;
}

}  // namespace ropescope::figures
