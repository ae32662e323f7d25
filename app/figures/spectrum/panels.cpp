// Draws the pairs of the spectrum view, the limit that they are compared with, and what a scaling
// changes.
#include "app/figures/spectrum/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

plot::Axis value_axis(const SpectrumState& state) {
    double lowest = state.limit(), highest = state.limit();
    if (state.scaled()) {
        highest = std::max(highest, state.value_of(state.plain.inv_freq_rad.back()));
        lowest = std::min(lowest, state.value_of(state.plain.inv_freq_rad.back()));
    }
    for (Index pair = 0; pair < state.spec.pairs(); ++pair) {
        const double value = state.value(pair);
        if (std::isfinite(value) && value > 0) {
            lowest = std::min(lowest, value);
            highest = std::max(highest, value);
        }
    }
    constexpr double kMargin = 1.6;  // a factor: the axis is logarithmic
    return {.label = state.wavelengths ? "wavelength (positions per turn)"
                                       : "inverse frequency θ (rad per position)",
            .min = std::max(lowest / kMargin, 1e-300),
            .max = std::min(highest * kMargin, 1e300),
            .scale = plot::AxisScale::log10};
}

void add_overlays(plot::Panel& panel, const SpectrumState& state) {
    for (const SpectrumOverlay& overlay : state.overlays) {
        plot::Line line{.points = {},
                        .role = overlay.role,
                        .width = 0.75,
                        .dash = overlay.dash,
                        .label = scaling_name(overlay.name)};
        for (const double inv_freq : overlay.inv_freq_rad) {
            line.points.push_back({to_double(std::ssize(line.points)), state.value_of(inv_freq)});
        }
        panel.marks.emplace_back(std::move(line));
    }
}

/// A band each for the pairs that keep their speed, those that are blended, and those that are
/// slowed by the whole factor.
void add_bands(plot::Panel& panel, const SpectrumState& state) {
    const double factor = extension_factor(state.spec.scaling);
    if (!facts(state.spec.scaling).blends) {
        return;
    }
    constexpr double kSame = 1e-12;  // well above a few roundings, well below a blend
    Index kept = 0, slowed = state.spec.pairs();
    while (kept < state.spec.pairs() && state.slowdown(kept) < 1.0 + kSame) {
        ++kept;
    }
    while (slowed > kept && state.slowdown(slowed - 1) > factor * (1.0 - kSame)) {
        --slowed;
    }
    const auto add = [&](Index first, Index last, double opacity, const std::string& label) {
        if (last > first) {
            panel.marks.emplace_back(plot::Band{.first = to_double(first) - 0.5,
                                                .last = to_double(last) - 0.5,
                                                .role = Role::raised,
                                                .opacity = opacity,
                                                .label = label});
        }
    };
    add(0, kept, 0.0, "kept");
    add(kept, slowed, 0.9, "blended");
    add(slowed, state.spec.pairs(), 0.45, "slowed × " + plot::number_text(factor));
}

/// Pairs that finish a turn as dots, the others as rings.
void add_pairs(std::vector<plot::Mark>& marks, const SpectrumState& state) {
    plot::Points finished{.points = {}, .role = state.role(), .radius_px = 4};
    plot::Points unfinished{.points = {}, .role = Role::text, .radius_px = 4, .ring = true};
    for (Index pair = 0; pair < state.spec.pairs(); ++pair) {
        auto& points = state.unfinished(pair) ? unfinished.points : finished.points;
        if (std::isfinite(state.value(pair))) {
            points.push_back({to_double(pair), state.value(pair)});
        }
    }
    marks.emplace_back(std::move(finished));
    marks.emplace_back(std::move(unfinished));
}

/// The selected pair: a rule through it, a larger ring, its name and value.
void add_selected(plot::Panel& panel, const SpectrumState& state) {
    const Index pair = state.selected;
    const double x = to_double(pair), value = state.value(pair);
    if (!std::isfinite(value)) {
        return;
    }
    panel.marks.emplace_back(
        plot::Points{.points = {{x, value}}, .role = state.role(), .radius_px = 8, .ring = true});
    panel.marks.emplace_back(
        plot::Points{.points = {{x, value}}, .role = state.role(), .radius_px = 4});
    const bool right_half = 2 * pair >= state.spec.pairs();
    // A rising line leaves room below right and above left of it, a falling one the other two.
    const bool rising = state.wavelengths == (state.spec.base >= 1);
    const bool below = right_half != rising;
    panel.marks.emplace_back(
        plot::Label{.at = {x, value},
                    .text = fmt::format("pair {}: {}{}", pair, plot::number_text(value),
                                        state.wavelengths ? " positions" : " rad/position"),
                    .anchor_x = right_half ? 1.0 : 0.0,
                    .anchor_y = below ? 1.0 : 0.0,
                    .away_px = 9});
}

}  // namespace

plot::Panel spectrum_panel(const SpectrumState& state) {
    const double limit = state.limit();
    plot::Panel panel{.id = "spectrum",
                      .x = {.label = "pair",
                            .min = -0.75,
                            .max = to_double(state.spec.pairs()) - 0.25,
                            .integers = true},
                      .y = value_axis(state)};
    const bool above = state.wavelengths;
    panel.marks.emplace_back(plot::Band{.vertical = false,
                                        .first = above ? limit : panel.y.min,
                                        .last = above ? panel.y.max : limit});
    if (state.unfinished_count > 0) {
        panel.marks.emplace_back(plot::Label{.at = {panel.x.min, limit},
                                             .text = "never a full turn",
                                             .role = Role::dim,
                                             .anchor_y = above ? 0.0 : 1.0,
                                             .away_px = 4});
    }
    panel.marks.emplace_back(
        plot::Rule{.vertical = false,
                   .at = limit,
                   .role = Role::dim,
                   .label = "one turn in " + whole_text(state.context) + " positions"});
    add_bands(panel, state);
    if (state.trained > 0 && state.trained != state.context) {
        panel.marks.emplace_back(
            plot::Rule{.vertical = false,
                       .at = state.turn_in(to_double(state.trained)),
                       .role = Role::dim,
                       .label = "one turn in the trained " + whole_text(state.trained)});
    }
    add_overlays(panel, state);
    add_pairs(panel.marks, state);
    add_selected(panel, state);
    return panel;
}

}  // namespace ropescope::figures
