// Finds where positions differ from right ones, and which known fault makes the same.
#include "core/positions/position_check.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace ropescope {

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

double number_at(const MultimodalIds& made, Index i) {
    return to_double(made.ids[i]);
}
double number_at(const LayoutPositions& made, Index i) {
    return made.values[i];
}

/// Compares positions of one layout. Tokens are numbered through [batch, length].
class PositionComparison {
  public:
    PositionComparison(LayoutPositions right, double unit_roundoff)
        : right_(std::move(right)), tolerances_(position_tolerances(right_, unit_roundoff)) {}

    Index tokens() const { return right_.batch * right_.length; }

    template <typename Made>
    bool is_right(const Made& made) const {
        return same(right_, made);
    }
    template <typename Made>
    bool gives(const Made& made, const Made& given) const {
        return same(given, made) && (given.deltas.empty() || given.deltas == made.deltas);
    }
    template <typename Made>
    PositionVerdict verdict(const Made& given) const {
        PositionVerdict verdict;
        for (Index token = 0; token < tokens(); ++token) {
            add(given, token, verdict);
        }
        for (Index b = 0; b < std::ssize(given.deltas) && !verdict.delta; ++b) {
            if (given.deltas[b] != right_.deltas[b]) {
                verdict.delta = DeltaDifference{b, right_.deltas[b], given.deltas[b]};
            }
        }
        if (verdict.first) {
            verdict.offsets = offsets(given);
        }
        return verdict;
    }

  private:
    /// By how much an axis is too large; empty if not by one number on all tokens that count.
    template <typename Made>
    std::optional<double> offset(const Made& given, Index axis) const {
        std::optional<double> found;
        for (Index token = 0; token < tokens(); ++token) {
            const Index i = axis * tokens() + token;
            const double more = number_at(given, i) - number_at(right_, i);
            if (counts(token) && std::abs(more - found.value_or(more)) > 2 * tolerances_[axis]) {
                return std::nullopt;
            }
            found = counts(token) && !found ? std::optional(more) : found;
        }
        return found;
    }
    template <typename Made>
    std::vector<double> offsets(const Made& given) const {
        std::vector<double> all;
        while (all.size() < tolerances_.size()) {
            const std::optional<double> one = offset(given, std::ssize(all));
            if (!one) {
                return {};
            }
            all.push_back(*one);
        }
        return all;
    }

    bool counts(Index token) const {
        return right_.origins[token].kind != TokenKind::padding &&
               (right_.turns.empty() || right_.turns[token]);
    }
    /// The first axis on which a token differs.
    template <typename One, typename Other>
    std::optional<Index> differing_axis(const One& one, const Other& other, Index token) const {
        for (Index axis = 0; axis < std::ssize(tolerances_); ++axis) {
            const Index i = axis * tokens() + token;
            if (std::abs(number_at(one, i) - number_at(other, i)) > tolerances_[axis]) {
                return axis;
            }
        }
        return std::nullopt;
    }
    template <typename One, typename Other>
    bool same(const One& one, const Other& other) const {
        if (one.batch != other.batch || one.length != other.length) {
            return false;
        }
        for (Index token = 0; token < tokens(); ++token) {
            if (counts(token) && differing_axis(one, other, token)) {
                return false;
            }
        }
        return true;
    }
    template <typename Made>
    void add(const Made& given, Index token, PositionVerdict& verdict) const {
        const std::optional<Index> axis = differing_axis(right_, given, token);
        if (!counts(token)) {
            verdict.others_differ |= axis.has_value();
            return;
        }
        ++verdict.tokens;
        if (!axis) {
            return;
        }
        ++verdict.differing;
        if (!verdict.first) {
            const Index i = *axis * tokens() + token;
            verdict.first = PositionDifference{
                token / right_.length, token % right_.length, *axis,
                number_at(right_, i),  number_at(given, i),   right_.origins[token]};
        }
    }

    LayoutPositions right_;
    std::vector<double> tolerances_;
};

/// A fault, and one of the ways to make it.
template <typename Plan>
struct WayToFail {
    const PositionFault<Plan>* fault;
    const PositionVariation<Plan>* variation;

