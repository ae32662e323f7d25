// A rotation written out: all that decides a result, so that a fault is a change of one field.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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

/// How a program rounds a number on its way. None; to a format; to multiples of 1 / steps; or to so
/// many bits of its fraction.
struct Rounding {
    NumberFormat format = NumberFormat::exact;
    double steps = 0.0;
    int bits = 0;

    constexpr Rounding() = default;
    constexpr Rounding(NumberFormat to) : format(to) {}
    static constexpr Rounding to_steps(double steps) {
        Rounding rounding;
        rounding.steps = steps;
        return rounding;
    }
    static constexpr Rounding to_bits(int bits) {
        Rounding rounding;
        rounding.bits = bits;
        return rounding;
    }
    bool none() const { return format == NumberFormat::exact && steps == 0.0 && bits == 0; }
    double operator()(double value) const;
};

/// What becomes of a pair (x, y): the matrix {{m[0], m[1]}, {m[2], m[3]}} of its cos and sin.
using PairMap = std::array<double, 4>;

struct RotationPlan {
    HeadShape shape = {};
    std::vector<ChannelPair> pairs = {};    ///< channels that are read
    std::vector<ChannelPair> written = {};  ///< channels that are written; the same in a right plan
    Index axes = 1;
    /// [heads, pairs, axes] radians for each position; [1, pairs, axes] if all heads turn alike.
    std::vector<double> omega_rad = {};
    std::vector<double> positions = {};  ///< [axes, batch, length]
    double gain = 1;                     ///< on cos and sin (attention factor)
    Rounding table = {}, inv_freq = {}, position = {}, angle = {};
    // What only faulty plans have.
    /// [axes, batch, heads, length]; empty if all heads stand at `positions`.
    std::vector<double> head_positions = {};
    std::vector<bool> at_rest = {};  ///< [batch, heads] that come back as they are; empty: none
    /// [pairs] whose cos and sin the two channels of a pair take; empty: its own.
    std::vector<Index> first_entry = {}, second_entry = {};
    /// [pairs] whose sine a pair takes beside its own cosine; empty: its own.
    std::vector<Index> sine_entry = {};
    /// What is made of cos and sin; empty: {c, -s, s, c}.
    std::function<PairMap(double cosine, double sine)> map = {};
    double longest = 1.0;  ///< how far a change of the angle by 1 can move a row of `map`
    /// Which numbers of the matrix the roundings of table, frequencies, positions and angles
    /// concern, bit by bit: both cosines are 1 + 8, both sines 2 + 4.
    unsigned rounded = kAllProducts;
    static constexpr unsigned kAllProducts = 15, kCosines = 9, kSines = 6;
    Rounding before = {}, after = {};  ///< of all numbers that go in and come out
    /// The products of the matrix that take rounded numbers, as in `rounded`; if these are not all,
    /// or `rounds_still` is false, channels that stay are not rounded.
    unsigned rounded_before = kAllProducts;
    bool rounds_still = true;
    double factor = 1.0;  ///< on all numbers that come out

    /// The first of the frequencies of a pair, which are one for each axis.
    Index omega_at(Index head, Index pair) const {
        const Index of_head = std::ssize(pairs) * axes;
        return (of_head == std::ssize(omega_rad) ? 0 : head * of_head) + pair * axes;
    }
    bool heads_differ() const {
        return shape.heads > 1 &&
               (std::ssize(pairs) * axes != std::ssize(omega_rad) || !head_positions.empty());
    }
    /// Whether anything is rounded before the products, so that errors of fp32 may tip it over.
    bool rounds() const {
        return !(table.none() && inv_freq.none() && position.none() && angle.none());
    }
    /// A number that goes into a product of the matrix.
    double taken(double number, std::size_t product) const {
        return (rounded_before >> product & 1U) != 0 ? before(number) : number;
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

/// What fp32 moves before it is rounded: a frequency by this share of it, cos and sin by so much.
struct Nudge {
    double omega = 0.0, cosine = 0.0, sine = 0.0;
};

/// The matrix of a pair at a token, with the gain.
PairMap planned_map(const RotationPlan& plan, Index pair, Index b, Index h, Index l,
                    const Nudge& nudge);

/// The angle of a pair at a token in radians, reduced to [-pi, pi], and the sum of the magnitudes
/// of its parts before they were reduced.
struct PlannedAngle {
    double reduced_rad = 0;
    double magnitude_rad = 0;
};
PlannedAngle planned_angle(const RotationPlan& plan, Index pair, Index b, Index h, Index l);

}  // namespace ropescope::faults
