#include "core/encoder/attention_maps.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/sgemm.h"

namespace ropescope {
namespace {

/// The scores of a head, a few rows at a time.
class ScoreRows {
  public:
    static constexpr std::int64_t kRows = 64;

    ScoreRows(const LayerTrace& layer, std::int64_t head)
        : positions(layer.q_rot.shape[2]),
          head_dim_(layer.q_rot.shape[3]),
          q_(layer.q_rot.values().data() + head * positions * head_dim_),
          k_(layer.k_rot.values().data() + head * positions * head_dim_),
          log_sums_(layer.log_sums.values().data() + head * positions),
          buffer_(static_cast<std::size_t>(std::min(kRows, positions) * positions)) {}

    /// Rows first .. first + count - 1.
    void compute(std::int64_t first, std::int64_t count) {
        first_ = first;
        const float scale = 1.0F / std::sqrt(static_cast<float>(head_dim_));
        sgemm(scale, {q_ + first * head_dim_, count, head_dim_, head_dim_},
              {k_, positions, head_dim_, head_dim_}, Factor::transposed,
              {buffer_.data(), count, positions, positions});
    }
    const float* row(std::int64_t query) const {
        return buffer_.data() + (query - first_) * positions;
    }
    float prob(std::int64_t query, float score) const { return std::exp(score - log_sums_[query]); }

    std::int64_t positions;

  private:
    std::int64_t head_dim_;
    const float* q_;
    const float* k_;
    const float* log_sums_;
    std::vector<float> buffer_;
    std::int64_t first_ = 0;
};

template <typename Row>
void over_rows(std::int64_t positions, const Row& compute_and_use) {
    for (std::int64_t first = 0; first < positions; first += ScoreRows::kRows) {
        compute_and_use(first, std::min(ScoreRows::kRows, positions - first));
    }
}

/// Sums by distance; turned into mean and deviation at the end.
struct DistanceSums {
    explicit DistanceSums(std::int64_t positions, std::int64_t most_bins)
        : first(1 - positions), bin((2 * positions - 1 + most_bins - 1) / most_bins) {
        const auto bins = static_cast<std::size_t>((2 * positions - 1 + bin - 1) / bin);
        count.resize(bins);
        sum.resize(bins);
        squares.resize(bins);
    }
    void add(std::int64_t distance, double score) {
        const auto i = static_cast<std::size_t>((distance - first) / bin);
        count[i] += 1.0;
        sum[i] += score;
        squares[i] += score * score;
    }
    void finish(HeadMap& map) const {
        map.first_distance = first;
        map.bin = bin;
        for (std::size_t i = 0; i < count.size(); ++i) {
            const double mean = sum[i] / count[i];
            map.mean_score.push_back(mean);
            map.deviation.push_back(std::sqrt(std::max(0.0, squares[i] / count[i] - mean * mean)));
        }
    }
    std::int64_t first, bin;
    std::vector<double> count, sum, squares;
};

}  // namespace

HeadMap head_map(const LayerTrace& layer, std::int64_t head, std::int64_t most_cells) {
    ScoreRows rows(layer, head);
    const std::int64_t length = rows.positions;
    HeadMap map;
    map.block = (length + most_cells - 1) / most_cells;
    map.cells = (length + map.block - 1) / map.block;
    std::vector<double> sums(static_cast<std::size_t>(map.cells * map.cells));
    map.probs.resize(sums.size());
    DistanceSums distances(length, 4 * most_cells);
    over_rows(length, [&](std::int64_t first, std::int64_t count) {
        rows.compute(first, count);
        for (std::int64_t q = first; q < first + count; ++q) {
            const float* row = rows.row(q);
            const std::int64_t line = q / map.block * map.cells;
            for (std::int64_t k = 0; k < length; ++k) {
                const auto cell = static_cast<std::size_t>(line + k / map.block);
                sums[cell] += static_cast<double>(row[k]);
                map.probs[cell] = std::max(map.probs[cell], rows.prob(q, row[k]));
                distances.add(k - q, static_cast<double>(row[k]));
            }
        }
    });
    const auto side = [&](std::int64_t cell) {
        return static_cast<double>(std::min(map.block, length - cell * map.block));
    };
    for (std::int64_t r = 0; r < map.cells; ++r) {
        for (std::int64_t c = 0; c < map.cells; ++c) {
            const double sum = sums[static_cast<std::size_t>(r * map.cells + c)];
            map.scores.push_back(static_cast<float>(sum / (side(r) * side(c))));
        }
    }
    distances.finish(map);
    return map;
}

MapChange largest_change(const LayerTrace& a, const LayerTrace& b, std::int64_t head) {
    ScoreRows first(a, head);
    ScoreRows second(b, head);
    float score = 0.0F;
    float prob = 0.0F;
    over_rows(first.positions, [&](std::int64_t begin, std::int64_t count) {
        first.compute(begin, count);
        second.compute(begin, count);
        for (std::int64_t q = begin; q < begin + count; ++q) {
            for (std::int64_t k = 0; k < first.positions; ++k) {
                const float x = first.row(q)[k];
                const float y = second.row(q)[k];
                score = std::max(score, std::abs(x - y));
                prob = std::max(prob, std::abs(first.prob(q, x) - second.prob(q, y)));
            }
        }
    });
    return {static_cast<double>(score), static_cast<double>(prob)};
}

}  // namespace ropescope
