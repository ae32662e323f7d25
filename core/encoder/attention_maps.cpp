// Computes a reduced attention map of one head from its q, k and row sums.
#include "core/encoder/attention_maps.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "core/kernels/sgemm.h"

namespace ropescope {
namespace {

float score_scale(Index head_dim) {
    return 1.0F / std::sqrt(to_float(to_double(head_dim)));
}

/// The scores of a head's queries 0, step, 2 step, ..., a few rows at a time.
class ScoreRows {
  public:
    static constexpr Index kRows = 64;

    ScoreRows(const LayerTrace& layer, Index head, Index query_step)
        : keys(layer.k_rot.shape[2]),
          rows((layer.q_rot.shape[2] + query_step - 1) / query_step),
          step_(query_step),
          head_dim_(layer.k_rot.shape[3]),
          all_queries_(layer.q_rot.shape[2]),
          q_(layer.q_rot.values().data() + head * all_queries_ * head_dim_),
          k_(layer.k_rot.values().data() + head * keys * head_dim_),
          log_sums_(layer.log_sums.values().data() + head * all_queries_),
          buffer_(std::min(kRows, rows) * keys) {}

    /// Rows first .. first + count - 1.
    void compute(Index first, Index count) {
        first_ = first;
        const Index stride = step_ * head_dim_;
        sgemm(score_scale(head_dim_), {q_ + first * stride, count, head_dim_, stride},
              {k_, keys, head_dim_, head_dim_}, Factor::transposed,
              {buffer_.data(), count, keys, keys});
    }
    const float* row(Index r) const { return buffer_.data() + (r - first_) * keys; }
    float prob(Index r, float score) const { return std::exp(score - log_sums_[r * step_]); }

    Index keys, rows;

