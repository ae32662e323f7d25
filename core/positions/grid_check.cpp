// Finds where positions differ from right ones, and which known fault makes the same.
#include "core/positions/grid_check.h"

#include <algorithm>
#include <cmath>

namespace ropescope {
namespace {

class Comparison {
  public:
    Comparison(const LayoutPositions& right, std::vector<double> tolerances)
        : right_(right), tolerances_(std::move(tolerances)) {}

    Index axes() const { return std::ssize(right_.axes); }
    bool turns(Index b, Index token) const {
        return right_.turns.empty() || right_.turns[b * right_.length + token];
    }
    /// The first axis on which a token differs; axes() if none.
    Index axis_of(const GridValues& one, const GridValues& other, Index b, Index token) const {
        for (Index axis = 0; axis < axes(); ++axis) {
            const Index i = (axis * right_.batch + b) * right_.length + token;
            if (std::abs(one[i] - other[i]) > tolerances_[axis]) {
                return axis;
            }
        }
        return axes();
    }
    bool equal(const GridValues& one, const GridValues& other) const {
        for (Index b = 0; b < right_.batch; ++b) {
            for (Index token = 0; token < right_.length; ++token) {
                if (turns(b, token) && axis_of(one, other, b, token) < axes()) {
                    return false;
                }
            }
        }
        return true;
    }
    GridVerdict verdict(const GridValues& given) const {
        GridVerdict verdict;
        for (Index b = 0; b < right_.batch; ++b) {
            for (Index token = 0; token < right_.length; ++token) {
                add(given, b, token, verdict);
            }
        }
        return verdict;
    }

  private:
    void add(const GridValues& given, Index b, Index token, GridVerdict& verdict) const {
        const Index axis = axis_of(right_.values, given, b, token);
        if (!turns(b, token)) {
            verdict.still_differ |= axis < axes();
            return;
        }
        ++verdict.tokens;
        if (axis == axes()) {
            return;
        }
        ++verdict.differing;
        if (!verdict.first) {
            const Index i = (axis * right_.batch + b) * right_.length + token;
            verdict.first =
                GridDifference{b, token, axis, right_.values[i], given[i], right_.origin(b, token)};
        }
    }

    const LayoutPositions& right_;
    std::vector<double> tolerances_;
};

/// The sentence of the first variation that makes the given positions.
std::optional<std::string> explained_by(const GridFault& fault, const GridPlan& right,
                                        const Comparison& comparison, const GridValues& given) {
    for (const GridVariation& variation : fault.variations) {
        if (comparison.equal(given, variation.make(right))) {
            return variation.how;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<double> position_tolerances(const LayoutPositions& right, double unit_roundoff) {
    // Sources make a coordinate with at most four operations, (i + 0.5) / n * 2 - 1, on numbers no
    // larger than the largest one plus 1, and the file rounds once more; the expected number has
    // been rounded in fp64, which is far less than a sixth such rounding.
    constexpr double kRoundings = 6.0;
    std::vector<double> tolerances;
    const Index each = right.batch * right.length;
    for (Index axis = 0; axis < std::ssize(right.axes); ++axis) {
        const auto begin = right.values.begin() + axis * each;
        const bool whole = std::all_of(begin, begin + each,
                                       [](double value) { return value == std::floor(value); });
        double largest = 0.0;
        std::for_each(begin, begin + each,
                      [&](double value) { largest = std::max(largest, std::abs(value)); });
        tolerances.push_back(whole ? 0.0 : kRoundings * unit_roundoff * (largest + 1.0));
    }
    return tolerances;
}

GridVerdict judge_positions(const GridPlan& right, const GridValues& given, double unit_roundoff) {
    const LayoutPositions positions = right.positions();
    const Comparison comparison(positions, position_tolerances(positions, unit_roundoff));
    GridVerdict verdict = comparison.verdict(given);
    for (const GridFault& fault : grid_faults(right)) {
        if (!verdict.right()) {
            if (auto how = explained_by(fault, right, comparison, given)) {
                verdict.findings.push_back({fault.code, std::move(*how)});
            }
        } else if (std::ranges::all_of(fault.variations, [&](const GridVariation& variation) {
                       return comparison.equal(positions.values, variation.make(right));
                   })) {
            verdict.unseen.push_back({fault.code, fault.shown_by});
        }
    }
    return verdict;
}

}  // namespace ropescope
