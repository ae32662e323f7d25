// Finds the distance at which the sum of cosines first falls below zero, and the bases that allow
// a length.
#include "core/analysis/base_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/analysis/decay.h"
#include "core/analysis/turns.h"
#include "core/base/multiversion.h"
#include "core/base/parallel.h"

namespace ropescope {
namespace {

// Distances in blocks of 16 blocks of 16 blocks of 16.
constexpr Index kBlockFan = 16;
constexpr int kBlockLevels = 3;
constexpr std::array<Index, kBlockLevels + 1> kBlockSizes = {4096, 256, 16, 1};

/// How far the ends of a block lie from its centre, in angles.
struct Reach {
    /// [pairs]: cos and sin of that angle. A pair whose cosine at the centre is below `least` may
    /// come to the angle pi within the block.
    std::vector<double> cos, sin, least;
};

/// Turns `from` by `by`, and returns a lower bound of the sum of cosines within the reach: no angle
/// of pair i is further from zero than |x_i| + r_i, and cos falls from 0 to pi. All entries are
/// within 58 units of 2^-53: 10 of each reduced angle and 6 for each of three additions.
ROPESCOPE_MULTIVERSION
double turned_and_bounded(const Turn& from, const Turn& by, const Reach& reach, Turn& to) {
    const Index pairs = std::ssize(from.cos);
    const double* from_cos = from.cos.data();
    const double* from_sin = from.sin.data();
    const double* by_cos = by.cos.data();
    const double* by_sin = by.sin.data();
    const double* reach_cos = reach.cos.data();
    const double* reach_sin = reach.sin.data();
    const double* least = reach.least.data();
    double* to_cos = to.cos.data();
    double* to_sin = to.sin.data();
    ROPESCOPE_INDEPENDENT_ITERATIONS
    for (Index i = 0; i < pairs; ++i) {
        to_cos[i] = from_cos[i] * by_cos[i] - from_sin[i] * by_sin[i];
        to_sin[i] = from_sin[i] * by_cos[i] + from_cos[i] * by_sin[i];
    }
    // Eight sums, so that a vector unit can add; the bound on the error holds for any order.
    std::array<double, 8> sums = {};
    const auto lowest = [&](Index i) {
        const double bound = to_cos[i] * reach_cos[i] - std::abs(to_sin[i]) * reach_sin[i];
        return to_cos[i] < least[i] ? -1.0 : bound;
    };
    Index i = 0;
    for (; i + 8 <= pairs; i += 8) {
        for (Index j = 0; j < 8; ++j) {
            sums[j] += lowest(i + j);
        }
    }
    for (; i < pairs; ++i) {
        sums[0] += lowest(i);
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

class Search {
  public:
    Search(const Spectrum& spectrum, Index still)
        : spectrum_(spectrum), still_(to_double(still)), still_turn_(turn_of_halves(0)) {
        for (int level = 0; level <= kBlockLevels; ++level) {
            reaches_[level] = reach_of(kBlockSizes[level]);
            here_[level] = still_turn_;
            for (Index child = 0; level > 0 && child < kBlockFan; ++child) {
                offsets_[level].push_back(
                    child < kBlockFan / 2
                        ? turn_of_halves((2 * child - kBlockFan + 1) * kBlockSizes[level])
                        : turned_back(offsets_[level][kBlockFan - 1 - child]));
            }
        }
    }

    std::optional<Index> first(Index last) {
        last_ = last;
        for (Index begin = 0; begin <= last; begin += kBlockSizes[0]) {
            const Turn centre = turn_of_halves(2 * begin + kBlockSizes[0] - 1);
            if (const auto found = within(0, begin, centre, still_turn_); found) {
                return found;
            }
        }
        return std::nullopt;
    }

  private:
    /// cos and sin at halves / 2 positions.
    Turn turn_of_halves(Index halves) const {
        Turn turn;
        for (const double inv_freq : spectrum_.inv_freq_rad) {
            const double angle_rad = reduced_angle_rad(halves, inv_freq / 2);
            turn.cos.push_back(std::cos(angle_rad));
            turn.sin.push_back(std::sin(angle_rad));
        }
        return turn;
    }

    static Turn turned_back(Turn turn) {
        for (double& sin : turn.sin) {
            sin = -sin;
        }
        return turn;
    }

    Reach reach_of(Index block) const {
        Reach reach;
        for (const double inv_freq : spectrum_.inv_freq_rad) {
            const double angle_rad = std::abs(inv_freq) * to_double(block - 1) / 2;
            const bool all_round = angle_rad >= std::numbers::pi;
            reach.cos.push_back(std::cos(angle_rad));
            reach.sin.push_back(std::sin(angle_rad));
            // |x| <= pi - r where cos x >= -cos r. All cosines are above -2 and below 2; of a
            // single distance none is left out.
            reach.least.push_back(block == 1 ? -2.0 : all_round ? 2.0 : -reach.cos.back());
        }
        return reach;
    }

    /// Whether B is below zero at the distance, without doubt of rounding.
    bool is_negative(Index distance) const {
        return decay_at(spectrum_, distance).cosine_sum + still_ < -decay_error(spectrum_);
    }

    /// The first in the block of this level whose centre is `by` from `from`.
    std::optional<Index> within(int level, Index begin, const Turn& from, const Turn& by) {
        // A bound below this may be wrong about the sign: 60 units for an entry and one for each of
        // P additions of numbers up to P, times three for the bound's own products.
        const double pairs = to_double(spectrum_.pairs());
        const double doubt = 3 * (60 + pairs) * (pairs + still_) * 0x1p-53;
        Turn& here = here_[level];
        if (turned_and_bounded(from, by, reaches_[level], here) + still_ > doubt) {
            return std::nullopt;
        }
        if (level == kBlockLevels) {
            return is_negative(begin) ? std::optional(begin) : std::nullopt;
        }
        for (Index child = 0; child < kBlockFan; ++child) {
            const Index first = begin + child * kBlockSizes[level + 1];
            if (first > last_) {
                return std::nullopt;
            }
            if (const auto found = within(level + 1, first, here, offsets_[level + 1][child]);
                found) {
                return found;
            }
        }
        return std::nullopt;
    }

    const Spectrum& spectrum_;
    double still_;
    Index last_ = 0;
    Turn still_turn_;
    std::array<Reach, kBlockLevels + 1> reaches_ = {};
    std::array<Turn, kBlockLevels + 1> here_ = {};  ///< the centre of the block under way
    std::array<std::vector<Turn>, kBlockLevels + 1> offsets_ = {};
};

Spectrum plain_spectrum(Index rotary_dim, double base) {
    return make_spectrum({.head_dim = rotary_dim, .rotary_dim = rotary_dim, .base = base});
}

}  // namespace

std::optional<Index> first_negative_distance(const Spectrum& spectrum, Index last, Index still) {
    require_one_axis(spectrum);
    return Search(spectrum, still).first(last);
}

std::vector<std::optional<Index>> first_negative_distances(Index rotary_dim,
                                                           std::span<const double> bases,
                                                           Index last) {
    std::vector<std::optional<Index>> found(bases.size());
    // Larger bases take longer, so neighbours go to different threads.
    const int threads = default_threads();
    parallel_for(threads, 1, threads, [&](Index begin, Index end) {
        for (Index part = begin; part < end; ++part) {
            for (Index i = part; i < std::ssize(bases); i += threads) {
                found[i] = first_negative_distance(plain_spectrum(rotary_dim, bases[i]), last);
            }
        }
    });
    return found;
}

std::vector<double> bases_between(double low, double high, double ratio) {
    const auto count = static_cast<Index>(std::ceil(std::log(high / low) / std::log(ratio)));
    std::vector<double> bases;
    for (Index i = 0; i <= count; ++i) {
        bases.push_back(low * std::pow(ratio, to_double(i)));
    }
    return bases;
}

WorkingBases working_bases(std::span<const double> bases,
                           std::span<const std::optional<Index>> first_negative, Index length) {
    WorkingBases found{.length = length};
    bool before = false;
    for (std::size_t i = 0; i < bases.size(); ++i) {
        const bool works = !first_negative[i] || *first_negative[i] > length;
        if (works && !before) {
            found.ranges.push_back({bases[i], bases[i]});
        } else if (works) {
            found.ranges.back().most = bases[i];
        }
        before = works;
    }
    found.open_end = before;
    if (before) {
        found.all_from = found.ranges.back().least;
    }
    return found;
}

WorkingBases find_working_bases(Index rotary_dim, Index length) {
    // A part after the other, until the bases reach far enough beyond the first that works.
    constexpr double kPart = 8, kBeyond = 64;
    std::vector<double> bases;
    std::vector<std::optional<Index>> first_negative;
    WorkingBases found;
    for (double low = 2; low < kLargestBase; low *= kPart) {
        for (const double base : bases_between(low, low * kPart, kBaseStep)) {
            if (base < low * kPart) {
                bases.push_back(base);
            }
        }
        const auto more = first_negative_distances(
            rotary_dim, std::span(bases).subspan(first_negative.size()), length);
        first_negative.insert(first_negative.end(), more.begin(), more.end());
        found = working_bases(bases, first_negative, length);
        if (found.ranges.empty() || bases.back() < kBeyond * found.ranges.front().least) {
            continue;
        }
        break;
    }
    return found;
}

double paper_base(double length) {
    return 0.0424 * std::pow(length, 1.628);
}

}  // namespace ropescope