  private:
    Index step_, head_dim_, all_queries_;
    const float* q_;
    const float* k_;
    const float* log_sums_;
    std::vector<float> buffer_;
    Index first_ = 0;
};

template <typename Row>
void over_rows(Index rows, const Row& compute_and_use) {
    for (Index first = 0; first < rows; first += ScoreRows::kRows) {
        compute_and_use(first, std::min(ScoreRows::kRows, rows - first));
    }
}

/// Sums by distance; turned into mean and deviation at the end.
struct DistanceSums {
    explicit DistanceSums(Index positions, Index most_bins)
        : first(1 - positions), bin((2 * positions - 1 + most_bins - 1) / most_bins) {
        const Index bins = (2 * positions - 1 + bin - 1) / bin;
        count.resize(bins);
        sum.resize(bins);
        squares.resize(bins);
    }
    /// The scores of a query with keys 0 ...
    void add_row(Index query, std::span<const float> scores) {
        Index next = bin - (-query - first) % bin;  // where the next bin begins
        Index i = (-query - first) / bin;
        for (Index k = 0; k < std::ssize(scores); ++i) {
            const Index end = std::min<Index>(std::ssize(scores), next);
            count[i] += to_double(end - k);
            for (; k < end; ++k) {
                const double score = scores[k];
                sum[i] += score;
                squares[i] += score * score;
            }
            next += bin;
        }
    }
    void finish(HeadMap& map) const {
        map.first_distance = first;
        map.bin = bin;
        for (std::size_t i = 0; i < count.size(); ++i) {
            const double all = std::max(count[i], 1.0);
            const double mean = sum[i] / all;
            map.mean_score.push_back(mean);
            map.deviation.push_back(std::sqrt(std::max(0.0, squares[i] / all - mean * mean)));
        }
    }
    Index first, bin;
    std::vector<double> count, sum, squares;
};

/// Means of `block` rows each, [cells, head_dim], summed in double.
std::vector<float> block_means(const TraceTensor& x, Index head, const HeadMap& map) {
    const Index length = x.shape[2], head_dim = x.shape[3];
    const float* rows = x.values().data() + head * length * head_dim;
    std::vector<float> means;
    for (Index first = 0; first < length; first += map.block) {
        const Index count = std::min(map.block, length - first);
        for (Index channel = 0; channel < head_dim; ++channel) {
            double sum = 0.0;
            for (Index row = first; row < first + count; ++row) {
                sum += rows[row * head_dim + channel];
            }
            means.push_back(to_float(sum / to_double(count)));
        }
    }
    return means;
}

std::vector<float> mean_scores(const LayerTrace& layer, Index head, const HeadMap& map) {
    const Index head_dim = layer.k_rot.shape[3];
    const std::vector<float> q = block_means(layer.q_rot, head, map);
    const std::vector<float> k = block_means(layer.k_rot, head, map);
    std::vector<float> scores(map.cells * map.cells);
    sgemm(score_scale(head_dim), {q.data(), map.cells, head_dim, head_dim},
          {k.data(), map.cells, head_dim, head_dim}, Factor::transposed,
          {scores.data(), map.cells, map.cells, map.cells});
    return scores;
}

}  // namespace

LayerTrace with_every_nth_query(const LayerTrace& layer, Index step) {
    const auto thinned = [step](const TraceTensor& tensor, Index width) {
        const Index heads = tensor.shape[1], queries = tensor.shape[2];
        const auto kept = std::make_shared<std::vector<float>>();
        for (Index h = 0; h < heads; ++h) {
            for (Index q = 0; q < queries; q += step) {
                const auto row = tensor.values().begin() + (h * queries + q) * width;
                kept->insert(kept->end(), row, row + width);
            }
        }
        TraceTensor result{tensor.shape, {kept, *kept}};
        result.shape[2] = (queries + step - 1) / step;
        return result;
    };
    LayerTrace result;
    result.q_rot = thinned(layer.q_rot, layer.q_rot.shape[3]);
    result.k_rot = layer.k_rot;
    result.log_sums = thinned(layer.log_sums, 1);
    return result;
}

HeadMap head_map(const LayerTrace& layer, Index head, const MapDetail& detail) {
    const Index length = layer.k_rot.shape[2];
    HeadMap map;
    map.block = (length + detail.most_cells - 1) / detail.most_cells;
    map.cells = (length + map.block - 1) / map.block;
    map.scores = mean_scores(layer, head, map);
    ScoreRows rows(layer, head, detail.query_step);
    const Index seen = detail.seen_keys.value_or(length);
    map.probs.resize(map.scores.size());
    DistanceSums distances(length, 4 * detail.most_cells);
    over_rows(rows.rows, [&](Index first, Index count) {
        rows.compute(first, count);
        for (Index r = first; r < first + count; ++r) {
            const Index query = r * detail.query_step;
            const float* row = rows.row(r);
            float* line = map.probs.data() + query / map.block * map.cells;
            for (Index k = 0; k < seen; k += map.block) {
                // e^x keeps the order: the largest score of the cell has the largest probability.
                const float most = *std::max_element(row + k, row + std::min(seen, k + map.block));
                line[k / map.block] = std::max(line[k / map.block], rows.prob(r, most));
            }
            distances.add_row(query, std::span(row, length));
        }
    });
    distances.finish(map);
    return map;
}

MapChange largest_change(const LayerTrace& a, const LayerTrace& b, Index head,
                         std::optional<Index> seen_keys) {
    ScoreRows first(a, head, 1);
    ScoreRows second(b, head, 1);
    const Index seen = seen_keys.value_or(first.keys);
    float score = 0.0F;
    float prob = 0.0F;
    over_rows(first.rows, [&](Index begin, Index count) {
        first.compute(begin, count);
        second.compute(begin, count);
        for (Index r = begin; r < begin + count; ++r) {
            for (Index k = 0; k < first.keys; ++k) {
                const float x = first.row(r)[k];
                const float y = second.row(r)[k];
                score = std::max(score, std::abs(x - y));
                if (k < seen) {
                    prob = std::max(prob, std::abs(first.prob(r, x) - second.prob(r, y)));
                }
            }
        }
    });
    return {score, prob};
}

// Measures how an attention head divides its probability, and names what stands out.

namespace {

constexpr double kStandsOut = 0.25;  ///< of the way from a uniform head to a pure one
constexpr double kExplained = 0.5;

/// Adjusted R^2 of "the probability depends on key - query alone".
double explained_by_distance(std::span<const float> probs, Index tokens, Index seen) {
    if (seen < 2) {
        return 0;
    }
    std::vector<double> sum(2 * seen - 1);
    double all = 0;
    for (Index query = 0; query < seen; ++query) {
        for (Index key = 0; key < seen; ++key) {
            const double prob = probs[query * tokens + key];
            sum[key - query + seen - 1] += prob;
            all += prob;
        }
    }
    const double count = to_double(seen * seen), mean = all / count;
    double total = 0, left = 0;
    for (Index query = 0; query < seen; ++query) {
        for (Index key = 0; key < seen; ++key) {
            const Index distance = key - query;
            const double prob = probs[query * tokens + key];
            const double expected = sum[distance + seen - 1] / to_double(seen - std::abs(distance));
            total += (prob - mean) * (prob - mean);
            left += (prob - expected) * (prob - expected);
        }
    }
    // fp32 probabilities of a uniform head differ from each other by rounding alone.
    const double rounding = count * 0x1p-46 * mean * mean;
    if (total <= rounding) {
        return 0;
    }
    const double spare = count - to_double(2 * seen - 1);
    return std::max(0.0, 1 - left / spare / (total / (count - 1)));
}

double mean_over_queries(double sum, Index queries) {
    return queries > 0 ? sum / to_double(queries) : 0;
}

/// What a head that looks at all keys alike gives to the role.
double uniform_share(HeadRole role, const RoleTokens& tokens) {
    const double seen = to_double(tokens.seen);
    if (role == HeadRole::delimiter) {
        return to_double(std::count(tokens.delimiter.begin(),
                                    tokens.delimiter.begin() + tokens.seen, true)) /
               seen;
    }
    if (role != HeadRole::same_token) {
        return 1 / seen;
    }
    double equal = 0;
    for (Index query = 0; query < tokens.seen; ++query) {
        equal += to_double(
            std::count(tokens.ids.begin(), tokens.ids.begin() + tokens.seen, tokens.ids[query]));
    }
    return equal / (seen * seen);
}

}  // namespace

double RoleShares::of(HeadRole role) const {
    switch (role) {
        case HeadRole::previous:
            return previous;
        case HeadRole::next:
            return next;
        case HeadRole::same_token:
            return same_token;
        case HeadRole::delimiter:
            return delimiter;
        case HeadRole::first_token:
            return first_token;
        case HeadRole::by_distance:
            return by_distance;
        case HeadRole::mixed:
            break;
    }
    return 0;
}

RoleShares role_shares(std::span<const float> probs, const RoleTokens& tokens) {
    const Index count = std::ssize(tokens.ids), seen = tokens.seen;
    RoleShares shares;
    for (Index query = 0; query < seen; ++query) {
        const std::span<const float> row = probs.subspan(query * count, seen);
        shares.previous += query > 0 ? row[query - 1] : 0;
        shares.next += query + 1 < seen ? row[query + 1] : 0;
        shares.first_token += row[0];
        for (Index key = 0; key < seen; ++key) {
            shares.same_token += tokens.ids[key] == tokens.ids[query] ? row[key] : 0;
            shares.delimiter += tokens.delimiter[key] ? row[key] : 0;
        }
    }
    shares.previous = mean_over_queries(shares.previous, seen - 1);
    shares.next = mean_over_queries(shares.next, seen - 1);
    shares.same_token = mean_over_queries(shares.same_token, seen);
    shares.delimiter = mean_over_queries(shares.delimiter, seen);
    shares.first_token = mean_over_queries(shares.first_token, seen);
    shares.by_distance = explained_by_distance(probs, count, seen);
    return shares;
}

LabelledRole label_head(const RoleShares& shares, const RoleTokens& tokens) {
    LabelledRole best;
    double farthest = 0;
    for (const HeadRole role : {HeadRole::previous, HeadRole::next, HeadRole::same_token,
                                HeadRole::delimiter, HeadRole::first_token}) {
        const double uniform = uniform_share(role, tokens);
        const double way = uniform < 1 ? (shares.of(role) - uniform) / (1 - uniform) : 0;
        if (way >= kStandsOut && way > farthest) {
            best = {role, shares.of(role)};
            farthest = way;
        }
    }
    if (best.role == HeadRole::mixed && shares.by_distance >= kExplained) {
        best = {HeadRole::by_distance, shares.by_distance};
    }
    return best;
}

}  // namespace ropescope
