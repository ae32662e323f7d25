#include "app/figures/spectrum/view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/plot/layout.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

using plot::Role;
constexpr double kTurn = 2 * std::numbers::pi;

/// What the view draws, computed once from the scene.
struct SpectrumState {
    RopeSpec spec;
    Spectrum spectrum;
    Spectrum plain;           ///< without scaling
    bool wavelengths = true;  ///< or inverse frequencies
    double context = 0;
    double trained = 0;  ///< context before the scaling; 0 where there is none

    bool scaled() const { return !std::holds_alternative<NoScaling>(spec.scaling); }
    /// By how much the scaling slows a pair; infinite where it stops it.
    double slowdown(int pair) const {
        const auto i = static_cast<std::size_t>(pair);
        return plain.inv_freq_rad[i] / spectrum.inv_freq_rad[i];
    }

    /// A pair that does not finish one turn within the context.
    bool unfinished(int pair) const { return spectrum.wavelength_positions(pair) > context; }
    double value(int pair) const {
        return wavelengths ? spectrum.wavelength_positions(pair)
                           : spectrum.inv_freq_rad[static_cast<std::size_t>(pair)];
    }
    /// The value of a pair that turns exactly once within the context.
    double limit() const { return turn_in(context); }
    double turn_in(double positions) const { return wavelengths ? positions : kTurn / positions; }
    double value_of(double inv_freq_rad) const {
        return wavelengths ? kTurn / inv_freq_rad : inv_freq_rad;
    }
};

SpectrumState make_state(const Scene& scene) {
    const RopeSpec spec = at_context(rope_spec(scene), scene.context_length);
    return {.spec = spec,
            .spectrum = make_spectrum(spec),
            .plain = make_spectrum(unscaled_rope_spec(scene)),
            .wavelengths = scene.spectrum_quantity == "wavelength",
            .context = static_cast<double>(scene.context_length),
            .trained = static_cast<double>(original_positions(spec.scaling).value_or(0))};
}

int count_unfinished(const SpectrumState& state) {
    int count = 0;
    for (int pair = 0; pair < state.spec.pairs(); ++pair) {
        count += state.unfinished(pair) ? 1 : 0;
    }
    return count;
}

std::string title(const SpectrumState& state, const Scene& scene) {
    const int pairs = state.spec.pairs();
    const int unfinished = count_unfinished(state);
    const std::string within = whole_text(scene.context_length) + " positions";
    if (unfinished == 0) {
        return fmt::format("{} at least once within {}",
                           pairs == 1 ? "The only pair turns" : "Every pair turns", within);
    }
    if (unfinished == pairs) {
        return fmt::format("{} a turn within {}",
                           pairs == 1 ? "The only pair never finishes" : "No pair ever finishes",
                           within);
    }
    return fmt::format("{} of {} {} a turn within {}", unfinished, counted(pairs, "pair"),
                       unfinished == 1 ? "never finishes" : "never finish", within);
}

std::string subtitle(const SpectrumState& state) {
    std::string text = fmt::format("{} of every pair, base {}.",
                                   state.wavelengths ? "Wavelength" : "Inverse frequency",
                                   plot::exact_number_text(state.spec.base));
    text += scaling_sentence(state.spec, state.spectrum);
    if (count_unfinished(state) > 0) {
        text += " Rings: less than one turn within the context.";
    }
    if (const std::string pass_through = pass_through_text(state.spec); !pass_through.empty()) {
        text += " " + pass_through;
    }
    return text;
}

