#include "app/figures/spectrum_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/plot/layout.h"

namespace ropescope::figures {
namespace {

using plot::Role;

constexpr double kTurn = 2 * std::numbers::pi;

/// What the view draws, computed once from the scene.
struct SpectrumState {
    RopeSpec spec;
    Spectrum spectrum;
    bool wavelengths = true;  ///< or inverse frequencies
    double context = 0;

    /// A pair that does not finish one turn within the context.
    bool unfinished(int pair) const { return spectrum.wavelength_positions(pair) > context; }
    double value(int pair) const {
        return wavelengths ? spectrum.wavelength_positions(pair)
                           : spectrum.inv_freq_rad[static_cast<std::size_t>(pair)];
    }
    /// The value of a pair that turns exactly once within the context.
    double limit() const { return wavelengths ? context : kTurn / context; }
};

SpectrumState make_state(const Scene& scene) {
    const RopeSpec spec = rope_spec(scene);
    return {.spec = spec,
            .spectrum = make_spectrum(spec),
            .wavelengths = scene.spectrum_quantity == "wavelength",
            .context = static_cast<double>(scene.context_length)};
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
                                   plot::number_text(state.spec.base));
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
    const double gap = 0.02 * state.spec.pairs() + 0.1;
    // A rising line leaves room below right and above left of it, a falling one the other two.
    const bool rising = state.wavelengths == (state.spec.base >= 1);
    const bool below = right_half != rising;
    const double lift = std::pow(panel.y.max / panel.y.min, 0.015);
    panel.marks.emplace_back(
        plot::Label{.at = {right_half ? x - gap : x + gap, below ? value / lift : value * lift},
                    .text = fmt::format("pair {}: {}{}", pair, plot::number_text(value),
                                        state.wavelengths ? " positions" : " rad/position"),
                    .anchor_x = right_half ? 1.0 : 0.0,
                    .anchor_y = below ? 1.0 : 0.0});
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
                                        .last = above ? panel.y.max : limit,
                                        .label = "never a full turn"});
    panel.marks.emplace_back(
        plot::Rule{.vertical = false,
                   .at = limit,
                   .role = Role::dim,
                   .label = "one turn in " + whole_text(scene.context_length) + " positions"});
    add_pairs(panel.marks, state);
    add_selected(panel, state, static_cast<int>(scene.selected_pair));
    return panel;
}

double turns(const SpectrumState& state, int pair) {
    return state.context / state.spectrum.wavelength_positions(pair);
}

plot::DataTable data(const SpectrumState& state) {
    std::vector<std::int64_t> pairs, first, second;
    std::vector<double> inv_freq, wavelength, turned;
    for (int pair = 0; pair < state.spec.pairs(); ++pair) {
        const ChannelPair channels = pair_channels(state.spec.layout, state.spec.rotary_dim, pair);
        pairs.push_back(pair);
        first.push_back(channels.first);
        second.push_back(channels.second);
        inv_freq.push_back(state.spectrum.inv_freq_rad[static_cast<std::size_t>(pair)]);
        wavelength.push_back(state.spectrum.wavelength_positions(pair));
        turned.push_back(turns(state, pair));
    }
    return {{{"pair", pairs},
             {"first_channel", first},
             {"second_channel", second},
             {"inv_freq_rad", inv_freq},
             {"wavelength_positions", wavelength},
             {"turns_in_context", turned}}};
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
             state.unfinished(pair) ? "never a full turn" : "",
             pair == scene.selected_pair ? "selected" : ""});
    }
    std::string text = text_table({"pair", "channels", "θ rad/position", "λ positions",
                                   fmt::format("turns in {}", scene.context_length), "", ""},
                                  rows);
    if (shown < pairs) {
        text += fmt::format("{} of {} pairs, evenly chosen; the CSV has all\n", shown, pairs);
    }
    return text;
}

plot::Figure figure(const Scene& scene, Engine&) {
    const SpectrumState state = make_state(scene);
    plot::Figure figure;
    figure.view = "spectrum";
    figure.title = title(state, scene);
    figure.subtitle = subtitle(state);
    figure.panels = {panel(scene, state)};
    figure.row_weights = {1.0};
    figure.column_weights = {1.0};
    figure.data = data(state);
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
        .parameters = {"spectrum_quantity", "context_length", "head_dim", "rotary_dim", "base",
                       "layout", "selected_pair"},
        .figure = figure,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "One point a pair: how many positions one turn takes. On the logarithmic axis the "
            "pairs lie on a straight line from 2π up to nearly 2π × base. Pairs beyond the rule "
            "never finish a turn in this context: to them every distance is new.",
        .what_to_try =
            "Raise the base: the line tilts up and more pairs stay below a turn. Lengthen the "
            "context: the rule rises, and pairs that never finished a turn in training begin to. "
            "Click a point to follow its pair in the other views.",
        .formulas = {"θ_{i} = base^{−2i/d}", "λ_{i} = 2π / θ_{i} = 2π base^{2i/d}"},
        .formula_source = "RoFormer, section 3.2.2; d is rotary_dim, i counts from 0",
    };
}

}  // namespace ropescope::figures
