// Puts the spectrum view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/figures/spectrum/spectrum.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"
#include "core/scaling/method.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using plot::say;

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
    const auto add = [&](Index first, Index last, double opacity, const plot::Text& label) {
        if (last > first) {
            panel.marks.emplace_back(plot::Band{.first = to_double(first) - 0.5,
                                                .last = to_double(last) - 0.5,
                                                .role = Role::raised,
                                                .opacity = opacity,
                                                .label = label});
        }
    };
    add(0, kept, 0.0, "kept");
    add(kept, slowed, 0.9, say("blended"));
    add(slowed, state.spec.pairs(), 0.45, say("slowed × {}", plot::number_text(factor)));
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
    const std::size_t first = panel.marks.size();
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
                    .text = say("pair {}: {} {}", pair, plot::number_text(value),
                                state.wavelengths ? "positions" : "rad/position"),
                    .anchor_x = right_half ? 1.0 : 0.0,
                    .anchor_y = below ? 1.0 : 0.0,
                    .away_px = 9});
    plot::mark_selection(panel.marks, first);
}

/// "spectrum": a point for each pair over a logarithmic axis, and the limit of one turn in the
/// context.
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
                                             .text = say("never a full turn"),
                                             .role = Role::dim,
                                             .anchor_y = above ? 0.0 : 1.0,
                                             .away_px = 4});
    }
    panel.marks.emplace_back(
        plot::Rule{.vertical = false,
                   .at = limit,
                   .role = Role::dim,
                   .label = say("one turn in {} positions", whole_text(state.context))});
    add_bands(panel, state);
    if (state.trained > 0 && state.trained != state.context) {
        panel.marks.emplace_back(
            plot::Rule{.vertical = false,
                       .at = state.turn_in(to_double(state.trained)),
                       .role = Role::dim,
                       .label = say("one turn in the trained {}", whole_text(state.trained))});
    }
    add_overlays(panel, state);
    add_pairs(panel.marks, state);
    add_selected(panel, state);
    return panel;
}

/// Of the pairs that turn along an axis.
plot::Text title_along(const SpectrumState& state) {
    const AlongAxis& along = *state.along;
    const plot::Text turning =
        say("{} of {} {} {}", along.turning, counted(state.spec.pairs(), "pair"),
            agreeing(along.turning, "turns", "turn"), along.words());
    return state.unfinished_count == 0
               ? turning
               : turning + say("; {} of them {} a turn within {}", state.unfinished_count,
                               agreeing(state.unfinished_count, "never finishes", "never finish"),
                               counted(state.context, "position"));
}

plot::Text title(const SpectrumState& state) {
    if (state.along) {
        return title_along(state);
    }
    const Index pairs = state.spec.pairs();
    const int unfinished = state.unfinished_count;
    const plot::Number within = counted(state.context, "position");
    if (unfinished == 0) {
        return say("{} at least once within {}",
                   pairs == 1 ? "The only pair turns" : "Every pair turns", within);
    }
    if (unfinished == pairs) {
        return say("{} a turn within {}",
                   pairs == 1 ? "The only pair never finishes" : "No pair ever finishes", within);
    }
    return say("{} of {} {} a turn within {}", unfinished, counted(pairs, "pair"),
               agreeing(unfinished, "never finishes", "never finish"), within);
}

plot::Text subtitle(const SpectrumState& state) {
    const std::string_view quantity = state.wavelengths ? "Wavelength" : "Inverse frequency";
    plot::Text text;
    if (state.along) {
        text += say("{} of each pair that turns.", quantity) + along_sentence(state.along);
    } else {
        text +=
            say("{} of each pair, base {}.", quantity, plot::exact_number_text(state.spec.base)) +
            scaling_sentence(state.spec, state.spectrum);
    }
    if (state.unfinished_count > 0) {
        text += say(" Rings: less than one turn within the context.");
    }
    if (const plot::Text pass_through = pass_through_text(state.spec);
        !state.along && !pass_through.empty()) {
        text += " " + pass_through;
    }
    return text;
}

plot::Figure draw(const SpectrumState& state) {
    plot::Figure figure;
    figure.view = "spectrum";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.row_weights = {1.0};
    figure.column_weights = {1.0};
    figure.data = spectrum_data(state);
    figure.report = report_head(figure, state.spec, state.along) + spectrum_report(state);
    return figure;
}

/// The pair whose point is nearest to the cursor's column.
Index pair_at(const SpectrumState& state, plot::Point at) {
    return plot::pick_index(at.x, state.spec.pairs());
}

std::vector<plot::Readout> pair_readouts(const SpectrumState& state, plot::Point at) {
    const Index pair = pair_at(state, at);
    std::vector<plot::Readout> readouts =
        describe_pair(state.spec, state.spectrum, state.along, pair);
    readouts.push_back(
        {"turns in " + whole_text(state.context), plot::number_text(state.turns(pair))});
    return readouts;
}

Scene select_pair(const SpectrumState& state, Scene scene, plot::Point at) {
    scene.selected_pair = pair_at(state, at);
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const SpectrumState>(make_spectrum_state(scene));
    Picture picture{.figure = draw(*state)};
    picture.add(spectrum_panel(*state), {state, pair_readouts, select_pair});
    return picture;
}

}  // namespace

View spectrum_view() {
    return {
        .id = "spectrum",
        .key = '2',
        .name = "Spectrum",
        .group = "One pair, many speeds",
        .question = "Which pairs see far, which never finish a turn?",
        .parameters = with_scaling_parameters({"spectrum_quantity", "context_length",
                                               "spectrum_overlay", "head_dim", "rotary_dim", "base",
                                               "layout", "selected_pair", "axis"}),
        .also_read = {"axes_model", "axes_part", "axes_head"},
        .make = make,
        .what_you_see =
            "One point for each pair: how many positions one turn takes. Without a scaling the "
            "points lie on a straight line from 2π to nearly 2π × base, for the scale is "
            "logarithmic. Rings are pairs that never finish a turn in this context. With a scaling "
            "the dashed curve is the unscaled spectrum; shading shows which pairs YaRN and Llama 3 "
            "change.",
        .what_to_try =
            "Raise the base: the line gets steeper and more pairs never finish a turn. Lengthen "
            "the context: the line \"one turn\" moves, and more pairs finish one. Choose a "
            "scaling, and the overlay \"methods\" to see what each would do. "
            "Click a point to follow its pair in the other views.",
        .formulas = {"θ_{i} = base^{−2i/d}", "λ_{i} = 2π / θ_{i} = 2π base^{2i/d}"},
        .formula_source = "RoFormer, section 3.2.2; d is rotary_dim, i counts from 0",
    };
}

}  // namespace ropescope::figures
