// Finds rows, heads and tokens that come back as they are.
#include <algorithm>
#include <cmath>

#include "core/faults/codes.h"
#include "core/probe/phrases.h"
#include "core/probe/side_question.h"

namespace ropescope::probe {
namespace {

using diagnosis::Finding;
using faults::RotationPlan;
namespace say = diagnosis::say;

RotationPlan still_plan(RotationPlan plan) {
    std::ranges::fill(plan.omega_rad, 0.0);
    plan.gain = 1.0;
    return plan;
}

/// [batch, heads, length]: whether a head of a token is what the plan gives.
std::vector<bool> given_by_plan(const SideQuestion& side, const RotationPlan& plan) {
    const std::vector<double> wanted = rotated(plan, side.asked.reply.taken(side.of_keys));
    const std::vector<double> allowed =
        allowance(side.asked.reply, side.of_keys, plan, side.behaviour().table);
    const std::vector<double>& values = side.asked.reply.values(side.of_keys);
    const auto channels = static_cast<std::size_t>(plan.shape.head_dim);
    std::vector<bool> given(values.size() / channels, true);
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (!(std::abs(values[at] - wanted[at]) <= allowed[at])) {
            given[at / channels] = false;
        }
    }
    return given;
}

/// Which rows, heads or tokens have something that turns, and which something that is left alone.
/// At position 0 nothing tells.
struct Group {
    std::vector<bool> turns, rests;
    explicit Group(Index count)
        : turns(static_cast<std::size_t>(count)), rests(static_cast<std::size_t>(count)) {}

    void add(Index member, bool is_turned) {
        (is_turned ? turns : rests)[static_cast<std::size_t>(member)] = true;
    }
    /// The members that rest; empty if one of them turns, too.
    std::vector<Index> resting() const {
        std::vector<Index> members;
        for (std::size_t i = 0; i < rests.size(); ++i) {
            if (rests[i] && turns[i]) {
                return {};
            }
            if (rests[i]) {
                members.push_back(static_cast<Index>(i));
            }
        }
        return members;
    }
};

/// What of a side is turned, and what came back as it was.
struct Stillness {
    Group rows, heads, tokens;
    Index turned = 0, still = 0;
    bool all = true;  ///< all numbers are the one or the other
};

Stillness stillness_of(const SideQuestion& side) {
    const faults::HeadShape& shape = side.plan.shape;
    const std::vector<bool> right = given_by_plan(side, side.plan);
    const std::vector<bool> still = given_by_plan(side, still_plan(side.plan));
    Stillness found{Group(shape.batch), Group(shape.heads), Group(shape.length)};
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index h = 0; h < shape.heads; ++h) {
            for (Index l = 0; l < shape.length; ++l) {
                const auto at = static_cast<std::size_t>((b * shape.heads + h) * shape.length + l);
                found.all = found.all && (right[at] || still[at]);
                if (right[at] == still[at]) {
                    continue;
                }
                found.rows.add(b, right[at]);
                found.heads.add(h, right[at]);
                found.tokens.add(l, right[at]);
                ++(right[at] ? found.turned : found.still);
            }
        }
    }
    return found;
}

}  // namespace

std::optional<Finding> left_alone(const SideQuestion& side) {
    const Stillness found = stillness_of(side);
    if (!found.all || found.still == 0) {
        return std::nullopt;
    }
    const char* const still =
        side.of_keys ? faults::code("k.unrotated") : faults::code("spectrum.zero");
    const char* const some = faults::code("rows.unrotated");
    if (found.turned == 0) {
        // One token alone may as well be turned as position 0, unless longer calls have shown more,
        // or position 0 has another length.
        const bool is_open = side.is_step() && side.plan.gain == 1.0;
        return is_open && !side.asked.known.contains(still)
                   ? std::nullopt
                   : std::optional(side.fault(still, {say::kStillCall, {side.side()}}));
    }
    for (const bool of_heads : {false, true}) {
        const std::vector<Index> resting = (of_heads ? found.heads : found.rows).resting();
        if (!resting.empty()) {
            const diagnosis::Numbers numbers{of_heads ? "head" : "row", resting};
            Finding finding = side.fault(some, {say::kStillRows, {numbers, side.side()}});
            (of_heads ? finding.place.heads : finding.place.rows) = resting;
            return finding;
        }
    }
    const std::vector<Index> tokens = found.tokens.resting();
    // A single token may stand at position 0, unless longer calls have shown more.
    if (tokens.empty() || (tokens.size() == 1 && !side.asked.known.contains(some))) {
        return std::nullopt;
    }
    Finding finding = side.fault(
        some,
        {say::kStillTokens, {std::ssize(tokens), side.plan.shape.length, side.side(), tokens[0]}});
    finding.place.token = tokens[0];
    return finding;
}

}  // namespace ropescope::probe
