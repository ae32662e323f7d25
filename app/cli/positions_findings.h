// What `ropescope positions --check` says about faults, of sequences and of grids alike.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/positions/fault_pairs.h"

namespace ropescope::cli {

/// A fault that the layout has something to do with and cannot show.
struct UnseenFault {
    std::string_view code, shown_by;
};

struct Findings {
    std::string_view numbers = "ids";  ///< what was judged: "ids" or "positions"
    std::vector<NamedFault> single = {};
    std::vector<FaultPair> pairs = {};
    Index tokens = 0;                        ///< of the layout
    Index most_tokens = kMostTokensOfPairs;  ///< in which two faults at once are looked for
    std::vector<UnseenFault> unseen = {};
};

/// A line for each fault, or for two that make the numbers together.
std::string findings_text(const Findings& findings);
/// "this layout cannot show ids.x; it takes ..." for each.
std::string unseen_text(const Findings& findings);

/// [{code, text}], with `together_with` for one of two faults.
nlohmann::ordered_json findings_json(const Findings& findings);
/// [{code, shown_by}].
nlohmann::ordered_json unseen_json(const Findings& findings);

}  // namespace ropescope::cli
