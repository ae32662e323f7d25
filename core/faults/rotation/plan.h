// A rotation written out: all that decides a result, so that a fault is a change of one field.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/base/number_format.h"
#include "core/rope/layout.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::faults {

/// [batch, heads, length, head_dim] as row-major.
struct HeadShape {
    Index batch = 1, heads = 1, length = 1, head_dim = 0;

    Index size() const { return batch * heads * length * head_dim; }
    /// The first number of a head at a token.
    Index row(Index b, Index h, Index l) const { return ((b * heads + h) * length + l) * head_dim; }
};

struct RotationPlan {
    HeadShape shape = {};
    std::vector<ChannelPair> pairs = {};    ///< channels that are read
    std::vector<ChannelPair> written = {};  ///< channels that are written; the same in a right plan
    Index axes = 1;
    /// [heads, pairs, axes] radians for each position; [1, pairs, axes] if all heads turn alike.
    std::vector<double> omega_rad = {};
    std::vector<double> positions = {};  ///< [axes, batch, length]
    double gain = 1;                     ///< on cos and sin (attention factor)
    NumberFormat table = NumberFormat::exact, inv_freq = NumberFormat::exact,
                 position = NumberFormat::exact, angle = NumberFormat::exact;
    // What only faulty plans have.
    /// [axes, batch, heads, length]; empty if all heads stand at `positions`.
    std::vector<double> head_positions = {};
    std::vector<bool> at_rest = {};  ///< [batch, heads] that come back as they are; empty: none
    /// [pairs] whose cos and sin the two channels of a pair take; empty: its own.
    std::vector<Index> first_entry = {}, second_entry = {};
    bool minus_lost = false;  ///< in front of the sine of the first channel
    bool exchanged = false;   ///< cos and sin stand in each other's place

    /// The first of the frequencies of a pair, which are one for each axis.
    Index omega_at(Index head, Index pair) const {
        const Index of_head = std::ssize(pairs) * axes;
        return (of_head == std::ssize(omega_rad) ? 0 : head * of_head) + pair * axes;
    }
    bool heads_differ() const {
        return shape.heads > 1 &&
               (std::ssize(pairs) * axes != std::ssize(omega_rad) || !head_positions.empty());
    }
    bool rests(Index b, Index h) const {
        return !at_rest.empty() && at_rest[static_cast<std::size_t>(b * shape.heads + h)];
    }
    /// Where a head stands at a token.
    double position_of(Index axis, Index b, Index h, Index l) const {
        return head_positions.empty()
                   ? position_at(axis, b, l)
                   : head_positions[((axis * shape.batch + b) * shape.heads + h) * shape.length +
                                    l];
    }
    Index row(Index b, Index h, Index l) const { return shape.row(b, h, l); }
    double& position_at(Index axis, Index b, Index l) {
        return positions[(axis * shape.batch + b) * shape.length + l];
    }
    double position_at(Index axis, Index b, Index l) const {
        return positions[(axis * shape.batch + b) * shape.length + l];
    }
};

/// The right plan of a scheme. `positions` [axes, batch, length].
RotationPlan plan_of(const RotaryScheme& scheme, HeadShape shape, std::vector<double> positions);

/// Returns x [batch, heads, length, head_dim] after the rotation of the plan, in float64. cos and
/// sin come from long double and are rounded once, so that every x86 processor gives the same bits.
std::vector<double> rotated(const RotationPlan& plan, std::span<const double> x);

/// The angle of a pair at a token in radians, reduced to [-pi, pi], and the sum of the magnitudes
/// of its parts before they were reduced.
struct PlannedAngle {
    double reduced_rad = 0;
    double magnitude_rad = 0;
};
PlannedAngle planned_angle(const RotationPlan& plan, Index pair, Index b, Index h, Index l);

}  // namespace ropescope::faults
