// Finds tokens that come back as they are.
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

/// [batch, length]: whether all heads of a token are what the plan gives.
std::vector<bool> given_tokens(const SideQuestion& side, const RotationPlan& plan) {
    const std::vector<double> wanted =
        rotated(plan, side.of_keys ? side.request().k : side.request().q);
    const std::vector<double> allowed =
        allowance(side.asked.reply, side.of_keys, plan, side.behaviour().table);
    const std::vector<double>& values = side.asked.reply.values(side.of_keys);
    const faults::HeadShape& shape = plan.shape;
    std::vector<bool> given(static_cast<std::size_t>(shape.batch * shape.length), true);
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index h = 0; h < shape.heads; ++h) {
            for (Index l = 0; l < shape.length; ++l) {
                for (Index c = 0; c < shape.head_dim; ++c) {
                    const auto at = static_cast<std::size_t>(shape.row(b, h, l) + c);
                    if (!(std::abs(values[at] - wanted[at]) <= allowed[at])) {
                        given[static_cast<std::size_t>(b * shape.length + l)] = false;
                    }
                }
            }
        }
    }
    return given;
}

/// Tokens of a side: those that are right, and those that are not and came back as they were.
struct Tokens {
    Index right = 0, still = 0, first_still = -1;
    bool all = true;           ///< each is one or the other
    bool within_rows = false;  ///< a row has tokens of both kinds
};

Tokens tokens_of(const SideQuestion& side) {
    const std::vector<bool> right = given_tokens(side, side.plan);
    const std::vector<bool> still = given_tokens(side, still_plan(side.plan));
    const auto length = static_cast<std::size_t>(side.plan.shape.length);
    Tokens tokens;
    for (std::size_t at = 0; at < right.size(); ++at) {
        if (right[at]) {
            ++tokens.right;
        } else if (still[at]) {
            ++tokens.still;
            tokens.first_still =
                tokens.first_still < 0 ? static_cast<Index>(at % length) : tokens.first_still;
        } else {
            tokens.all = false;
        }
    }
    // At position 0 every token is right, turned or not.
    for (std::size_t row = 0; row < right.size(); row += length) {
        bool any_turns = false, any_still = false;
        for (std::size_t at = row; at < row + length; ++at) {
            any_turns = any_turns || (right[at] && !still[at]);
            any_still = any_still || !right[at];
        }
        tokens.within_rows = tokens.within_rows || (any_turns && any_still);
    }
    return tokens;
}

}  // namespace

std::optional<Finding> left_alone(const SideQuestion& side) {
    const Tokens tokens = tokens_of(side);
    if (!tokens.all || tokens.still == 0) {
        return std::nullopt;
    }
    const char* const still =
        side.of_keys ? faults::code("k.unrotated") : faults::code("spectrum.zero");
    const char* const some = faults::code("rows.unrotated");
    const bool in_all = tokens.right == 0;
    const bool is_known = side.asked.known.contains(in_all ? still : some);
    if (in_all) {
        // One token alone may as well be turned as position 0, unless longer calls have shown more,
        // or position 0 has another length.
        return side.is_step() && !is_known && side.plan.gain == 1.0
                   ? std::nullopt
                   : std::optional(side.fault(still, {say::kStillCall, {side.side()}}));
    }
    // Whole rows have a sentence of their own, and a single token may stand at position 0.
    if (!tokens.within_rows || (tokens.still == 1 && !is_known)) {
        return std::nullopt;
    }
    Finding finding = side.fault(
        some, {say::kStillTokens,
               {tokens.still, tokens.still + tokens.right, side.side(), tokens.first_still}});
    finding.place.token = tokens.first_still;
    return finding;
}

}  // namespace ropescope::probe
