// Faults in position ids that implementations really had, each as a way to make the same ids.
// Sources: id_faults.cpp, block_faults.cpp, time_faults.cpp, batch_faults.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/positions/layout_ids.h"

namespace ropescope {

/// One way to make a fault: changes one thing about the plan whose ids are right. Nothing if the
/// layout has nothing that this could concern.
struct IdVariation {
    std::string_view how;  ///< a sentence about the ids
    std::optional<MultimodalIds> (*make)(const IdPlan& right);
};

struct IdFault {
    std::string_view code;      ///< "ids.axes_swapped"
    std::string_view shown_by;  ///< what of a layout makes the ids differ from right ones
    bool (*concerns)(const IdPlan& right);  ///< whether the layout has what the fault is about
    std::vector<IdVariation> variations;
};

/// All of them, in the order in which they are named.
const std::vector<IdFault>& id_faults();
/// Null if there is none of that code.
const IdFault* find_id_fault(std::string_view code);

/// The parts of the list.
std::vector<IdFault> block_faults();
std::vector<IdFault> time_faults();
std::vector<IdFault> batch_faults();

/// What a layout has.
bool has_blocks(const IdPlan& plan);
/// A block of more than one frame.
bool has_videos(const IdPlan& plan);
bool has_padding(const IdPlan& plan);
/// Tokens of all rows together, without padding.
Index tokens_of_rows(const IdPlan& plan);

/// The ids of the plan after `change(plan)`. A length that the file states no longer counts.
template <typename Change>
MultimodalIds changed_ids(IdPlan plan, Change change) {
    plan.layout.length.reset();
    change(plan);
    return layout_ids(plan);
}

}  // namespace ropescope
