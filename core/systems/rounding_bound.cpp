// Bounds the rounding error of a system's own arithmetic.
#include "core/systems/rounding_bound.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace ropescope {

namespace {

const char* name(nd::Dtype dtype) {
    switch (dtype) {
        case nd::Dtype::bf16:
            return "bf16";
        case nd::Dtype::f32:
            return "fp32";
        case nd::Dtype::f64:
            break;
    }
    return "fp64";
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

double unit_roundoff(nd::Dtype dtype) {
    switch (dtype) {
        case nd::Dtype::bf16:
            return 0x1p-8;
        case nd::Dtype::f32:
            return 0x1p-24;
        case nd::Dtype::f64:
            break;
    }
    return 0x1p-52;
}

RoundingBound rounding_bound(const System& system, std::int64_t head_dim, double base,
                             std::int64_t largest_position, Arithmetic arithmetic) {
    const bool written = arithmetic == Arithmetic::as_written;
    const nd::Dtype angle = written ? system.precision.angle : nd::Dtype::f64;
    const nd::Dtype table = written ? system.precision.table : nd::Dtype::f64;
    const nd::Dtype products = written ? nd::Dtype::f32 : nd::Dtype::f64;
    RoundingBound bound;
    bound.angle_rad = static_cast<double>(std::abs(largest_position)) * unit_roundoff(angle) *
                      angle_sensitivity(head_dim, base);
    bound.table = std::sqrt(0.5) * unit_roundoff(table);
    if (table == nd::Dtype::bf16) {
        bound.table += std::sqrt(0.5) * unit_roundoff(nd::Dtype::f32);
    }
    bound.products = 3.0 * unit_roundoff(products);
    if (bound.angle_rad >= std::max(bound.table, bound.products)) {
        bound.limited_by = fmt::format("{} angles at position {}", name(angle), largest_position);
    } else if (bound.table >= bound.products) {
        bound.limited_by = fmt::format("{} table", name(table));
    } else {
        bound.limited_by = fmt::format("{} products", name(products));
    }
    return bound;
}

}  // namespace ropescope
