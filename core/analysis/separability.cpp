// Builds tables of scores over content and distance, and counts what their singular values say.
#include "core/analysis/separability.h"

#include <algorithm>

#include "core/analysis/turns.h"

namespace ropescope {
namespace {

/// [2 pairs, distances]: cos above, sin below.
Eigen::MatrixXd turn_matrix(const Spectrum& spectrum, std::span<const Index> distances) {
    const Index pairs = spectrum.pairs();
    Eigen::MatrixXd turns(2 * pairs, std::ssize(distances));
    Turn turn;
    for (Index c = 0; c < turns.cols(); ++c) {
        fill_turn(spectrum, distances[c], turn);
        for (Index i = 0; i < pairs; ++i) {
            turns(i, c) = turn.cos[i];
            turns(pairs + i, c) = turn.sin[i];
        }
    }
    return turns;
}

/// [contents, 2 pairs]: cos parts, then sin parts.
Eigen::MatrixXd term_matrix(std::span<const ContentTerms> contents, Index pairs) {
    Eigen::MatrixXd terms(std::ssize(contents), 2 * pairs);
    for (Index row = 0; row < terms.rows(); ++row) {
        const ContentTerms& content = contents[row];
        for (Index i = 0; i < pairs; ++i) {
            terms(row, i) = content[i].cos_part;
            terms(row, pairs + i) = content[i].sin_part;
        }
    }
    return terms;
}

/// q . k of every content, unrotated.
Eigen::VectorXd plain_scores(std::span<const ContentTerms> contents) {
    Eigen::VectorXd scores(std::ssize(contents));
    for (Index row = 0; row < scores.size(); ++row) {
        scores(row) = 0;
        for (const PairTerm& term : contents[row]) {
            scores(row) += term.cos_part;
        }
    }
    return scores;
}

Eigen::RowVectorXd bias_row(const Spectrum& spectrum, std::span<const Index> distances) {
    const Eigen::MatrixXd turns = turn_matrix(spectrum, distances);
    return turns.topRows(spectrum.pairs()).colwise().mean();
}

}  // namespace

Eigen::MatrixXd rope_score_table(const Spectrum& spectrum, std::span<const ContentTerms> contents,
                                 std::span<const Index> distances) {
    const Eigen::MatrixXd turns = turn_matrix(spectrum, distances);
    return term_matrix(contents, turns.rows() / 2) * turns;
}

Eigen::MatrixXd multiplied_bias_table(const Spectrum& spectrum,
                                      std::span<const ContentTerms> contents,
                                      std::span<const Index> distances) {
    return plain_scores(contents) * bias_row(spectrum, distances);
}

Eigen::MatrixXd added_bias_table(const Spectrum& spectrum, std::span<const ContentTerms> contents,
                                 std::span<const Index> distances, double size) {
    const Eigen::VectorXd scores = plain_scores(contents);
    const Eigen::RowVectorXd bias = size * bias_row(spectrum, distances);
    return scores.replicate(1, bias.size()) + bias.replicate(scores.size(), 1);
}

Index numerical_rank(std::span<const double> singular, double tolerance) {
    return std::ranges::count_if(
        singular, [&](double value) { return value > tolerance * singular.front(); });
}

double beyond_rank_one(std::span<const double> singular) {
    double rest = 0, all = 0;
    for (std::size_t i = 0; i < singular.size(); ++i) {
        all += singular[i] * singular[i];
        rest += i == 0 ? 0 : singular[i] * singular[i];
    }
    return all == 0 ? 0 : rest / all;
}

}  // namespace ropescope
