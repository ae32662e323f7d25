// Lists the faults, and says what of a layout they are about.
#include "core/positions/id_faults.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/memo.h"

namespace ropescope {
namespace {

std::vector<IdFault> all_faults() {
    std::vector<IdFault> all;
    for (auto* const part :
         {&block_faults, &time_faults, &batch_faults, &sound_faults, &image_number_faults}) {
        std::ranges::move(part(), std::back_inserter(all));
    }
    return all;
}

}  // namespace

const std::vector<IdFault>& id_faults() {
    return made_once([] { return all_faults(); });
}

const IdFault* find_id_fault(std::string_view code) {
    const auto found = std::ranges::find(id_faults(), code, &IdFault::code);
    return found == id_faults().end() ? nullptr : &*found;
}

bool has_blocks(const IdPlan& plan) {
    return any_segment(plan.layout,
                       [](const Segment& segment) { return segment.kind != SegmentKind::text; });
}

bool has_videos(const IdPlan& plan) {
    return any_segment(plan.layout, [&](const Segment& segment) {
        return segment.kind != SegmentKind::text && merged_grid(plan.rule, segment).frames > 1;
    });
}

Index tokens_of_rows(const IdPlan& plan) {
    Index tokens = 0;
    for (Index row = 0; row < std::ssize(plan.layout.rows); ++row) {
        tokens += own_tokens(plan, row);
    }
    return tokens;
}

bool has_padding(const IdPlan& plan) {
    if (plan.layout.packed) {
        return plan.layout.filled_length > tokens_of_rows(plan);
    }
    const Index first = own_tokens(plan, 0);
    for (Index row = 1; row < std::ssize(plan.layout.rows); ++row) {
        if (own_tokens(plan, row) != first) {
            return true;
        }
    }
    return false;
}

std::string missing_kinds(const IdPlan& plan) {
    std::vector<std::string_view> missing;
    const auto add = [&](bool there, std::string_view kind) {
        if (!there) {
            missing.push_back(kind);
        }
    };
    add(has_blocks(plan), "images or videos");
    add(!has_blocks(plan) || has_videos(plan) || plan.rule.axes() == 4, "videos of several frames");
    add(!plan.rule.is_omni() ||
            any_segment(plan.layout, [](const Segment& s) { return s.sound > 0; }),
        "videos with sound");
    add(has_padding(plan), "padding");
    add(plan.layout.packed, "packed documents");
    add(plan.layout.decode_steps > 0, "decode steps");
    add(plan.layout.chunk.has_value(), "chunk");
    add(plan.layout.shards.has_value(), "shards");
    add(!plan.layout.kept.empty(), "kept tokens");
    return fmt::format("{}", fmt::join(missing, ", "));
}

}  // namespace ropescope
