// Makes ranges drawable, and converts between values and places on an axis.
#include "app/plot/axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <tuple>
#include <utility>

#include "app/plot/number_text.h"

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

// Chooses the ticks of linear, whole-number and logarithmic axes.

namespace {

/// mantissa * 10^exponent, rounded once: 3 * 10^-1 is 0.3, not 0.30000000000000004.
double scaled(double mantissa, int exponent) {
    return exponent < 0 ? mantissa / std::pow(10, -exponent) : mantissa * std::pow(10, exponent);
}

int whole(double x) {
    return static_cast<int>(std::floor(x));
}

struct Step {
    double mantissa = 1;
    int exponent = 0;
    double size() const { return scaled(mantissa, exponent); }
};

/// The smallest of 1, 2, 5 x 10^k that is at least `size`.
Step nice_step(double size) {
    const int exponent = whole(std::log10(size));
    for (const double mantissa : {1.0, 2.0, 5.0}) {
        // Without the slack span / most = 0.2000000001 would jump to 0.5.
        if (scaled(mantissa, exponent) >= size * (1 - 1e-6)) {
            return {mantissa, exponent};
        }
    }
    return {1, exponent + 1};
}

/// Whole numbers count channels, pairs and positions, which come in powers of two. So the steps
/// between ticks are powers of two as well, unless the range is short or far from zero, where
/// people look for round numbers.
Step whole_step(double low, double span, double size) {
    if (span < 16 || low > span) {
        const Step step = nice_step(size);
        return step.size() < 1 ? Step{1, 0} : step;
    }
    return {std::exp2(std::ceil(std::log2(std::max(size, 1.0)) - 1e-6)), 0};
}

/// Keeps the digits that tell neighbouring ticks apart, whatever the range.
std::string tick_text(double value, double step, double largest, bool signs) {
    const int step_place = whole(std::log10(step) + 1e-6);
    std::string text;
    if (value == 0) {
        text = "0";
    } else if (largest < 1e7 && largest >= 1e-3 && step_place >= -9) {
        text = grouped(
            without_trailing_zeros(fmt::format("{:.{}f}", value, std::max(0, -step_place))));
    } else {
        const int place = whole(std::log10(std::abs(value)));
        const std::string full =
            fmt::format("{:.{}e}", value, std::clamp(place - step_place, 0, 17));
        const std::size_t e = full.find('e');
        text = times_power_of_ten(with_true_minus(without_trailing_zeros(full.substr(0, e))),
                                  std::stoi(full.substr(e + 1)));
    }
    return signs && value > 0 ? "+" + text : with_true_minus(text);
}

/// The multiples of a step that lie in a range.
struct Multiples {
    Step step;
    double first = 0, last = 0;
    int count() const { return whole(last - first) + 1; }
};

Multiples multiples(double low, double high, double size, bool integers) {
    const Step step = integers ? whole_step(low, high - low, size) : nice_step(size);
    // A tick that an end of the range misses by rounding is included.
    const double slack = integers ? 0 : 1e-9;
    return {step, std::ceil(low / step.size() - slack), std::floor(high / step.size() + slack)};
}

std::vector<Tick> linear_ticks(double low, double high, const Axis& axis, int most) {
    // A range from tick to tick has one tick more than it has steps.
    Multiples found = multiples(low, high, high / (most + 1) - low / (most + 1), axis.integers);
    if (found.count() > most + 1) {
        found = multiples(low, high, high / most - low / most, axis.integers);
    }
    const double size = found.step.size();
    const double largest = std::max(std::abs(low), std::abs(high));
    std::vector<Tick> ticks;
    for (int i = 0; i < found.count(); ++i) {
        const double multiple = (found.first + i) * found.step.mantissa;
        const double value = std::clamp(scaled(multiple, found.step.exponent), low, high);
        // Adding 0.0 turns -0 into 0.
        ticks.push_back({0.0 + value, tick_text(value, size, largest, axis.signs), true});
    }
    return ticks;
}

/// 1, 2 or 5 times a power of ten, written plainly if all ticks of the axis can be, else with an
/// exponent.
std::string log_text(int mantissa, int exponent, bool plain) {
    if (plain) {
        return number_text(scaled(mantissa, exponent));
    }
    const std::string front = mantissa == 1 ? "" : fmt::format("{}\u00d7", mantissa);
    return fmt::format("{}10^{{{}}}", front, exponent);
}

/// Every decade that is a multiple of `stride`; if none is left out, also 2 and 5 times each
/// decade.
std::vector<Tick> decades(double low, double high, int stride) {
    constexpr double kSlack = 1e-9;
    const int first = whole(std::log10(low) + kSlack);
    const int last = whole(std::log10(high) + kSlack);
    const bool plain = first >= -4 && last <= 6;
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; ++exponent) {
        for (const int mantissa : {1, 2, 5}) {
            const double value = scaled(mantissa, exponent);
            const bool major = mantissa == 1 && exponent % stride == 0;
            const bool inside = value >= low * (1 - kSlack) && value <= high * (1 + kSlack);
            if (inside && (major || stride == 1)) {
                ticks.push_back(
                    {std::clamp(value, low, high), log_text(mantissa, exponent, plain), major});
            }
        }
    }
    return ticks;
}

/// Every power of two, or every n-th if there are too many.
std::vector<Tick> doublings(double low, double high, int most) {
    constexpr double kSlack = 1e-9;
    const int first = whole(std::ceil(std::log2(std::max(low, 1.0)) - kSlack));
    const int last = whole(std::log2(high) + kSlack);
    const int stride = std::max(1, (last - first + most) / most);
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; exponent += stride) {
        const double value = std::clamp(std::exp2(exponent), low, high);
        ticks.push_back({value, number_text(value), true});
    }
    return ticks;
}

std::vector<Tick> log_ticks(double low, double high, const Axis& axis, int most) {
    if (axis.integers) {
        if (std::vector<Tick> ticks = doublings(low, high, most); ticks.size() >= 2) {
            return ticks;
        }
    }
    const double span = std::log10(high) - std::log10(low);
    for (int stride = std::max(1, whole(std::ceil(span / most))); stride > 0; --stride) {
        std::vector<Tick> ticks = decades(low, high, stride);
        const auto majors =
            std::ranges::count_if(ticks, [](const Tick& tick) { return tick.major; });
        if (majors >= 2) {
            return ticks;
        }
        if (stride == 1 && ticks.size() >= 3) {
            for (Tick& tick : ticks) {
                tick.major = true;
            }
            return ticks;
        }
    }
    return linear_ticks(low, high, axis, most);  // less than a decade
}

}  // namespace

std::vector<Tick> make_ticks(const Axis& axis, int most) {
    const Axis range = drawable(axis);
    const auto [low, high] = std::minmax({range.min, range.max});
    most = std::clamp(most, 1, 100);
    return range.scale == AxisScale::log10 ? log_ticks(low, high, range, most)
                                           : linear_ticks(low, high, range, most);
}

}  // namespace ropescope::plot
