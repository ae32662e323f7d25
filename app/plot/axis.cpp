// Makes ranges drawable, and converts between values and places on an axis.
#include "app/plot/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace ropescope::plot {
namespace {

constexpr double kLargest = 1e300;  // the difference of two such ends is still finite
constexpr double kSmallestValue = 1e-300;

/// Finite ends, the lower one first. If one is not finite, it is placed one unit from the other.
std::pair<double, double> finite_ends(double first, double last) {
    if (!std::isfinite(first) && !std::isfinite(last)) {
        return {0, 1};
    }
    if (!std::isfinite(first)) {
        first = last - 1;
    }
    if (!std::isfinite(last)) {
        last = first + 1;
    }
    const auto [low, high] = std::minmax({first, last});
    return {std::clamp(low, -kLargest, kLargest), std::clamp(high, -kLargest, kLargest)};
}

/// Below this share of the ends' magnitude the ticks' labels would need more digits than fit.
constexpr double kNarrowestSpan = 1e-10;

std::pair<double, double> widened_linear(double low, double high, bool integers) {
    const double magnitude = std::max(std::abs(low), std::abs(high));
    if (high - low > std::max(kNarrowestSpan * magnitude, kSmallestValue / 10)) {
        return {low, high};
    }
    const double middle = low + (high - low) / 2;
    const double half =
        std::max(magnitude * 0.1, magnitude <= kSmallestValue || integers ? 1.0 : 0.0);
    return {middle - half, middle + half};
}

std::pair<double, double> widened_log(double low, double high) {
    if (high <= 0) {
        return {1, 10};
    }
    high = std::max(high, kSmallestValue * 10);
    if (low <= 0) {
        low = high * 1e-4;
    }
    low = std::max(low, kSmallestValue);
    if (std::log10(high / low) > kNarrowestSpan || high / low > 2) {
        return {low, high};
    }
    return {std::max(low / 3, kSmallestValue), std::min(high * 3, kLargest * 10)};
}

}  // namespace

Axis drawable(Axis axis) {
    const bool reversed = axis.min > axis.max;
    auto [low, high] = finite_ends(axis.min, axis.max);
    std::tie(low, high) = axis.scale == AxisScale::log10 ? widened_log(low, high)
                                                         : widened_linear(low, high, axis.integers);
    axis.min = reversed ? high : low;
    axis.max = reversed ? low : high;
    return axis;
}

double to_unit(const Axis& axis, double value) {
    if (axis.scale == AxisScale::linear) {
        return (value - axis.min) / (axis.max - axis.min);
    }
    if (!(value > 0)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double first = std::log10(axis.min);
    return (std::log10(value) - first) / (std::log10(axis.max) - first);
}

double from_unit(const Axis& axis, double unit) {
    if (axis.scale == AxisScale::linear) {
        return axis.min + unit * (axis.max - axis.min);
    }
    const double first = std::log10(axis.min);
    return std::pow(10, first + unit * (std::log10(axis.max) - first));
}

}  // namespace ropescope::plot
