// Bounds the rounding error of a system's own arithmetic.
#include "core/systems/rounding_bound.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace ropescope {

namespace {

/// In double, pow, sin and cos come from the C library within one unit in the last place.
double unit_of(NumberFormat format) {
    return unit_roundoff(format) * (format == NumberFormat::fp64 ? 2.0 : 1.0);
}

/// max_i theta_i (e_i ln base + 3) over the pairs whose frequency is not exactly 1.
double angle_sensitivity(std::int64_t head_dim, double base) {
    double largest = 0.0;
    for (std::int64_t channel = 2; channel < head_dim; channel += 2) {
        const double exponent = static_cast<double>(channel) / static_cast<double>(head_dim);
        const double growth = std::abs(exponent * std::log(base));
        largest = std::max(largest, std::pow(base, -exponent) * (growth + 3.0));
    }
    return largest;
}

}  // namespace

RoundingBound rounding_bound(const System& system, std::int64_t head_dim, double base,
                             std::int64_t largest_position, Arithmetic arithmetic) {
    const bool written = arithmetic == Arithmetic::as_written;
    const NumberFormat angle = written ? system.precision.angle : NumberFormat::fp64;
    const NumberFormat table = written ? system.precision.table : NumberFormat::fp64;
    const NumberFormat products = written ? NumberFormat::fp32 : NumberFormat::fp64;
    RoundingBound bound;
    bound.angle_rad = static_cast<double>(std::abs(largest_position)) * unit_of(angle) *
                      angle_sensitivity(head_dim, base);
    bound.table = std::sqrt(0.5) * unit_of(table);
    if (table == NumberFormat::bf16) {
        bound.table += std::sqrt(0.5) * unit_of(NumberFormat::fp32);
    }
    bound.products = 3.0 * unit_of(products);
    if (bound.angle_rad >= std::max(bound.table, bound.products)) {
        bound.limited_by =
            fmt::format("{} angles at position {}", to_string(angle), largest_position);
    } else if (bound.table >= bound.products) {
        bound.limited_by = fmt::format("{} table", to_string(table));
    } else {
        bound.limited_by = fmt::format("{} products", to_string(products));
    }
    return bound;
}

}  // namespace ropescope
