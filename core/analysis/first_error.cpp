// Searches for the first position at which a chain of roundings reaches an error.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/analysis/precision.h"
#include "core/analysis/turns.h"

namespace ropescope {
namespace {

/// fp16 underflows and overflows within the range of angles: no relative bound holds.
double angle_unit(NumberFormat format) {
    return format == NumberFormat::fp16 ? std::numeric_limits<double>::infinity()
                                        : unit_roundoff(format);
}

/// Position -> the pairs whose error can reach the level there for the first time, ascending. An
/// angle m theta (1 + e) moves cos and sin by at most m theta |e|, where e collects the roundings
/// of position, inv_freq and angle, and of ratio and angle for every step of a running product;
/// then come those of cos and sin themselves, which are at most 1. A hundredth on top covers the
/// products of the roundings, 1e-9 what underflows and the double precision of the reference.
std::vector<std::pair<double, Index>> begins(const PrecisionChain& chain, const Spectrum& truth,
                                             double level) {
    const double table =
        1.01 * (unit_roundoff(chain.evaluated) + unit_roundoff(chain.stored)) + 1e-9;
    std::vector<std::pair<double, Index>> pairs;
    for (Index i = 0; i < truth.pairs(); ++i) {
        const double steps = chain.running_product ? 2.0 * to_double(i) : 0.0;
        const double relative = angle_unit(chain.position) + angle_unit(chain.inv_freq) +
                                (1 + steps) * angle_unit(chain.angle);
        const double growth = 1.01 * relative * truth.inv_freq_rad[i];
        const bool anywhere = table >= level;
        const bool nowhere = !anywhere && growth == 0;
        if (!nowhere) {
            pairs.emplace_back(anywhere ? 1.0 : std::max(1.0, (level - table) / growth), i);
        }
    }
    std::ranges::sort(pairs);
    return pairs;
}

bool reaches(const ChainRow& row, const Turn& exact, double level) {
    for (std::size_t i = 0; i < row.cos.size(); ++i) {
        const bool below = std::abs(row.cos[i] - exact.cos[i]) < level &&
                           std::abs(row.sin[i] - exact.sin[i]) < level;
        if (!below) {  // or no number
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<Index> first_error(const PrecisionChain& chain, const Spectrum& truth,
                                 const FirstErrorSearch& search, Index& entries,
                                 const std::stop_token& stop) {
    const auto order = begins(chain, truth, search.level);
    if (order.empty() || order.front().first > to_double(search.last)) {
        return -1;
    }
    auto next = order.begin();
    Spectrum looked_at;  // up to the last pair that counts: a running product needs all before it
    ChainRow row;
    Turn exact;
    for (Index at = floor_to_index(next->first); at <= search.last; ++at) {
        for (; next != order.end() && next->first < to_double(at + 1); ++next) {
            for (Index i = looked_at.pairs(); i <= next->second; ++i) {
                looked_at.inv_freq_rad.push_back(truth.inv_freq_rad[i]);
            }
        }
        entries -= looked_at.pairs();
        if (entries < 0 || stop.stop_requested()) {
            return std::nullopt;
        }
        fill_chain_row(chain, looked_at, at, row);
        fill_turn(looked_at, at, exact);
        if (reaches(row, exact, search.level)) {
            return at;
        }
    }
    return -1;
}

}  // namespace ropescope
