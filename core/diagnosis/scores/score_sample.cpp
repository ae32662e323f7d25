// Reads samples, and tells errors that rounding makes from others.
#include "core/diagnosis/scores/score_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace ropescope::diagnosis {
namespace {

bool is_shown(double score) {
    return std::isfinite(score) && score > kLargestMask;
}

bool is_zero(std::span<const double> vector) {
    return std::ranges::all_of(vector, [](double x) { return x == 0.0; });
}

double without_cap(double score, double cap) {
    return cap > 0.0 ? cap * std::atanh(score / cap) : score;
}

double squared_length(std::span<const double> vector) {
    double squares = 0.0;
    for (const double x : vector) {
        squares += x * x;
    }
    return squares;
}

/// An error, and what it may grow along. Errors of one query or one key may be one error.
struct Deviation {
    double error = 0.0, along = 1.0;
    Index query = 0, key = 0;
};

/// Slope of errors that lean; 0 if they scatter, or too few queries or keys tell. The variance of
/// the slope is that of independent queries and independent keys together.
double leaning(std::span<const Deviation> errors, double floor) {
    double sum = 0.0, squares = 0.0;
    for (const Deviation& each : errors) {
        sum += each.error * each.along;
        squares += each.along * each.along;
    }
    const double slope = sum / squares;
    std::map<Index, double> of_query, of_key;
    for (const Deviation& each : errors) {
        const double left = (each.error - slope * each.along) * each.along;
        of_query[each.query] += left;
        of_key[each.key] += left;
    }
    constexpr std::size_t kEnough = 16;
    if (of_query.size() < kEnough || of_key.size() < kEnough || !(squares > 0.0)) {
        return 0.0;
    }
    double variance = 0.0;
    for (const auto* sums : {&of_query, &of_key}) {
        for (const auto& [place, left] : *sums) {
            variance += left * left;
        }
    }
    return std::abs(slope) > floor + 6.0 * std::sqrt(variance) / squares ? slope : 0.0;
}

/// How far errors scatter.
struct Scatter {
    Index count = 0;
    double squares = 0.0, largest = 0.0;

    void add(double error) {
        ++count;
        squares += error * error;
        largest = std::max(largest, std::abs(error));
    }
    double usual() const { return std::sqrt(squares / to_double(count)); }
};

/// Whether errors are about as large in every head, and none stands out: those of other sums, and
/// single ones among numbers that are exact, do.
bool are_alike(const std::map<Index, Scatter>& heads) {
    double least = HUGE_VAL, most = 0.0;
    for (const auto& [head, scatter] : heads) {
        if (scatter.largest > 8.0 * scatter.usual()) {
            return false;
        }
        if (scatter.count >= 64) {
            least = std::min(least, scatter.usual());
            most = std::max(most, scatter.usual());
        }
    }
    return most <= 4.0 * least || most == 0.0;
}

/// Relative errors of scores, each number once: scores that are the same number may be one error.
class RelativeErrors {
  public:
    void add(const Sample& sample, double factor) {
        if (seen_.insert(sample.score).second) {
            const Index place = std::ssize(errors_);
            errors_.push_back({sample.score / (factor * sample.product) - 1.0, 1.0, place, place});
        }
    }
    double leaning_beyond(double floor) const { return leaning(errors_, floor); }

  private:
    std::set<double> seen_;
    std::vector<Deviation> errors_;
};

}  // namespace

/// The vectors of one head, each read once.
struct Sampler::Vectors {
    struct Term {
        std::vector<double> values;
        double length = 0.0, spread = 0.0;
    };
    const DumpTensor& tensor;
    const ScoreTerms& terms;
    bool queries;
    Index b, h;
    std::map<Index, Term> read = {};

    const Term& at(Index l) {
        Term& term = read[l];
        if (term.values.empty()) {
            term.values.resize(tensor.channels);
            tensor.read(b, h, l, term.values);
            term.length = std::sqrt(squared_length(term.values));
            term.spread = terms.apply(queries, term.values);
        }
        return term;
    }
};

Sampler::Sampler(const ScoreFactors& factors, const DumpTensor& scores)
    : factors_(factors), scores_(scores) {
    const DumpTensor& q = factors.q;
    constexpr Index kQueries = 512, kSamples = 65536;
    const Index heads = q.batch * q.heads;
    const Index queries = std::clamp<Index>(kQueries / heads, 1, q.length);
    const Index keys = std::clamp<Index>(kSamples / (heads * queries), 8, 128);
    for (Index i = 0; i < heads * queries; ++i) {
        const Index head = i / queries, step = i % queries;
        const Index last = q.length - 1 - step * q.length / queries;
        const Index first = q.length - (step + 1) * q.length / queries;
        for (Index l = last; l >= first; --l) {  // padding says nothing
            Place place = place_of(head / q.heads, head % q.heads, l, keys);
            if (!place.keys.empty()) {
                places_.push_back(std::move(place));
                break;
            }
        }
    }
}

Sampler::Place Sampler::place_of(Index b, Index h, Index query, Index most_keys) const {
    std::vector<double> vector(factors_.q.channels), row(scores_.channels);
    scores_.read(b, h, query, row);
    Place place{b, h, query};
    factors_.q.read(b, h, query, vector);
    if (is_zero(vector)) {
        return place;
    }
    std::vector<Index> shown;
    for (Index n = 0; n < std::ssize(row); ++n) {
        if (is_shown(row[n])) {
            shown.push_back(n);
        }
    }
    const Index count = std::min<Index>(most_keys, std::ssize(shown));
    for (Index i = 0; i < count; ++i) {
        const Index n = shown[i * std::ssize(shown) / count];
        factors_.k.read(b, factors_.key_head(h), n, vector);
        if (!is_zero(vector)) {
            place.keys.push_back(n);
            place.scores.push_back(without_cap(row[n], factors_.cap));
        }
    }
    return place;
}

