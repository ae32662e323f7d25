// An emulated implementation of rotary position embedding, every part of which can be replaced by a
// wrong one.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

#include "core/base/uniform.h"
#include "core/diagnosis/dump.h"
#include "core/formats/tensor.h"
#include "core/rope/layout.h"
#include "core/rope/rope_spec.h"

namespace ropescope::test {

/// Random choices that depend on the seed alone.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : seed_(seed) {}

    double real(double low, double high) { return low + (high - low) * uniform(seed_, counter_++); }
    Index integer(Index first, Index last) {
        return first + static_cast<Index>(real(0.0, to_double(last - first + 1)));
    }
    template <typename T>
    T pick(std::initializer_list<T> choices) {
        return choices.begin()[integer(0, std::ssize(choices) - 1)];
    }
    bool coin() { return integer(0, 1) == 1; }
    double normal() {
        const double u = real(0x1p-53, 1.0), v = real(0.0, 1.0);
        return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
    }

  private:
    std::uint64_t seed_, counter_ = 0;
};

/// Where a number of a tensor stands.
struct At {
    bool key = false;
    Index b = 0, h = 0, l = 0;
};

/// An implementation: every part can be replaced by a wrong one.
struct Implementation {
    Index batch = 1, heads = 1, key_heads = 1, length = 1;
    RopeSpec spec;
    std::vector<double> omega;      ///< [pairs]
    std::vector<double> key_omega;  ///< of k; empty: the same
    std::vector<ChannelPair> pairs, rotated, key_pairs, key_rotated;
    std::vector<double> stated;    ///< [batch or 1, length]
    bool state_positions = false;  ///< whether the dump has `positions`
    Dtype dtype = Dtype::f32;      ///< of the tensors and of the arithmetic
    std::optional<Dtype> table, inv_freq, angle, position;  ///< rounded to; empty: fp32
    double sign = 1.0, key_sign = 1.0, gain = 1.0, key_gain = 1.0;
    bool has_q = true, has_k = true;
    /// Factors on the tables, the sign before the partner in the first channel of a pair, and
    /// whether cos and sin are exchanged.
    double cos_gain = 1.0, sin_gain = 1.0, first_sign = -1.0;
    bool exchanged = false, key_exchanged = false;
    /// The position by which a token really turns.
    std::function<double(const At&, double stated)> turned_by = [](const At&, double own) {
        return own;
    };
    /// The frequency of a pair at a token; null: `omega`.
    std::function<double(const At&, Index pair)> speed;
    /// The angle of a pair at a token, whatever else is said here; null: speed times position.
    std::function<double(const At&, Index pair)> angle_of;
    /// The pairs of a head that has a layout of its own; null or a null result: those above.
    std::function<const std::vector<ChannelPair>*(const At&)> pairs_of;
    /// A factor on the length of a pair at a token.
    std::function<double(const At&, Index pair)> pair_gain;
    std::function<double(Index channel)> scale_x = [](Index) { return 1.0; };
    /// Several axes: positions [axes, length], and the axis of each pair, which angle_of makes
    /// superfluous; empty for one axis.
    std::vector<double> axis_positions;
    std::vector<Index> axis_of_pair;
    std::function<double(Index token)> token_gain = [](Index) { return 1.0; };
    bool swap_key_axes = false;         ///< k takes the second axis for the third
    std::optional<double> score_scale;  ///< the dump has scores with this factor on q . k
    /// What becomes of the score of a query and a key.
    std::function<double(const At& query, Index key, double score)> score_of =
        [](const At&, Index, double score) { return score; };
    /// Index of the sine and cosine of the second channel of a pair; a broken table has others.
    std::function<Index(Index pair)> second_entry = [](Index pair) { return pair; };

    double stated_at(Index b, Index l) const {
        return stated[std::ssize(stated) == length ? l : b * length + l];
    }
};

/// Its dump, with random tensors.
diagnosis::Dump dump_of(const Implementation& made, Dice& dice);

/// Pairs of q and k in this layout.
void use_layout(Implementation& made, Layout layout);
/// Frequencies, gain and layout of made.spec.
void use_spec(Implementation& made);
/// A right implementation of any size.
Implementation usual(Dice& dice);

/// The dump has right scores.
void with_scores(Implementation& made);
/// Moves all stated positions.
void start_at(Implementation& made, double first);
/// fp32 tensors.
void sharp(Implementation& made);
/// A size at which the methods of scaling differ.
void large(Implementation& made, Dice& dice);
/// Lengths as xPos changes them: those of k by the power `key_power` of those of q, which is -1.
void stretch_as_xpos(Implementation& made, Dice& dice, double key_power);
/// As large(), with a scaling.
void scaled(Implementation& made, Dice& dice, const Scaling& scaling);

}  // namespace ropescope::test
