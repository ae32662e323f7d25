// Goes through the scores of both dumps query by query.
#include "core/diff/score_difference.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "core/base/parallel.h"
#include "core/diagnosis/scores/score_fit.h"
#include "core/diff/tally.h"

namespace ropescope::diff {
namespace {

using diagnosis::QueryBlock;
using diagnosis::ScoreFactors;
using diagnosis::ScoreFit;
using diagnosis::ScoreRow;

/// Queries whose scores of all heads and keys are in memory at a time.
constexpr Index kQueriesTogether = 2;

/// How the scores of one dump come about.
struct Formed {
    ScoreFactors factors;
    const diagnosis::DumpTensor& scores;
    double factor = 0.0;
    diagnosis::ScoreTolerance tolerance = {};
};

Formed formed(const ScoredSide& side) {
    ScoreFactors factors{.q = side.q, .k = side.k};
    const double usual = 1.0 / std::sqrt(to_double(side.q.channels));
    const std::optional<ScoreFit> fit = diagnosis::fit_scores(factors, side.scores, usual);
    if (!fit) {
        const auto tolerance = diagnosis::usual_tolerance(factors, side.scores);
        return {factors, side.scores, usual, tolerance};
    }
    factors.terms = fit->terms;
    return {factors, side.scores, fit->factor, fit->tolerance};
}

/// A score, what it should be, and how far it may be from that.
struct Expected {
    double score = 0.0, product = 0.0, allowed = 0.0;
};

/// [heads, queries of the block, keys], by the factor of the reference.
std::vector<Expected> expected_of(const Formed& side, double factor, const QueryBlock& block) {
    const Index rows = block.last - block.first, keys = side.scores.channels;
    std::vector<Expected> all(static_cast<std::size_t>(side.scores.heads * rows * keys));
    visit_scores(side.factors, side.scores, block, [&](const ScoreRow& row) {
        Expected* const out =
            all.data() + (row.h * rows + row.query - block.first) * keys + row.first_key;
        for (std::size_t n = 0; n < row.scores.size(); ++n) {
            out[n] = {row.scores[n], row.products[n],
                      side.tolerance.at(factor, row.products[n], row.sizes[n], row.spreads[n])};
        }
    });
    return all;
}

void compare_block(const Formed& a, const Formed& b, const QueryBlock& block, Tally& tally) {
    const std::vector<Expected> left = expected_of(a, a.factor, block);
    const std::vector<Expected> right = expected_of(b, a.factor, block);
    const Index rows = block.last - block.first, keys = a.scores.channels;
    for (Index vector = 0; vector < a.scores.heads * rows; ++vector) {
        bool differs = false;
        for (Index key = 0; key < keys; ++key) {
            const Expected &x = left[vector * keys + key], &y = right[vector * keys + key];
            if (x.score == y.score) {
                continue;
            }
            const NumberPair numbers{
                {block.b, block.first + vector % rows, vector / rows, key},
                x.score,
                y.score,
                x.allowed + y.allowed + std::abs(a.factor * (x.product - y.product))};
            tally.add(numbers);
            differs |= !numbers.same();
        }
        if (differs) {
            tally.count_vector();
        }
    }
}

}  // namespace

bool belong_together(const ScoredSide& side) {
    const auto& [q, k, scores] = side;
    return q.batch == scores.batch && k.batch == scores.batch && q.heads == scores.heads &&
           q.length == scores.length && k.length == scores.channels && q.channels == k.channels &&
           k.heads > 0 && q.heads % k.heads == 0;
}

TensorDifference compare_scores(const ScoredSide& a, const ScoredSide& b) {
    const Formed left = formed(a), right = formed(b);
    const Index blocks = (a.scores.length + kQueriesTogether - 1) / kQueriesTogether;
    Tally all(a.scores);
    std::mutex guard;
    parallel_for(a.scores.batch * blocks, 1, default_threads(), [&](Index begin, Index end) {
        Tally part(a.scores);
        for (Index i = begin; i < end; ++i) {
            const Index first = i % blocks * kQueriesTogether;
            compare_block(left, right,
                          {.b = i / blocks,
                           .first = first,
                           .last = std::min<Index>(first + kQueriesTogether, a.scores.length)},
                          part);
        }
        const std::scoped_lock lock(guard);
        all.add(part);
    });
    return all.result("scores", a.scores.batch * a.scores.heads * a.scores.length);
}

}  // namespace ropescope::diff
