// Which axis of its positions turns each pair, for models that turn in several axes.
// Sources: axis_map.cpp, axis_findings.cpp, mixed_axes.cpp, places.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/finding.h"
#include "core/diagnosis/measure/speeds.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::diagnosis {

/// No axis explains the pair; or several do, because the pair hardly turns or the axes agree; or it
/// turns by a sum over several axes, as pairs with learned directions do.
inline constexpr Index kNoAxis = -1, kAnyAxis = -2, kMixedAxes = -3;

struct AxisMap {
    Index axes = 1;
    std::vector<std::string> names = {};  ///< "t", "h", "w"
    /// [pairs]: the axis, or one of the three above; the speed in radians per unit of the axis,
    /// signed, and its bound. Of a mixed pair: the length of its row of speeds.
    std::vector<Index> axis = {};
    std::vector<double> omega = {}, error = {};
    /// [pairs][axes], radians per unit of each axis, of mixed pairs; empty for the others.
    std::vector<std::vector<double>> mixed = {};

    bool explained() const;
    bool has_mixed() const;
    /// The speeds of a pair by all axes: one of them at most is not zero unless the pair is mixed.
    std::vector<double> row(Index pair) const;
};

/// Finds the axis and the speed of each pair. `positions` must have the length of the turns.
AxisMap recover_axis_map(const Turns& turns, const DumpPositions& positions,
                         const AngleNoise& noise);

/// The map that this scheme has on these channels, turned round if `sign` is -1; its speeds are
/// exact. Empty if the scheme turns channels that are no pair here.
std::optional<AxisMap> axis_map_of(const RotaryScheme& scheme, Index head,
                                   std::span<const ChannelPair> pairs, int sign);

/// Whether the map predicts every angle within its rounding. Speeds above half a turn from one
/// token to the next cannot be measured, and their angles can be predicted.
bool explains(const AxisMap& map, const Turns& turns, const DumpPositions& positions,
              const AngleNoise& noise);

/// Tokens that turn by this map at other positions than stated, if that explains all of them: ids
/// that were counted otherwise. Empty if none does, if the map mixes axes, or if some angle fits no
/// position.
std::optional<Finding> misplaced_tokens(const AxisMap& map, const Turns& turns,
                                        const DumpPositions& positions, const AngleNoise& noise,
                                        Side side);

/// Whether all axes of all tokens agree, as in text.
bool axes_agree(const DumpPositions& positions);

/// A published model of several axes.
struct PublishedScheme {
    std::string title;
    RotaryScheme scheme;
};
/// Those with these sizes.
std::vector<PublishedScheme> published_schemes(Index head_dim, Index axes);

/// The map as findings: what turns by what; whether it is that of a known model or of `expected`
/// (which may be null), or has axes exchanged. `head` is the head of a scheme whose heads differ.
std::vector<Finding> axis_findings(const AxisMap& map, std::span<const ChannelPair> pairs,
                                   Index head_dim, Side side, const RotaryScheme* expected,
                                   Index head = 0);

/// "pairs 0 to 15 by t, 16 to 39 by h, 40 to 63 by w"; for maps in turn: "pairs by t, h, w in
/// turn".
Words describe_map(const AxisMap& map);

/// A token of one of the rows.
struct TokenPlace {
    Index row = 0, token = 0;
};

class AxisAngles {
  public:
    /// Keeps references: both must outlive it. Of many tokens it takes the first ones, which are
    /// neighbours, and others at even steps.
    AxisAngles(const Turns& turns, const DumpPositions& positions, const AngleNoise& noise)
        : turns_(turns), positions_(positions), noise_(noise) {
        constexpr Index kNeighbours = 512, kMore = 512;
        const Index tokens = turns.rows * turns.length;
        const auto add = [&](Index at) {
            places_.push_back({at / turns.length, at % turns.length});
        };
        for (Index at = 0; at < std::min(tokens, kNeighbours); ++at) {
            add(at);
        }
        const Index others = tokens - std::ssize(places_);
        for (Index k = 0; k < std::min(others, kMore); ++k) {
            add(kNeighbours + k * others / std::min(others, kMore));
        }
        for (Index axis = 0; axis < positions.axes; ++axis) {
            bool whole = true;
            double reach = 0.0;
            for (const TokenPlace& place : places_) {
                const double x = position(axis, place);
                whole = whole && x == std::round(x);
                reach = std::max(reach, std::abs(x));
            }
            rounded_.push_back(whole ? 0.0 : 0.25 * reach);
        }
    }

    Index axes() const { return positions_.axes; }
    Index pairs() const { return turns_.pairs; }
    std::span<const TokenPlace> places() const { return places_; }

    double position(Index axis, const TokenPlace& place) const {
        return positions_.at(axis, positions_.batch == 1 ? 0 : place.row, place.token);
    }
    double angle_rad(const TokenPlace& place, Index pair) const {
        return turns_.angle_rad[turns_.at(place.row, place.token, pair)];
    }
    /// The bound of the rounding of an angle that was formed as this number of radians.
    double error_rad(const TokenPlace& place, Index pair, double formed_rad) const {
        return turns_.error_rad[turns_.at(place.row, place.token, pair)] + noise_.table_rad +
               noise_.relative * std::abs(formed_rad);
    }
    double relative_error() const { return noise_.relative; }
    /// The product of a speed and a position, by which its rounding is measured. A coordinate that
    /// is not whole is a difference or quotient in fp32 of numbers as large as the largest, and so
    /// off by up to 4 units of 2^-24 of that, a quarter of what relative_error() takes.
    double formed_rad(Index axis, double position, double omega) const {
        return std::abs(omega) * (std::abs(position) + rounded_[axis]);
    }

  private:
    const Turns& turns_;
    const DumpPositions& positions_;
    AngleNoise noise_;
    std::vector<TokenPlace> places_;
    std::vector<double> rounded_;  ///< [axes], in positions
};

/// [axes]: radians per unit of each axis, and their bounds.
struct MixedSpeeds {
    std::vector<double> omega = {}, error = {};
};

/// Solves for the speeds from short steps between tokens, then over ever larger positions. Empty if
/// no speeds explain the angles of all tokens, or if whole turns stay in doubt. Speeds by axes that
/// the tokens do not tell apart are shared among them.
std::optional<MixedSpeeds> recover_mixed(const AxisAngles& angles, Index pair);

}  // namespace ropescope::diagnosis
