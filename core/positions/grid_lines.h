// Coordinates along the sides of one grid. Source: grid_rule.cpp makes whole sequences of them.
#pragma once

#include "core/positions/grid_rule.h"

namespace ropescope {

/// Index i of the side that an axis counts lies at start + step * i.
struct GridLine {
    double start = 0.0;
    double step = 0.0;

    double at(Index i) const { return start + step * to_double(i); }
};

/// The patches of a side; 1 for Side::none.
Index patches_of(const PatchGrid& grid, Side side);

/// The coordinates of `axis`, which is one of the rule's axes, for a grid that is the first one.
GridLine grid_line(const Coordinate& axis, const GridRule& rule, const PatchGrid& grid);

/// Throws InputError for a grid without patches, one that the rule's blocks do not fill, and one
/// that is not square if it must be.
void validate(const GridRule& rule, const PatchGrid& grid);

}  // namespace ropescope
