// Draws random queries and keys and takes mean and quantiles of their scores.
#include "core/analysis/random_scores.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/analysis/turns.h"
#include "core/base/uniform.h"

namespace ropescope {
namespace {

using Matrix = Eigen::MatrixXf;

constexpr Index kBlock = 64;  ///< distances between two looks at the stop token

/// [draws, 2 pairs]: cos and -sin of the content angles.
Matrix content_matrix(Index pairs, const RandomContent& content) {
    Matrix contents(content.draws, 2 * pairs);
    for (Index i = 0; i < pairs; ++i) {
        for (Index draw = 0; draw < content.draws; ++draw) {
            const double random = uniform(content.seed, i * content.draws + draw);
            const double angle = content.angle_rad * (2 * random - 1);
            contents(draw, i) = to_float(std::cos(angle));
            contents(draw, pairs + i) = to_float(-std::sin(angle));
        }
    }
    return contents;
}

/// The value that `share` of the values lie below, between two of them on a line.
double quantile(std::span<float> values, double share) {
    const double place = share * to_double(std::ssize(values) - 1);
    const Index below = floor_to_index(place);
    const auto nth = values.begin() + below;
    std::nth_element(values.begin(), nth, values.end());
    const double low = *nth;
    if (below + 1 == std::ssize(values)) {
        return low;
    }
    const double high = *std::min_element(nth + 1, values.end());
    return low + (place - std::floor(place)) * (high - low);
}

void append(RandomScores& scores, std::span<float> draws) {
    constexpr double kTail = 0.05;
    double sum = 0;
    for (const float draw : draws) {
        sum += draw;
    }
    scores.mean.push_back(sum / to_double(std::ssize(draws)));
    scores.low.push_back(quantile(draws, kTail));
    scores.high.push_back(quantile(draws, 1 - kTail));
}

}  // namespace

RandomScores random_scores(const Spectrum& spectrum, std::span<const Index> distances,
                           const RandomContent& content, const std::stop_token& stop) {
    const Index pairs = spectrum.pairs();
    const Index count = std::ssize(distances);
    const Matrix contents = content_matrix(pairs, content);
    RandomScores scores;
    Turn turn;
    for (Index first = 0; first < count; first += kBlock) {
        if (stop.stop_requested()) {
            return {};
        }
        const Index columns = std::min(kBlock, count - first);
        Matrix turns(2 * pairs, columns);
        for (Index c = 0; c < columns; ++c) {
            fill_turn(spectrum, distances[first + c], turn);
            for (Index i = 0; i < pairs; ++i) {
                turns(i, c) = to_float(turn.cos[i]);
                turns(pairs + i, c) = to_float(turn.sin[i]);
            }
        }
        Matrix values = contents * turns;
        for (Index c = 0; c < columns; ++c) {
            append(scores, std::span(values.col(c).data(), values.rows()));
        }
    }
    return scores;
}

// With c even in +-a: E cos(c + x) = s(a) cos x and E cos^2(c + x) = (1 + s(2a) cos 2x) / 2,
// s(a) = sin(a) / a; the pairs are independent.
ScoreSpread score_spread(const Spectrum& spectrum, Index distance, double angle_rad) {
    const double once = mean_share(angle_rad), twice = mean_share(2 * angle_rad);
    const Turn turn = make_turn(spectrum, distance);
    double mean = 0, variance = 0;
    for (const double cos : turn.cos) {
        mean += once * cos;
        variance += (1 + twice * (2 * cos * cos - 1)) / 2 - once * cos * once * cos;
    }
    return {mean, std::sqrt(std::max(0.0, variance))};
}

double mean_share(double angle_rad) {
    return angle_rad == 0 ? 1.0 : std::sin(angle_rad) / angle_rad;
}

}  // namespace ropescope
