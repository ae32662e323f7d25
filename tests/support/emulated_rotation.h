// The rotation of one tensor in the arithmetic that implementations have, number by number: every
// part can be replaced by a wrong one. It knows nothing of the plans of core/faults.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/formats/tensor.h"
#include "core/rope/layout.h"

namespace ropescope::test {

/// Where a token of a tensor stands.
struct TokenAt {
    Index b = 0, h = 0, l = 0;
};

struct EmulatedRotation {
    Index batch = 1, heads = 1, length = 1, head_dim = 0, axes = 1;
    std::vector<ChannelPair> pairs = {}, written = {};
    /// The pairs of a head that has a layout of its own; null or a null result: those above.
    std::function<const std::vector<ChannelPair>*(const TokenAt&)> pairs_of = {};
    std::vector<double> omega = {};      ///< [pairs, axes], or [heads, pairs, axes]
    std::vector<double> positions = {};  ///< [axes, batch, length]
    double gain = 1.0;
    /// To what is rounded.
    Dtype table = Dtype::f32, inv_freq = Dtype::f32, position = Dtype::f32, angle = Dtype::f32,
          arithmetic = Dtype::f32;
    Dtype cos_sin = Dtype::f64;  ///< before factors are applied
    /// False: the token comes back as it is.
    std::function<bool(const TokenAt&)> turns = [](const TokenAt&) { return true; };
    std::function<double(const TokenAt&, Index pair)> gain_at = [](const TokenAt&, Index) {
        return 1.0;
    };
    /// Where a token stands on an axis, if not at `positions`.
    std::function<double(Index axis, const TokenAt&)> stands = {};
    /// The angle of a pair at a token, whatever else is said here; null: speed times position.
    std::function<double(const TokenAt&, Index pair)> angle_at = {};
    /// The index of the sine and cosine of the first and of the second channel of a pair.
    std::function<Index(Index pair)> first_entry = [](Index pair) { return pair; };
    std::function<Index(Index pair)> second_entry = [](Index pair) { return pair; };
    /// What the sine is multiplied by on its way to the first and to the second channel.
    double first_sign = -1.0, second_sign = 1.0;
    /// Factors on the tables, the sign of angles, and whether cos and sin are exchanged.
    double cos_gain = 1.0, sin_gain = 1.0, sign = 1.0;
    bool exchanged = false;
    /// What the sine and cosine are taken of.
    std::function<double(double angle)> reduced = [](double rad) { return rad; };
};

/// x [batch, heads, length, head_dim] after the rotation.
std::vector<double> emulated(const EmulatedRotation& how, std::span<const double> x);

}  // namespace ropescope::test
