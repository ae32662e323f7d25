// Computes the state of the scores view.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
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

// Writes the scores view's table for CSV and its text report.

namespace {

plot::Text separability_text(const ScoresState& state) {
    return plot::say(
        "Non-separability: of the table of {} contents by {} distances, {} % of the sum of "
        "squares lies beyond the first singular value. Singular values above 1e-10 of the "
        "largest: {}; of q·k times a bias of the distance {}, of q·k plus a bias {}.\n\n",
        state.contents, state.distances, general_text(100 * state.beyond, 3), state.rope.rank,
        state.multiplied.rank, state.added.rank);
}

std::string pair_table(const ScoresState& state) {
    std::vector<std::vector<std::string>> rows;
    for (const Index pair : evenly_chosen(state.spec.pairs(), 64)) {
        const PairShare& share = state.shares[pair];
        rows.push_back({fmt::format("{}", pair),
                        fmt::format("{:.4g}", state.spectrum.wavelength_positions(pair)),
                        signed_text(share.cos_part, 5), signed_text(share.sin_part, 5),
                        signed_text(share.sum(), 5), pair == state.selected ? "selected" : ""});
    }
    return text_table({"pair", "λ positions", "cos part", "sin part", "sum", ""}, rows);
}

std::string singular_table(const ScoresState& state) {
    std::vector<std::vector<std::string>> rows;
    for (Index i = 0; i < std::min<Index>(16, std::ssize(state.rope.values)); ++i) {
        const auto share = [&](const SingularValues& singular) {
            return fmt::format("{:.2e}", singular.values[i] / singular.values.front());
        };
        rows.push_back({fmt::format("{}", i + 1), share(state.rope), share(state.multiplied),
                        share(state.added)});
    }
    return text_table({"singular value", "RoPE", "q·k × bias", "q·k + bias"}, rows);
}

}  // namespace

plot::Text scores_report(const ScoresState& state) {
    std::string carriers;
    for (Index i = 0; i < std::min<Index>(16, std::ssize(state.carriers)); ++i) {
        carriers += (i == 0 ? "" : ", ") + fmt::format("{}", state.carriers[i]);
    }
    return plot::say(
               "At n − m = {} the mean cosine is {}: cos part {}, sin part {}.\n"
               "{} of {} {} half of the sum of the magnitudes of all shares: {}{}.\n",
               whole_text(state.delta), signed_text(state.total.sum(), 5),
               signed_text(state.total.cos_part, 5), signed_text(state.total.sin_part, 5),
               state.carriers.size(), counted(state.spec.pairs(), "pair"),
               agreeing(std::ssize(state.carriers), "makes", "make"), carriers,
               state.carriers.size() > 16 ? ", ..." : "") +
           separability_text(state) + pair_table(state) + "\n" + singular_table(state) +
           "each over the largest of its table\n";
}

plot::DataTable scores_data(const ScoresState& state) {
    std::vector<std::string> table;
    std::vector<double> at, value, cos_part, sin_part;
    const auto add = [&](const char* name, double where, double a, double b, double c) {
        table.emplace_back(name);
        at.push_back(where);
        value.push_back(a);
        cos_part.push_back(b);
        sin_part.push_back(c);
    };
    const auto add_share = [&](const char* name, double where, const PairShare& share) {
        add(name, where, share.sum(), share.cos_part, share.sin_part);
    };
    for (Index i = -state.half(); i <= state.half(); ++i) {
        add_share("score", to_double(i) * state.step, state.curve_at(i));
    }
    for (Index i = 0; i < std::ssize(state.shares); ++i) {
        add_share("pair", to_double(i), state.shares[i]);
    }
    const auto add_singular = [&](const char* name, const SingularValues& singular) {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        for (Index i = 0; i < std::ssize(singular.values); ++i) {
            add(name, to_double(i) + 1, singular.values[i], kNone, kNone);
        }
    };
    add_singular("singular_rope", state.rope);
    add_singular("singular_times_bias", state.multiplied);
    add_singular("singular_plus_bias", state.added);
    return {{{"table", std::move(table)},
             {"at", std::move(at)},
             {"value", std::move(value)},
             {"cos_part", std::move(cos_part)},
             {"sin_part", std::move(sin_part)}}};
}

}  // namespace ropescope::figures
