// Compares position ids of somebody's making with right ones, and names the fault.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/positions/fault_pairs.h"
#include "core/positions/id_faults.h"

namespace ropescope {

/// The first token, row after row, that has another id, and the axis of that id.
struct IdDifference {
    Index b = 0, token = 0, axis = 0;
    Index expected = 0, found = 0;
    TokenOrigin origin = {};
};

/// A delta that is another, when all ids are right.
struct DeltaDifference {
    Index b = 0, expected = 0, found = 0;
};

/// A fault that makes the given ids, and how.
struct IdFinding {
    const IdFault* fault = nullptr;
    std::string_view how;
};

struct IdVerdict {
    std::optional<IdDifference> first = {};
    std::optional<DeltaDifference> delta = {};
    Index differing = 0;                   ///< tokens
    Index tokens = 0;                      ///< that were compared: all but padding
    std::vector<IdFinding> findings = {};  ///< one for each fault that makes exactly these ids
    /// Two at once, if no single fault makes these ids.
    std::vector<FaultPair> pairs = {};
    /// Faults that the layout has something to do with, and which make the right ids all the same.
    std::vector<const IdFault*> unseen = {};
    bool padding_differs = false;  ///< which nothing attends to

    bool right() const { return !first && !delta; }
};

/// Judges ids of the plan's shape. Ids of padding do not count. The deltas count if `given` has
/// some.
IdVerdict judge_ids(const IdPlan& right, const MultimodalIds& given);

/// "no images or videos, decode steps": what the layout lacks, so that faults of it cannot be seen.
/// Empty if it has all.
std::string missing_kinds(const IdPlan& plan);

}  // namespace ropescope
