// Finds neighbours on the grids of 8 bits.
#include "core/diagnosis/quantised/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropescope::diagnosis {
namespace {

/// The distance from a number, which is not negative, to the next larger one of the grid.
double step_above(const GridFacts& facts, double number) {
    if (facts.fraction == 0) {
        return 1.0;
    }
    const int exponent = number == 0.0 ? facts.lowest : std::max(std::ilogb(number), facts.lowest);
    return std::ldexp(1.0, exponent - facts.fraction);
}

/// To the next smaller one: half as far at a power of two.
double step_below(const GridFacts& facts, double number) {
    if (facts.fraction == 0 || number == 0.0) {
        return step_above(facts, number);
    }
    int exponent = 0;
    const bool power = std::frexp(number, &exponent) == 0.5;
    const bool lowest = exponent - 1 <= facts.lowest;
    return step_above(facts, number) * (power && !lowest ? 0.5 : 1.0);
}

}  // namespace

GridFacts facts_of(NumberGrid grid) {
    switch (grid) {
        case NumberGrid::e4m3:
            return {3, -6, 448.0};
        case NumberGrid::e5m2:
            return {2, -14, 57344.0};
        case NumberGrid::e4m3fnuz:
            return {3, -7, 240.0};
        case NumberGrid::e5m2fnuz:
            return {2, -15, 57344.0};
        default:
            return {0, 0, 127.0};
    }
}

bool is_grid_dtype(Dtype dtype) {
    return dtype == Dtype::f8_e4m3 || dtype == Dtype::f8_e5m2 || dtype == Dtype::f8_e4m3fnuz ||
           dtype == Dtype::f8_e5m2fnuz || dtype == Dtype::i8;
}

NumberGrid grid_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f8_e4m3:
            return NumberGrid::e4m3;
        case Dtype::f8_e5m2:
            return NumberGrid::e5m2;
        case Dtype::f8_e4m3fnuz:
            return NumberGrid::e4m3fnuz;
        case Dtype::f8_e5m2fnuz:
            return NumberGrid::e5m2fnuz;
        default:
            return NumberGrid::int8;
    }
}

double share_cut_from(NumberGrid grid) {
    const GridFacts facts = facts_of(grid);
    return 1.0 + 0.5 * step_above(facts, facts.largest) / facts.largest;
}

double nearest_on(NumberGrid grid, double number) {
    const double step = step_above(facts_of(grid), std::abs(number));
    return step * std::round(number / step);
}

RoundedRange cell_of(NumberGrid grid, double number, GridRounding rounding, double end) {
    const GridFacts facts = facts_of(grid);
    const double size = std::abs(number);
    const double up = step_above(facts, size), down = step_below(facts, size);
    RoundedRange cell;  // of the size
    switch (rounding) {
        case GridRounding::nearest:
            cell = {size - 0.5 * down, size + 0.5 * up};
            break;
        case GridRounding::zero:
            cell = size == 0.0 ? RoundedRange{-up, up} : RoundedRange{size, size + up};
            break;
        case GridRounding::below:
            cell = number < 0.0 ? RoundedRange{size - down, size} : RoundedRange{size, size + up};
            break;
    }
    if (size >= end) {
        cell.high = std::numeric_limits<double>::infinity();
    }
    return number < 0.0 ? RoundedRange{-cell.high, -cell.low} : cell;
}

RoundedRange Quantised::cell(Index b, Index h, Index l, Index c, double value) const {
    const double own = scale(b, h, l, c);
    if (own == 0.0) {
        return {value, value};
    }
    const RoundedRange steps =
        cell_of(grid, nearest_on(grid, value / own), rounding, end(b, h, l, c));
    const double low = own * steps.low, high = own * steps.high;
    return scale_error == 0.0 ? RoundedRange{low, high}
                              : RoundedRange{low - scale_error * std::abs(low),
                                             high + scale_error * std::abs(high)};
}

}  // namespace ropescope::diagnosis
