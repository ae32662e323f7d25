// Draws what the two systems of the layouts view make of a vector and of its scores.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/layouts/panels.h"
#include "app/figures/layouts/walk.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"
#include "core/base/error.h"
#include "core/systems/properties.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

constexpr Index kVectors = 4;          ///< probe vectors of a curve's point
constexpr int kLastPower = 17;         ///< curves run over 2^0 .. 2^17
constexpr double kFloor = 1e-9;        ///< what is smaller is drawn here
constexpr double kRounding = 0x1p-18;  ///< of an output: more than a few roundings of 2^-24 make
constexpr const char* kBroken = "strided_llama_as_written";

/// value(x) at the powers of two; what cannot be computed is left out.
template <typename Value>
std::vector<Point> curve(Value value) {
    std::vector<Point> points;
    for (int power = 0; power <= kLastPower; ++power) {
        const Index at = Index{1} << power;
        try {
            const double y = value(at);
            if (std::isfinite(y)) {
                points.push_back({to_double(at), std::clamp(y, kFloor, 1e3)});
            }
        } catch (const InputError&) {
            return {};  // it does not run at this head_dim; the panel above says why
        }
    }
    return points;
}

/// Draws b first, so that a lies on top; for comparison also a broken system, dashed, unless a or b
/// is one.
template <typename Value>
void add_curves(plot::Panel& panel, const SystemComparison& comparison, Value value) {
    const auto add = [&](const System& system, Role role, double width, plot::Dash dash,
                         const std::string& label) {
        std::vector<Point> points = curve([&](std::int64_t at) { return value(system, at); });
        if (!points.empty()) {
            panel.marks.emplace_back(plot::Line{.points = std::move(points),
                                                .role = role,
                                                .width = width,
                                                .dash = dash,
                                                .label = label});
        }
    };
    const System& a = *comparison.verdict.a;
    const System& b = *comparison.verdict.b;
    if (a.id != kBroken && b.id != kBroken) {
        add(find_system(kBroken), Role::wrong, 0.75, plot::Dash::dashed, "strided LLaMA");
    }
    if (&a != &b) {
        add(b, Role::second, 1.75, plot::Dash::long_dash, b.title);
    }
    add(a, Role::first, 1, plot::Dash::none, a.title);
}

plot::Panel curve_panel(const char* id, const char* title, const char* x, int row) {
    return {.id = id,
            .title = title,
            .x = {.label = x, .min = 1, .max = 1 << kLastPower, .scale = plot::AxisScale::log10},
            .y = {.min = kFloor / 3, .max = 1e2, .scale = plot::AxisScale::log10},
            .row = row,
            .column = 1};
}

std::vector<Point> channel_points(const std::vector<double>& values) {
    std::vector<Point> points;
    for (Index c = 0; c < std::ssize(values); ++c) {
        points.push_back({to_double(c), values[c]});
    }
    return points;
}

plot::Axis channel_axis(const SystemComparison& comparison) {
    return {.min = -0.7, .max = to_double(comparison.head_dim) - 0.3, .integers = true};
}

double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

/// 1, 2 or 5 times a power of ten: the ends of an axis that have ticks however low it is.
double rounded_up(double value) {
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    return decade * (value <= decade ? 1 : value <= 2 * decade ? 2 : value <= 5 * decade ? 5 : 10);
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out;
    for (Index c = 0; c < std::min(std::ssize(a), std::ssize(b)); ++c) {
        out.push_back(b[c] - a[c]);
    }
    return out;
}

void add_stems(plot::Panel& panel, const std::vector<double>& values, Role role) {
    for (const Point& point : channel_points(values)) {
        panel.marks.emplace_back(
            plot::Line{.points = {{point.x, 0}, point}, .role = role, .width = 0.75});
    }
    panel.marks.emplace_back(
        plot::Points{.points = channel_points(values), .role = role, .radius_px = 2.2});
}

}  // namespace

plot::Panel output_panel(const Scene& scene, const SystemComparison& comparison) {
    const double limit =
        1.15 * std::max({largest(comparison.a.values), largest(comparison.b.values), 0.1});
    plot::Panel panel{.id = "outputs",
                      .title = "one vector at position " + whole_text(scene.query_position),
                      .x = channel_axis(comparison),
                      .y = {.min = -limit, .max = limit},
                      .column = 1};
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 0, .role = Role::grid, .dashed = false});
    const double size = comparison.head_dim <= kMostNumberedChannels ? 5 : 3.2;
    panel.marks.emplace_back(plot::Points{.points = channel_points(comparison.b.values),
                                          .role = Role::second,
                                          .radius_px = size,
                                          .ring = true});
    panel.marks.emplace_back(plot::Points{.points = channel_points(comparison.a.values),
                                          .role = Role::first,
                                          .radius_px = 0.55 * size});
    const std::string& error = comparison.a.error.empty() ? comparison.b.error : comparison.a.error;
    if (!error.empty()) {
        panel.corners.bottom_left = "does not run: " + error;
    }
    return panel;
}

plot::Panel difference_panel(const SystemComparison& comparison) {
    const std::vector<double> plain = difference(comparison.a.values, comparison.b.values);
    const std::vector<double> permuted =
        difference(comparison.a.values, comparison.b_permuted.values);
    const double outputs = std::max(largest(comparison.a.values), 0.1);
    const double most = std::max(largest(plain), largest(permuted));
    // What fp32's rounding alone makes stays flat on the scale of the outputs.
    const double limit = 1.1 * rounded_up(most > kRounding * outputs ? most : outputs);
    plot::Panel panel{.id = "difference",
                      .title = "difference, channel by channel",
                      .x = channel_axis(comparison),
                      .y = {.min = -limit, .max = limit},
                      .row = 1,
                      .column = 1};
    panel.x.label = "channel";
    panel.corners.top_right =
        permuted.empty()
            ? "largest " + plot::few_digits_text(largest(plain), 2)
            : fmt::format("largest {}, with P {}", plot::few_digits_text(largest(plain), 2),
                          plot::few_digits_text(largest(permuted), 2));
    add_stems(panel, plain, permuted.empty() ? Role::text : Role::faint);
    if (!permuted.empty()) {
        panel.marks.emplace_back(
            plot::Points{.points = channel_points(permuted), .role = Role::text, .radius_px = 1.5});
    }
    return panel;
}

plot::Panel norm_panel(const Scene& scene, const SystemComparison& comparison) {
    plot::Panel panel =
        curve_panel("norm", "change of the norm, | |f(x)| / |x| − 1 |", "position", 2);
    add_curves(panel, comparison, [&](const System& system, std::int64_t position) {
        return norm_ratio(system, comparison.head_dim, scene.base, position, kVectors).change();
    });
    return panel;
}

plot::Panel shift_panel(const Scene& scene, const SystemComparison& comparison) {
    plot::Panel panel = curve_panel("shift", "change of the score when both move",
                                    "shift of query and key (positions)", 3);
    add_curves(panel, comparison, [&](const System& system, std::int64_t shift) {
        return relative_violation(system, comparison.head_dim, scene.base, scene.query_position,
                                  scene.key_position, shift, kVectors);
    });
    return panel;
}

}  // namespace ropescope::figures