plot::Axis value_axis(const SpectrumState& state) {
    double lowest = state.limit(), highest = state.limit();
    if (state.scaled()) {
        highest = std::max(highest, state.value_of(state.plain.inv_freq_rad.back()));
        lowest = std::min(lowest, state.value_of(state.plain.inv_freq_rad.back()));
    }
    for (int pair = 0; pair < state.spec.pairs(); ++pair) {
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

struct Overlay {
    std::string name;
    std::vector<double> inv_freq_rad;
    Role role = Role::dim;
    bool dashed = true;
};

/// What is drawn beside the points: the unscaled spectrum, or every method with the scene's factor.
std::vector<Overlay> overlays(const Scene& scene, const SpectrumState& state) {
    if (scene.spectrum_overlay == "none") {
        return {};
    }
    std::vector<Overlay> lines;
    if (state.scaled()) {
        lines.push_back({"unscaled", state.plain.inv_freq_rad});
    }
    if (scene.spectrum_overlay == "methods") {
        const std::pair<const char*, Role> kMethods[] = {{"linear", Role::key},
                                                         {"ntk", Role::cos_part},
                                                         {"yarn", Role::sin_part},
                                                         {"llama3", Role::text}};
        for (const auto& [method, role] : kMethods) {
            RopeSpec spec = state.spec;
            spec.scaling = scene_scaling(scene, method);
            if (method != scaling_type(state.spec.scaling)) {
                lines.push_back({method, make_spectrum(spec).inv_freq_rad, role, false});
            }
        }
    }
    return lines;
}

void add_overlays(plot::Panel& panel, const Scene& scene, const SpectrumState& state) {
    for (const Overlay& overlay : overlays(scene, state)) {
        plot::Line line{.points = {},
                        .role = overlay.role,
                        .width = 0.75,
                        .dashed = overlay.dashed,
                        .label = overlay.name};
        for (std::size_t i = 0; i < overlay.inv_freq_rad.size(); ++i) {
            line.points.push_back(
                {static_cast<double>(i), state.value_of(overlay.inv_freq_rad[i])});
        }
        panel.marks.emplace_back(std::move(line));
    }
}

/// YaRN and Llama 3 leave the first pairs alone, slow the last ones by the whole factor and blend
/// those between: a band each for what is changed.
void add_bands(plot::Panel& panel, const SpectrumState& state) {
    const double factor = extension_factor(state.spec.scaling);
    if (!std::holds_alternative<YarnScaling>(state.spec.scaling) &&
        !std::holds_alternative<Llama3Scaling>(state.spec.scaling)) {
        return;
    }
    constexpr double kSame = 1e-12;  // well above a few roundings, well below a blend
    int kept = 0, slowed = state.spec.pairs();
    while (kept < state.spec.pairs() && state.slowdown(kept) < 1.0 + kSame) {
        ++kept;
    }
    while (slowed > kept && state.slowdown(slowed - 1) > factor * (1.0 - kSame)) {
        --slowed;
    }
    const auto add = [&](int first, int last, double opacity, const std::string& label) {
        if (last > first) {
            panel.marks.emplace_back(plot::Band{.first = first - 0.5,
                                                .last = last - 0.5,
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
    plot::Points finished{.points = {}, .role = Role::query, .radius_px = 4};
    plot::Points unfinished{.points = {}, .role = Role::text, .radius_px = 4, .ring = true};
    for (int pair = 0; pair < state.spec.pairs(); ++pair) {
        auto& points = state.unfinished(pair) ? unfinished.points : finished.points;
        if (std::isfinite(state.value(pair))) {
            points.push_back({static_cast<double>(pair), state.value(pair)});
        }
    }
    marks.emplace_back(std::move(finished));
    marks.emplace_back(std::move(unfinished));
}

/// The selected pair: a rule through it, a larger ring, its name and value.
void add_selected(plot::Panel& panel, const SpectrumState& state, int pair) {
    const auto x = static_cast<double>(pair);
    const double value = state.value(pair);
    if (!std::isfinite(value)) {
        return;
    }
    panel.marks.emplace_back(
        plot::Points{.points = {{x, value}}, .role = Role::query, .radius_px = 8, .ring = true});
    panel.marks.emplace_back(
        plot::Points{.points = {{x, value}}, .role = Role::query, .radius_px = 4});
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

plot::Panel panel(const Scene& scene, const SpectrumState& state) {
    const double limit = state.limit();
    plot::Panel panel{
        .id = "spectrum",
        .x = {.label = "pair", .min = -0.75, .max = state.spec.pairs() - 0.25, .integers = true},
        .y = value_axis(state)};
    const bool above = state.wavelengths;
    panel.marks.emplace_back(plot::Band{.vertical = false,
                                        .first = above ? limit : panel.y.min,
                                        .last = above ? panel.y.max : limit});
    if (count_unfinished(state) > 0) {
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
                   .label = "one turn in " + whole_text(scene.context_length) + " positions"});
    add_bands(panel, state);
    if (state.trained > 0 && state.trained != state.context) {
        panel.marks.emplace_back(plot::Rule{
            .vertical = false,
            .at = state.turn_in(state.trained),
            .role = Role::dim,
            .label =
                "one turn in the trained " + whole_text(static_cast<std::int64_t>(state.trained))});
    }
    add_overlays(panel, scene, state);
    add_pairs(panel.marks, state);
    add_selected(panel, state, static_cast<int>(scene.selected_pair));
    return panel;
}

double turns(const SpectrumState& state, int pair) {
    return state.context / state.spectrum.wavelength_positions(pair);
}

plot::DataTable data(const Scene& scene, const SpectrumState& state) {
    std::vector<std::int64_t> pairs, first, second;
    std::vector<double> inv_freq, wavelength, turned, unscaled, slowdown;
    for (int pair = 0; pair < state.spec.pairs(); ++pair) {
        const ChannelPair channels = pair_channels(state.spec.layout, state.spec.rotary_dim, pair);
        pairs.push_back(pair);
        first.push_back(channels.first);
        second.push_back(channels.second);
        inv_freq.push_back(state.spectrum.inv_freq_rad[static_cast<std::size_t>(pair)]);
        wavelength.push_back(state.spectrum.wavelength_positions(pair));
        turned.push_back(turns(state, pair));
        unscaled.push_back(state.plain.inv_freq_rad[static_cast<std::size_t>(pair)]);
        slowdown.push_back(state.slowdown(pair));
    }
    plot::DataTable table{{{"pair", pairs},
                           {"first_channel", first},
                           {"second_channel", second},
                           {"inv_freq_rad", inv_freq},
                           {"wavelength_positions", wavelength},
                           {"turns_in_context", turned},
                           {"unscaled_inv_freq_rad", unscaled},
                           {"slowdown", slowdown}}};
    for (const Overlay& overlay : overlays(scene, state)) {
        table.columns.push_back({overlay.name + "_overlay_inv_freq_rad", overlay.inv_freq_rad});
    }
    return table;
}

/// Every pair, or an even choice of 64 where there are more.
std::string report(const SpectrumState& state, const Scene& scene) {
    constexpr int kMostRows = 64;
    const int pairs = state.spec.pairs();
    const int shown = std::min(pairs, kMostRows);
    std::vector<std::vector<std::string>> rows;
    for (int row = 0; row < shown; ++row) {
        const int pair = shown == 1 ? 0 : row * (pairs - 1) / (shown - 1);
        const ChannelPair channels = pair_channels(state.spec.layout, state.spec.rotary_dim, pair);
        rows.push_back(
            {fmt::format("{}", pair), fmt::format("{}, {}", channels.first, channels.second),
             fmt::format("{:.6g}", state.spectrum.inv_freq_rad[static_cast<std::size_t>(pair)]),
             fmt::format("{:.6g}", state.spectrum.wavelength_positions(pair)),
             fmt::format("{:.4g}", turns(state, pair)),
             state.scaled() ? fmt::format("{:.4g}", state.slowdown(pair)) : "",
             state.unfinished(pair) ? "never a full turn" : "",
             pair == scene.selected_pair ? "selected" : ""});
    }
    std::string text = text_table({"pair", "channels", "θ rad/position", "λ positions",
                                   fmt::format("turns in {}", scene.context_length),
                                   state.scaled() ? "slowdown" : "", "", ""},
                                  rows);
    if (shown < pairs) {
        text += fmt::format("{} of {} pairs, evenly chosen; the CSV has all\n", shown, pairs);
    }
    return text;
}

plot::Figure figure(const Scene& scene, Engine&, const Work&) {
    const SpectrumState state = make_state(scene);
    plot::Figure figure;
    figure.view = "spectrum";
    figure.title = title(state, scene);
    figure.subtitle = subtitle(state);
    figure.panels = {panel(scene, state)};
    figure.row_weights = {1.0};
    figure.column_weights = {1.0};
    figure.data = data(scene, state);
    figure.report = report_head(figure, state.spec) + report(state, scene);
    return figure;
}

/// The pair whose point is nearest to the cursor's column.
int pair_at(const RopeSpec& spec, plot::Point at) {
    const double last = spec.pairs() - 1;
    return std::isfinite(at.x) ? static_cast<int>(std::clamp(std::round(at.x), 0.0, last)) : 0;
}

std::vector<plot::Readout> readouts(const Scene& scene, std::string_view panel, plot::Point at) {
    if (panel != "spectrum") {
        return {};
    }
    const SpectrumState state = make_state(scene);
    const int pair = pair_at(state.spec, at);
    std::vector<plot::Readout> readouts = describe_pair(state.spec, state.spectrum, pair);
    readouts.push_back(
        {"turns in " + whole_text(scene.context_length), plot::number_text(turns(state, pair))});
    return readouts;
}

Scene clicked(const Scene& scene, std::string_view panel, plot::Point at) {
    Scene next = scene;
    if (panel == "spectrum") {
        next.selected_pair = pair_at(rope_spec(scene), at);
    }
    return next;
}

}  // namespace

View spectrum_view() {
    return {
        .id = "spectrum",
        .name = "Spectrum",
        .group = "One pair, many speeds",
        .question = "Which pairs see far, which never finish a turn?",
        .parameters =
            with_scaling_parameters({"spectrum_quantity", "context_length", "spectrum_overlay",
                                     "head_dim", "rotary_dim", "base", "layout", "selected_pair"}),
        .figure = figure,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "One point a pair: how many positions one turn takes. On the logarithmic axis the "
            "pairs lie on a straight line from 2π up to nearly 2π × base. Pairs beyond the rule "
            "never finish a turn in this context. With a scaling the dashed line is the unscaled "
            "spectrum, and what YaRN and Llama 3 change is shaded.",
        .what_to_try =
            "Raise the base: the line tilts up and more pairs stay below a turn. Lengthen the "
            "context: the rule rises, and pairs that never finished a turn in training begin to. "
            "Choose a scaling, and the overlay methods to see what each would do. "
            "Click a point to follow its pair in the other views.",
        .formulas = {"θ_{i} = base^{−2i/d}", "λ_{i} = 2π / θ_{i} = 2π base^{2i/d}"},
        .formula_source = "RoFormer, section 3.2.2; d is rotary_dim, i counts from 0",
    };
}

}  // namespace ropescope::figures
