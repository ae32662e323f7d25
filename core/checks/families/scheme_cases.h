// The schemes that the checks of several axes go through, and what they share: positions, a
// rotation by an engine, and the same in long double.
#pragma once

#include <string>
#include <vector>

#include "core/checks/reference/error_model.h"
#include "core/engine/engine.h"
#include "core/positions/token_positions.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope {

struct SchemeCase {
    std::string name;  ///< of the preset (core/formats/presets.h)
    RotaryScheme scheme;
};

/// All presets, and a mixed scheme with frequencies of our own, made once.
const std::vector<SchemeCase>& scheme_cases();
/// Throws InputError if there is none of that name.
const RotaryScheme& scheme_case(std::string_view name);

/// Tokens 0 .. count - 1, whose position in axis a is (7 token + 5 a token + 3 a) mod 41 - 13 and
/// a quarter more for every second token: exact in double, other in each axis. The last token lies
/// far: 2^16 along the axes, or 2^16 rad of the fastest pair.
TokenPositions spread_tokens(const RotaryScheme& scheme, Index count);

/// The sums of two tokens' positions; the first says who turns.
TokenPositions added(const TokenPositions& a, const TokenPositions& b);
/// Positions in one axis only, 0 in the others.
TokenPositions along(const TokenPositions& positions, Index axis);

/// Head vectors [heads, tokens, head_dim], with all heads of the scheme or two.
struct HeadVectors {
    Index heads = 0, tokens = 0, head_dim = 0;
    std::vector<float> values;

    std::span<const float> row(Index head, Index token) const {
        return std::span(values).subspan((head * tokens + token) * head_dim, head_dim);
    }
};
HeadVectors random_vectors(const RotaryScheme& scheme, Index tokens, std::uint64_t seed);

HeadVectors turned(Engine& engine, const RotaryScheme& scheme, HeadVectors x,
                   const TokenPositions& positions);

/// The rotation of one pair by another route: the sum of omega times position, its cosine and sine
/// and the products in long double.
struct LongDoublePair {
    long double first = 0, second = 0;
};
LongDoublePair turned_by_reference(const Spectrum& head, Index pair,
                                   const TokenPositions& positions, Index token, LongDoublePair x);

/// Error of an entry of an engine's table for these many axes: rounding to fp32, 2^-25 + 2^-45
/// (kFloatPrecision), and 15 units of 2^-53 for the angle in each axis (reduced_angle_sum_rad).
inline double axis_table_error(Index axes) {
    return kFloatPrecision.table_error() + 15.0 * to_double(axes) * kUnitDouble;
}
/// Error of a rotated vector relative to |x|: that of the table, and 2 units of 2^-24 for the two
/// products and the sum of each channel.
inline double axis_rotation_error(Index axes) {
    return kSqrt2Up * (axis_table_error(axes) + 2 * kUnitFloat);
}

inline constexpr const char* kAxisRotationBound =
    "sqrt(2) (e + 2^-23) |x| for each rotation, e = 2^-25 + 2^-45 + 15 axes 2^-53 of its table";

}  // namespace ropescope