Sampler Sampler::of(const Samples& some) const {
    std::set<std::array<Index, 3>> kept;
    for (const Sample& sample : some) {
        kept.insert({sample.head, sample.query, sample.key});
    }
    Sampler sampler = *this;
    for (Place& place : sampler.places_) {
        const Place all = std::exchange(place, {place.b, place.h, place.query});
        for (std::size_t i = 0; i < all.keys.size(); ++i) {
            const Index head = all.b * factors_.q.heads + all.h;
            if (kept.contains({head, all.query, all.keys[i]})) {
                place.keys.push_back(all.keys[i]);
                place.scores.push_back(all.scores[i]);
            }
        }
    }
    std::erase_if(sampler.places_, [](const Place& place) { return place.keys.empty(); });
    return sampler;
}

Samples Sampler::samples(const ScoreTerms& terms) const {
    Samples all;
    all.reserve(std::accumulate(
        places_.begin(), places_.end(), std::size_t{0},
        [](std::size_t sum, const Place& place) { return sum + place.keys.size(); }));
    std::map<std::pair<Index, Index>, Vectors> keys_of_head;
    for (const Place& place : places_) {
        const Index key_head = factors_.key_head(place.h);
        Vectors queries{factors_.q, terms, true, place.b, place.h};
        Vectors& keys =
            keys_of_head
                .try_emplace({place.b, key_head}, factors_.k, terms, false, place.b, key_head)
                .first->second;
        const Vectors::Term& query = queries.at(place.query);
        for (std::size_t i = 0; i < place.keys.size(); ++i) {
            const Vectors::Term& key = keys.at(place.keys[i]);
            Sample sample{.score = place.scores[i],
                          .size = query.length * key.length,
                          .spread = query.spread * key.length + query.length * key.spread,
                          .b = place.b,
                          .head = place.b * factors_.q.heads + place.h,
                          .query = place.query,
                          .key = place.keys[i]};
            double squares = 0.0;
            for (std::size_t c = 0; c < key.values.size(); ++c) {
                const double product = query.values[c] * key.values[c];
                sample.product += product;
                squares += product * product;
            }
            sample.root = std::sqrt(squares);
            if (std::isfinite(sample.score) && sample.size > 0.0) {
                all.push_back(sample);
            }
        }
    }
    return all;
}

double median_ratio(const Samples& samples) {
    std::vector<std::pair<double, double>> ratios;
    double all = 0.0;
    for (const Sample& sample : samples) {
        if (sample.product != 0.0 && std::isfinite(sample.product)) {
            ratios.emplace_back(sample.score / sample.product, std::abs(sample.product));
            all += std::abs(sample.product);
        }
    }
    std::ranges::sort(ratios);
    double below = 0.0;
    for (const auto& [ratio, weight] : ratios) {
        below += weight;
        if (2.0 * below >= all) {
            return ratio;
        }
    }
    return 0.0;
}

Samples explained(const Samples& samples, double factor, const ScoreTolerance& tolerance) {
    Samples some;
    some.reserve(samples.size());
    std::ranges::copy_if(samples, std::back_inserter(some), [&](const Sample& sample) {
        return sample.is_explained(factor, tolerance);
    });
    return some;
}

std::vector<ScoreLean> leaning_products(const Samples& samples, double factor,
                                        const ScoreTolerance& tolerance) {
    std::map<std::pair<Index, Index>, RelativeErrors> groups;
    for (const Sample& sample : samples) {
        const double product = std::abs(factor) * tolerance.of_products * std::abs(sample.product);
        const double other = tolerance.at(factor, sample.product, sample.size, sample.spread);
        if (product > 0.0 && other <= 1.1 * product) {
            groups[{sample.head, -1}].add(sample, factor);
            groups[{sample.head, sample.query}].add(sample, factor);
        }
    }
    std::vector<ScoreLean> all;
    for (const auto& [place, errors] : groups) {
        const double share = errors.leaning_beyond(tolerance.of_products / 12.0);
        if (share != 0.0) {
            all.push_back({place.first, place.second, share});
        }
    }
    return all;
}

bool are_errors_of_terms(const Samples& samples, double factor, double unit,
                         const ScoreTolerance& scores) {
    enum Along { product, mean, distance };
    std::map<std::pair<Index, Along>, std::vector<Deviation>> groups;
    std::map<Index, Scatter> heads;
    for (const Sample& sample : samples) {
        const double error = sample.score - factor * sample.product;
        const double of_root = std::abs(factor) * sample.root;
        if (!(std::abs(error) <= 5.0 * unit * of_root + scores.at(factor, sample.product,
                                                                  sample.size, sample.spread))) {
            return false;
        }
        if (of_root > 0.0) {
            const double share = error / of_root;
            const auto add = [&](Along along, double by) {
                groups[{sample.head, along}].push_back({share, by, sample.query, sample.key});
            };
            add(product, sample.product / sample.root);
            add(mean, 1.0);
            add(distance, to_double(sample.key - sample.query));
            heads[sample.head].add(share);
        }
    }
    return are_alike(heads) && std::ranges::none_of(groups, [&](const auto& group) {
               const double floor = group.first.second == distance ? 0.0 : unit / 32.0;
               return leaning(group.second, floor) != 0.0;
           });
}

}  // namespace ropescope::diagnosis
