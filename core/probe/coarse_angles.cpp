// Finds angles that were formed too coarsely.
#include <algorithm>
#include <cmath>

#include "core/faults/codes.h"
#include "core/probe/phrases.h"
#include "core/probe/side_question.h"

namespace ropescope::probe {
namespace {

using diagnosis::Explanation;
using diagnosis::Finding;
namespace say = diagnosis::say;

/// An angle that is farther from the right one than any other.
struct WorstAngle {
    double off_rad = 0.0, position = 0.0;
};

/// The largest distance of an angle from the right one; nothing if one of them is off by more than
/// coarse arithmetic explains: a relative error of one part in 2^8 is that of a number in bf16, and
/// beyond half a radian nothing can be told.
std::optional<WorstAngle> worst_angle(const SideQuestion& side, const Explanation& found) {
    WorstAngle worst;
    for (Index row = 0; row < found.turns.rows; ++row) {
        for (Index t = 0; t < found.turns.length; ++t) {
            const double position = found.stated[row * found.turns.length + t];
            for (Index p = 0; p < found.turns.pairs; ++p) {
                const std::size_t at = found.turns.at(row, t, p);
                const double angle = side.plan.omega_rad[p] * position;
                if (!(found.turns.error_rad[at] < 0.25F)) {
                    continue;
                }
                const double off = std::abs(diagnosis::wrapped(found.turns.angle_rad[at] - angle));
                if (off > 0.5 || off > 0x1p-8 * std::abs(angle) + found.turns.error_rad[at]) {
                    return std::nullopt;
                }
                if (off > worst.off_rad) {
                    worst = {off, position};
                }
            }
        }
    }
    return worst;
}

/// x turned by the angles that were read off the answer: what the answer must be if nothing but the
/// angles is wrong.
std::vector<double> turned_as_found(const SideQuestion& side, const Explanation& found) {
    const faults::RotationPlan& plan = side.plan;
    const std::vector<double>& x = side.asked.reply.taken(side.of_keys);
    std::vector<double> turned = x;
    for (Index row = 0; row < found.turns.rows; ++row) {
        for (Index t = 0; t < found.turns.length; ++t) {
            for (Index p = 0; p < found.turns.pairs; ++p) {
                const double angle = found.turns.angle_rad[found.turns.at(row, t, p)];
                const double cos = plan.gain * std::cos(angle), sin = plan.gain * std::sin(angle);
                for (Index h = 0; h < plan.shape.heads; ++h) {
                    const Index at = plan.row(row, h, t);
                    const double first = x[at + plan.pairs[p].first];
                    const double second = x[at + plan.pairs[p].second];
                    turned[at + plan.written[p].first] = first * cos - second * sin;
                    turned[at + plan.written[p].second] = first * sin + second * cos;
                }
            }
        }
    }
    return turned;
}

/// Whether the answer is a rotation of the right pairs: each number lies within what rounding
/// allows, once for the answer and once for the angle that was read off it.
bool only_angles_differ(const SideQuestion& side, const Explanation& found) {
    faults::RotationPlan still = side.plan;
    std::ranges::fill(still.omega_rad, 0.0);
    const std::vector<double> allowed =
        allowance(side.asked.reply, side.of_keys, still, side.behaviour().table);
    const std::vector<double> turned = turned_as_found(side, found);
    const std::vector<double>& values = side.asked.reply.values(side.of_keys);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(std::abs(values[i] - turned[i]) <= 2.0 * allowed[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::optional<Finding> coarse_angles(const SideQuestion& side) {
    if (side.plan.axes > 1 || side.plan.heads_differ()) {
        return std::nullopt;
    }
    const Explanation found = turns_of(side);
    const std::optional<WorstAngle> worst =
        found.heads_differ ? std::nullopt : worst_angle(side, found);
    if (!worst || !only_angles_differ(side, found)) {
        return std::nullopt;
    }
    Finding finding = side.fault(faults::code("spectrum.low_precision"),
                                 {say::kCoarseAngles, {side.side(), worst->off_rad}});
    finding.measured = worst->position;
    return finding;
}

}  // namespace ropescope::probe
