// Lists the faults, and says what of a layout they are about.
#include "core/positions/id_faults.h"

#include <algorithm>

namespace ropescope {
namespace {

template <typename Wanted>
bool any_segment(const IdPlan& plan, Wanted wanted) {
    return std::ranges::any_of(plan.layout.rows, [&](const std::vector<Segment>& row) {
        return std::ranges::any_of(row, wanted);
    });
}

std::vector<IdFault> all_faults() {
    std::vector<IdFault> all;
    for (auto* const part : {&block_faults, &time_faults, &batch_faults}) {
        std::ranges::move(part(), std::back_inserter(all));
    }
    return all;
}

}  // namespace

const std::vector<IdFault>& id_faults() {
    static const std::vector<IdFault> list = all_faults();
    return list;
}

const IdFault* find_id_fault(std::string_view code) {
    const auto found = std::ranges::find(id_faults(), code, &IdFault::code);
    return found == id_faults().end() ? nullptr : &*found;
}

bool has_blocks(const IdPlan& plan) {
    return any_segment(plan,
                       [](const Segment& segment) { return segment.kind != SegmentKind::text; });
}

bool has_videos(const IdPlan& plan) {
    return any_segment(plan, [](const Segment& segment) {
        return segment.kind != SegmentKind::text && segment.grid.frames > 1;
    });
}

bool has_padding(const IdPlan& plan) {
    const Index first = own_tokens(plan, 0);
    for (Index row = 1; !plan.layout.packed && row < std::ssize(plan.layout.rows); ++row) {
        if (own_tokens(plan, row) != first) {
            return true;
        }
    }
    return false;
}

}  // namespace ropescope
