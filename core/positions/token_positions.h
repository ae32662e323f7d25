// Positions of the tokens of a sequence in every axis, and which of them turn.
#pragma once

#include <vector>

#include "core/base/index.h"
#include "core/rope/axis_positions.h"

namespace ropescope {

struct TokenPositions {
    Index axes = 1;
    std::vector<double> values;  ///< [axes, tokens] row-major; 0 for tokens that do not turn
    std::vector<bool> turns;     ///< [tokens]

    Index tokens() const { return std::ssize(turns); }
    AxisPositions view() const { return {values, axes}; }
};

/// RotateOptions::rows for a table made of `positions`: the token's own row, or kNotRotated.
std::vector<Index> table_rows(const TokenPositions& positions);

/// One token: its position in each axis, and whether it turns.
struct TokenCoordinates {
    std::vector<double> position;
    bool turns = true;
};

/// Lays the tokens' places out by axes.
TokenPositions token_positions(const std::vector<TokenCoordinates>& tokens, Index axes);

}  // namespace ropescope
