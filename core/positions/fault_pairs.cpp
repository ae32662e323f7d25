// Tries two faults at once, in both orders.
#include "core/positions/fault_pairs.h"

namespace ropescope {

std::vector<FaultPair> find_fault_pairs(
    const std::vector<VariationIndex>& visible,
    const std::function<bool(const VariationIndex& first, const VariationIndex& second)>& makes,
    const std::function<NamedFault(const VariationIndex&)>& name) {
    std::vector<FaultPair> pairs;
    const auto is_named = [&](const VariationIndex& one, const VariationIndex& other) {
        for (const FaultPair& pair : pairs) {
            if (pair.first.code == name(one).code && pair.second.code == name(other).code) {
                return true;
            }
        }
        return false;
    };
    for (std::size_t i = 0; i < visible.size(); ++i) {
        for (std::size_t j = i + 1; j < visible.size(); ++j) {
            const VariationIndex &one = visible[i], &other = visible[j];
            if (one.fault == other.fault || is_named(one, other) ||
                !(makes(one, other) || makes(other, one))) {
                continue;
            }
            pairs.push_back({name(one), name(other)});
            if (std::ssize(pairs) == kMostFaultPairs) {
                return pairs;
            }
        }
    }
    return pairs;
}

}  // namespace ropescope
