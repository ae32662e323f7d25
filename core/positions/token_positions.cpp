// Lays positions out by axes and finds the row of the table for each token.
#include "core/positions/token_positions.h"

#include "core/rope/rotate.h"

namespace ropescope {

std::vector<Index> table_rows(const TokenPositions& positions) {
    std::vector<Index> rows;
    rows.reserve(positions.turns.size());
    for (Index token = 0; token < positions.tokens(); ++token) {
        rows.push_back(positions.turns[token] ? token : kNotRotated);
    }
    return rows;
}

TokenPositions token_positions(const std::vector<TokenCoordinates>& tokens, Index axes) {
    TokenPositions positions{axes, {}, {}};
    positions.values.reserve(tokens.size() * axes);
    for (Index a = 0; a < axes; ++a) {
        for (const TokenCoordinates& token : tokens) {
            positions.values.push_back(token.position[a]);
        }
    }
    for (const TokenCoordinates& token : tokens) {
        positions.turns.push_back(token.turns);
    }
    return positions;
}

}  // namespace ropescope
