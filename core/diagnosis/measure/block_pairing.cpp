// Cuts the channels into blocks that are half-split each.
#include <algorithm>
#include <limits>
#include <utility>

#include "core/diagnosis/measure/pair_samples.h"

namespace ropescope::diagnosis {
namespace {

/// Sums over the pairs (a, a + half), a < `end`: how badly they keep their lengths, and how many do
/// not at all.
class SumsOfPairs {
  public:
    SumsOfPairs(const PairSamples& samples, double gain2, double floor2, double limit)
        : channels_(samples.channels),
          error2_(channels_ / 2 * (channels_ + 1)),
          misfits_(error2_.size()) {
        for (Index half = 1; half <= channels_ / 2; ++half) {
            for (Index a = 0; a < channels_; ++a) {
                const bool inside = a + half < channels_;
                const double error =
                    inside ? length_error(samples, {a, a + half}, {a, a + half}, gain2) : 0.0;
                const std::size_t to = at(half, a + 1), from = at(half, a);
                error2_[to] = error2_[from] + std::max(error * error, floor2);
                misfits_[to] = misfits_[from] + (inside && error <= limit ? 0 : 1);
            }
        }
    }
    bool fit(Index half, Index begin) const {
        return misfits_[at(half, begin + half)] == misfits_[at(half, begin)];
    }
    double error2(Index half, Index begin) const {
        return error2_[at(half, begin + half)] - error2_[at(half, begin)];
    }

  private:
    std::size_t at(Index half, Index end) const { return (half - 1) * (channels_ + 1) + end; }

    Index channels_;
    std::vector<double> error2_;
    std::vector<Index> misfits_;
};

double squared_gain_of_rows(const PairSamples& samples) {
    double before = 0.0, after = 0.0;
    for (std::size_t i = 0; i < samples.x.size(); ++i) {
        before += samples.x[i] * samples.x[i];
        after += samples.y[i] * samples.y[i];
    }
    return before > 0.0 ? after / before : 1.0;
}

}  // namespace

std::optional<Candidate> block_pairing(const PairSamples& samples, const Changes& changes,
                                       const std::vector<bool>& strong, double rounding,
                                       double limit) {
    const Index n = samples.channels;
    constexpr Index kMost = 512;  // the search takes their square
    if (n > kMost) {
        return std::nullopt;
    }
    const double floor2 = rounding * rounding;
    const SumsOfPairs sums(samples, squared_gain_of_rows(samples), floor2, limit);
    struct Step {
        double cost = std::numeric_limits<double>::infinity();
        Index half = 0;  // of the block that begins here; 0: the channel stays
    };
    std::vector<Step> best(n + 1);
    best[n].cost = 0.0;
    for (Index s = n - 1; s >= 0; --s) {
        if (!strong[s]) {
            best[s].cost = best[s + 1].cost + 0.5 * std::max(changes.share[s], floor2);
        }
        for (Index half = 1; s + 2 * half <= n; ++half) {
            const double cost = sums.error2(half, s) + floor2 + best[s + 2 * half].cost;
            if (cost < best[s].cost && sums.fit(half, s)) {
                best[s] = {cost, half};
            }
        }
    }
    Candidate found{"other", n, {}, {}};
    for (Index s = 0; s < n; s += std::max<Index>(2 * best[s].half, 1)) {
        for (Index i = 0; i < best[s].half; ++i) {
            found.pairs.push_back({s + i, s + i + best[s].half});
        }
    }
    found.rotated = found.pairs;
    const bool fits = best.front().cost < std::numeric_limits<double>::infinity();
    return fits && !found.pairs.empty() ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace ropescope::diagnosis
