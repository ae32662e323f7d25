// Coordinates along the sides of one grid, and the order of its patches. Source: grid_rule.cpp
// makes whole sequences of them.
#pragma once

#include <vector>

#include "core/positions/grid_rule.h"

namespace ropescope {

/// Index i of the side that an axis counts lies at start + step * i.
struct GridLine {
    double start = 0.0;
    double step = 0.0;

    double at(Index i) const { return start + step * to_double(i); }
};

/// The place of a patch in its grid.
struct GridPatch {
    Index frame = 0, row = 0, column = 0;

    Index along(Side side) const {
        return side == Side::frame ? frame : side == Side::row ? row : column;
    }
};

/// The patches of a grid in the order of the sequence: frame by frame, row by row; the rows and
/// columns of blocks of merge x merge patches if the patches come in blocks.
std::vector<GridPatch> patches_in_order(const PatchGrid& grid, Index merge);

/// The patches of a side; 1 for Side::none.
Index patches_of(const PatchGrid& grid, Side side);

/// The coordinates of `axis`, which is one of the rule's axes, for a grid that is the first one.
GridLine grid_line(const Coordinate& axis, const GridRule& rule, const PatchGrid& grid);

/// Throws InputError for a grid without patches, one that the rule's blocks do not fill, and one
/// that is not square if it must be.
void validate(const GridRule& rule, const PatchGrid& grid);

}  // namespace ropescope
