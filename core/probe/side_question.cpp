// Reads the angles off one side of an answer.
#include "core/probe/side_question.h"

#include <algorithm>

namespace ropescope::probe {
namespace {

using diagnosis::Explanation;
using faults::RotationPlan;

/// The pairing of a plan, as the analysis of angles takes it.
diagnosis::Pairing pairing_of(const RotationPlan& plan) {
    return {.kind = diagnosis::PairingKind::found,
            .layout = std::string(layout_name(plan.pairs)),
            .rotary_dim = 2 * std::ssize(plan.pairs),
            .pairs = plan.pairs,
            .rotated = plan.written,
            .touched_pairs = std::ssize(plan.pairs)};
}

}  // namespace

Explanation turns_of(const SideQuestion& side) {
    const diagnosis::DumpSide tensors = dump_side(side.asked.reply, side.of_keys);
    Explanation found{.side = side.side(),
                      .head_dim = tensors.before.channels,
                      .format = side.asked.reply.format,
                      .pairing = pairing_of(side.plan)};
    found.turns = recover_turns(tensors, found.pairing, found.format);
    const bool differ = found.turns.torn_token >= 0;
    if (differ && tensors.before.heads > 1) {
        found.heads_differ = true;
        found.heads = tensors.before.heads;
        found.turns = recover_turns(tensors, found.pairing, found.format, diagnosis::Heads::apart);
    }
    found.noise = diagnosis::noise_of_table(side.behaviour().table);
    for (Index row = 0; row < found.turns.rows; ++row) {
        for (Index t = 0; t < found.turns.length; ++t) {
            found.stated.push_back(side.plan.position_at(0, row / found.heads, t));
        }
    }
    return found;
}

}  // namespace ropescope::probe
