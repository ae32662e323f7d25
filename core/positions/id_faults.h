// Faults in position ids that implementations really had, each as a way to make the same ids.
// Sources: id_faults.cpp, block_faults.cpp, time_faults.cpp, batch_faults.cpp, sound_faults.cpp,
// image_number_faults.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/positions/layout_ids.h"
#include "core/positions/position_fault.h"

namespace ropescope {

using IdVariation = PositionVariation<IdPlan>;
using IdFault = PositionFault<IdPlan>;

/// All of them, in the order in which they are named.
const std::vector<IdFault>& id_faults();
/// Null if there is none of that code.
const IdFault* find_id_fault(std::string_view code);

/// The parts of the list.
std::vector<IdFault> block_faults();
std::vector<IdFault> time_faults();
std::vector<IdFault> batch_faults();
std::vector<IdFault> sound_faults();
std::vector<IdFault> image_number_faults();

/// What a layout has.
bool has_blocks(const IdPlan& plan);
/// A block of more than one frame.
bool has_videos(const IdPlan& plan);
bool has_padding(const IdPlan& plan);
/// Tokens of all rows together, without padding.
Index tokens_of_rows(const IdPlan& plan);
/// "images or videos, decode steps": what the layout lacks, so that faults of it cannot be seen.
/// Empty if it has all.
std::string missing_kinds(const IdPlan& plan);

/// The ids of the plan after `change(plan)`. A length that the file states no longer counts.
template <typename Change>
MultimodalIds changed_ids(IdPlan plan, Change change) {
    plan.layout.length.reset();
    change(plan);
    return layout_ids(plan);
}

}  // namespace ropescope
