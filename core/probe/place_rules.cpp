// Finds the rule by which an implementation keeps positions.
#include <algorithm>

#include "core/faults/codes.h"
#include "core/faults/rotation/near_faults.h"
#include "core/probe/phrases.h"
#include "core/probe/side_question.h"

namespace ropescope::probe {
namespace {

using diagnosis::Finding;
using faults::RotationPlan;
using faults::StorageRule;
namespace say = diagnosis::say;

RotationPlan kept_by(const StorageRule& rule, RotationPlan plan) {
    std::ranges::transform(plan.positions, plan.positions.begin(), rule.kept);
    return plan;
}

/// The answers in the dtype of this one that the rule gives.
Index given_by(const StorageRule& rule, const SideQuestion& side) {
    return std::ranges::count_if(side.asked.all, [&](const Reply* reply) {
        const RotationPlan plan =
            plan_of_side(side.asked.subject, *reply->request, side.of_keys, side.behaviour());
        return reply->request->dtype == side.request().dtype &&
               difference_from(*reply, side.of_keys, kept_by(rule, plan), side.behaviour().table)
                   .none();
    });
}

/// The first token that the rule moves, as a place among the positions of an axis.
std::size_t first_moved(const RotationPlan& right, const RotationPlan& kept) {
    return static_cast<std::size_t>(std::ranges::mismatch(right.positions, kept.positions).in1 -
                                    right.positions.begin());
}

diagnosis::Words words_of(const StorageRule& rule, const RotationPlan& right,
                          const RotationPlan& kept) {
    const std::size_t at = first_moved(right, kept);
    if (rule.code == faults::code("positions.clamped")) {
        return {say::kClamped, {kept.positions[at], kept.positions[at] + 1.0}};
    }
    if (rule.code == faults::code("positions.low_precision")) {
        const bool wide = rule.kept(257.0) == 257.0;  // bfloat16 has no 257
        const Index token = static_cast<Index>(at) % right.shape.length;
        return {say::kCoarsePositions,
                {std::string(wide ? "float16" : "bfloat16"), token, kept.positions[at],
                 right.positions[at]}};
    }
    return {say::kInThisCall, {rule.text}};
}

}  // namespace

std::optional<Finding> ruled_positions(const SideQuestion& side) {
    const StorageRule* best = nullptr;
    Index most = 0;
    for (const StorageRule& rule : faults::storage_rules()) {
        const RotationPlan kept = kept_by(rule, side.plan);
        if (kept.positions == side.plan.positions ||
            !difference_from(side.asked.reply, side.of_keys, kept, side.behaviour().table).none()) {
            continue;
        }
        const Index given = given_by(rule, side);
        if (given > most) {
            most = given;
            best = &rule;
        }
    }
    if (best == nullptr) {
        return std::nullopt;
    }
    const RotationPlan kept = kept_by(*best, side.plan);
    const std::size_t at = first_moved(side.plan, kept);
    Finding finding = side.fault(best->code, words_of(*best, side.plan, kept));
    finding.measured = kept.positions[at];
    finding.expected = side.plan.positions[at];
    return finding;
}

}  // namespace ropescope::probe