    faults::NamedFault named() const { return {std::string(fault->code), variation->how}; }
};

/// The ways that change positions by themselves.
template <typename Plan>
std::vector<WayToFail<Plan>> visible_ways(const Plan& right,
                                          const std::vector<PositionFault<Plan>>& faults,
                                          const PositionComparison& comparison) {
    std::vector<WayToFail<Plan>> visible;
    for (const PositionFault<Plan>& fault : faults) {
        for (const PositionVariation<Plan>& variation : fault.variations) {
            const auto made = variation.make(right);
            if (made && !comparison.is_right(*made)) {
                visible.push_back({&fault, &variation});
            }
        }
    }
    return visible;
}

bool is_named(const std::vector<FaultPair>& pairs, std::string_view one, std::string_view other) {
    return std::ranges::any_of(pairs, [&](const FaultPair& pair) {
        return pair.first.code == one && pair.second.code == other;
    });
}

/// Two faults at once, in both orders: the second is done to what the first has changed.
template <typename Plan>
std::vector<FaultPair> pairs_of_faults(const Plan& right,
                                       const std::vector<PositionFault<Plan>>& faults,
                                       const PositionComparison& comparison,
                                       const typename Plan::Made& given) {
    const auto makes = [&](const WayToFail<Plan>& first, const WayToFail<Plan>& second) {
        Plan plan = right;
        plan.second = second.variation->make;
        try {
            const auto made = first.variation->make(plan);
            return made && comparison.gives(*made, given);
        } catch (const InputError&) {
            return false;  // the first has made a layout that cannot be counted
        }
    };
    const std::vector<WayToFail<Plan>> visible = visible_ways(right, faults, comparison);
    std::vector<FaultPair> pairs;
    for (auto one = visible.begin(); one != visible.end(); ++one) {
        for (auto other = one + 1; other != visible.end(); ++other) {
            if (one->fault == other->fault ||
                is_named(pairs, one->fault->code, other->fault->code) ||
                !(makes(*one, *other) || makes(*other, *one))) {
                continue;
            }
            pairs.push_back({one->named(), other->named()});
            if (std::ssize(pairs) == kMostFaultPairs) {
                return pairs;
            }
        }
    }
    return pairs;
}

/// Whether no variation changes a position, although the layout has what the fault is about.
template <typename Plan>
bool is_unseen(const PositionFault<Plan>& fault, const Plan& right,
               const PositionComparison& comparison) {
    if (fault.concerns != nullptr && !fault.concerns(right)) {
        return false;
    }
    return std::ranges::all_of(fault.variations, [&](const PositionVariation<Plan>& variation) {
        const auto made = variation.make(right);
        return !made || comparison.is_right(*made);
    });
}

template <typename Plan>
PositionVerdict judged(const Plan& right, const std::vector<PositionFault<Plan>>& faults,
                       const PositionComparison& comparison, const typename Plan::Made& given) {
    PositionVerdict verdict = comparison.verdict(given);
    for (const PositionFault<Plan>& fault : faults) {
        if (verdict.right()) {
            if (is_unseen(fault, right, comparison)) {
                verdict.unseen.push_back({fault.code, fault.shown_by});
            }
            continue;
        }
        const auto way = std::ranges::find_if(fault.variations, [&](const auto& variation) {
            const auto made = variation.make(right);
            return made && comparison.gives(*made, given);
        });
        if (way != fault.variations.end()) {
            verdict.findings.push_back({std::string(fault.code), way->how});
        }
    }
    if (!verdict.right() && verdict.findings.empty() &&
        comparison.tokens() <= Plan::kMostTokensOfPairs) {
        verdict.pairs = pairs_of_faults(right, faults, comparison, given);
    }
    return verdict;
}

}  // namespace

PositionVerdict judge_positions(const IdPlan& right, const MultimodalIds& given) {
    return judged(right, id_faults(), PositionComparison(id_positions(right), 0.0), given);
}

PositionVerdict judge_positions(const GridPlan& right, const LayoutPositions& given,
                                double unit_roundoff) {
    return judged(right, grid_faults(right), PositionComparison(right.positions(), unit_roundoff),
                  given);
}

}  // namespace ropescope
