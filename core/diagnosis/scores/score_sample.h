// Some scores of every head of every batch row, with their products, and what they say together.
#pragma once

#include <vector>

#include "core/diagnosis/scores/score_products.h"

namespace ropescope::diagnosis {

/// At or below this a score is masked: it is what -10000, the smallest number that people add to
/// hide a key, becomes in bf16 (-9984) beside a product of at most 84.
inline constexpr double kLargestMask = -9900.0;

/// A score that says something about the factor: not masked, and neither q nor k is 0.
struct Sample {
    double score = 0.0, product = 0.0, size = 0.0, spread = 0.0;  ///< as in ScoreRow
    double root = 0.0;  ///< of the sum of (q_c k_c)^2: independent errors of the terms grow like it
    Index b = 0, head = 0, query = 0, key = 0;  ///< head: of all heads of all batch rows

    bool is_explained(double factor, const ScoreTolerance& tolerance) const {
        return tolerance.allows(score, factor, product, size, spread);
    }
};
using Samples = std::vector<Sample>;

/// Chooses queries of every head of every batch row, the last ones first, because a causal mask
/// leaves those the most keys; and of the keys that each of them sees some at even steps.
class Sampler {
  public:
    /// Of the factors their terms do not matter. Both must outlive the sampler.
    Sampler(const ScoreFactors& factors, const DumpTensor& scores);

    Samples samples(const ScoreTerms& terms) const;
    /// That of these samples alone, which are some of its own.
    Sampler of(const Samples& some) const;

  private:
    struct Place {
        Index b = 0, h = 0, query = 0;
        std::vector<Index> keys = {};
        std::vector<double> scores = {};
    };
    struct Vectors;

    /// What the query shows; without keys if that is nothing.
    Place place_of(Index b, Index h, Index query, Index most_keys) const;

    const ScoreFactors& factors_;
    const DumpTensor& scores_;
    std::vector<Place> places_;
};

/// The factor that leaves the least sum of |score - factor product|: the median of the ratios,
/// weighted by the products. Up to half of the samples may be anything. 0 without samples.
double median_ratio(const Samples& samples);

Samples explained(const Samples& samples, double factor, const ScoreTolerance& tolerance);

/// Samples whose errors rounding does not make, although each is small enough: they lean to one
/// side by `share` of their products.
struct ScoreLean {
    Index head = 0, query = -1;  ///< query < 0: all of the head
    double share = 0.0;
};

/// Scores in 16 bits have errors of one unit, in turn above and below: the scores of a head, or of
/// one of its queries, that lean to one side by more than six standard errors and a quarter of a
/// unit have another factor.
std::vector<ScoreLean> leaning_products(const Samples& samples, double factor,
                                        const ScoreTolerance& tolerance);

/// Whether terms that differ from the dumped ones by rounding to `unit` leave such errors: all are
/// within five units of the root, about as large in every head, and those of a head grow neither
/// with the product nor with the distance between query and key, and have no mean beyond six
/// standard errors. The error of a
/// query is shared by all its scores, and so is that of a key: only queries and keys count.
bool are_errors_of_terms(const Samples& samples, double factor, double unit,
                         const ScoreTolerance& scores);

}  // namespace ropescope::diagnosis
