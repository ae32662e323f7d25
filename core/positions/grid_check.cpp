// Finds where positions differ from right ones, and which known fault makes the same.
#include "core/positions/grid_check.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

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

namespace {

std::vector<FaultPair> pairs_of_faults(const GridPlan& right, const std::vector<GridFault>& faults,
                                       const Comparison& comparison, const GridValues& of_right,
                                       const GridValues& given) {
    const auto variation = [&](const VariationIndex& at) -> const GridVariation& {
        return faults[at.fault].variations[at.variation];
    };
    std::vector<VariationIndex> visible;
    for (Index fault = 0; fault < std::ssize(faults); ++fault) {
        for (Index i = 0; i < std::ssize(faults[fault].variations); ++i) {
            if (!comparison.equal(of_right, variation({fault, i}).make(right))) {
                visible.push_back({fault, i});
            }
        }
    }
    const auto makes = [&](const VariationIndex& first, const VariationIndex& second) {
        GridPlan plan = right;
        plan.second = variation(second).make;
        try {
            const GridValues values = variation(first).make(plan);
            return values.size() == given.size() && comparison.equal(given, values);
        } catch (const InputError&) {
            return false;  // the first has made a layout that cannot be counted
        }
    };
    return find_fault_pairs(visible, makes, [&](const VariationIndex& at) {
        return NamedFault{faults[at.fault].code, variation(at).how};
    });
}

}  // namespace

GridVerdict judge_positions(const GridPlan& right, const GridValues& given, double unit_roundoff) {
    const LayoutPositions positions = right.positions();
    const Comparison comparison(positions, position_tolerances(positions, unit_roundoff));
    GridVerdict verdict = comparison.verdict(given);
    const std::vector<GridFault> faults = grid_faults(right);
    for (const GridFault& fault : faults) {
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
    if (!verdict.right() && verdict.findings.empty() &&
        positions.batch * positions.length <= kMostPatchesOfPairs) {
        verdict.pairs = pairs_of_faults(right, faults, comparison, positions.values, given);
    }
    return verdict;
}

}  // namespace ropescope
