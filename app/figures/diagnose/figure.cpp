// Puts the diagnose view together: its words, its panels and the values under the cursor.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numbers>

#include "app/figures/diagnose/diagnose.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"
#include "core/diagnosis/report.h"

namespace ropescope::figures {
namespace {

using diagnosis::Explanation;
using plot::Role;

Role role_of(const Explanation& side) {
    return side.side == diagnosis::Side::k ? Role::key : Role::query;
}

/// An empty panel says why it is empty.
void leave_empty(plot::Panel& panel, const std::string& text) {
    panel.x = {.visible = false};
    panel.y = {.visible = false};
    panel.marks.emplace_back(plot::Label{.at = {0.5, 0.5},
                                         .text = text,
                                         .role = Role::dim,
                                         .anchor_x = 0.5,
                                         .anchor_y = 0.5,
                                         .width = 0.96,
                                         .smallest = 0.7});
}

/// The powers of ten around the numbers of these marks.
void fit_decades(plot::Axis& axis, const std::vector<double>& values) {
    double low = 1.0, high = 1.0;
    for (const double value : values) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    axis.min = std::pow(10.0, std::floor(std::log10(low) - 0.05));
    axis.max = std::pow(10.0, std::ceil(std::log10(high) + 0.05));
}

plot::Points measured_speeds(const Explanation& side, std::vector<double>& values) {
    const bool keys = side.side == diagnosis::Side::k;
    plot::Points points{
        .points = {}, .role = role_of(side), .radius_px = keys ? 4.5 : 2.5, .ring = keys};
    for (Index pair = 0; pair < side.turns.pairs; ++pair) {
        const double speed = std::abs(DiagnoseState::speed_rad(side, pair));
        if (speed > 0) {
            points.points.push_back({to_double(pair), speed});
            values.push_back(speed);
        }
    }
    return points;
}

/// A line from each run of tokens to the next.
void add_rows(plot::Panel& panel, const Explanation& side) {
    constexpr Index kMostNamed = 8;
    if (side.turns.rows > kMostNamed) {
        return;
    }
    for (Index row = 1; row < side.turns.rows; ++row) {
        panel.marks.emplace_back(
            plot::Rule{.at = to_double(row * side.turns.length) - 0.5, .role = Role::dim});
    }
}

plot::Axis token_axis(const Explanation& side) {
    return {.label = side.turns.rows > 1 ? "token, sequence after sequence" : "token",
            .min = -0.5,
            .max = to_double(DiagnoseState::tokens(side)) - 0.5,
            .integers = true};
}

/// The tokens that are drawn: all, or evenly chosen ones of a long sequence.
std::vector<Index> drawn_tokens(const Explanation& side) {
    constexpr Index kMost = 1024;
    return evenly_chosen(DiagnoseState::tokens(side), kMost);
}

/// "spectrum": the speed of each pair as measured in q and k, over the expected ones.
plot::Panel speeds_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "spectrum", .title = "speed of each pair"};
    std::vector<double> values;
    plot::Line wanted{.points = {}, .role = Role::text, .width = 0.8};
    for (Index pair = 0; pair < std::ssize(state.expected_inv_freq_rad); ++pair) {
        if (state.expected_inv_freq_rad[pair] > 0) {
            wanted.points.push_back({to_double(pair), state.expected_inv_freq_rad[pair]});
            values.push_back(state.expected_inv_freq_rad[pair]);
        }
    }
    std::vector<plot::Points> measured;
    for (const Explanation& side : state.analysis.sides) {
        if (DiagnoseState::has_angles(side)) {
            measured.push_back(measured_speeds(side, values));
        }
    }
    if (values.empty()) {
        leave_empty(panel, "No speed is known.");
        return panel;
    }
    panel.x = {
        .label = "pair", .min = -0.5, .max = to_double(state.pairs()) - 0.5, .integers = true};
    panel.y = {.label = "|θ| (radians per position)", .scale = plot::AxisScale::log10};
    fit_decades(panel.y, values);
    if (!wanted.points.empty()) {
        panel.marks.emplace_back(std::move(wanted));
    }
    // Rings first, so that the points of q lie in them.
    for (auto points = measured.rbegin(); points != measured.rend(); ++points) {
        panel.marks.emplace_back(std::move(*points));
    }
    return panel;
}

/// "pairing": the channel that each channel turns with.
plot::Panel pairing_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "pairing", .title = "channels that turn together", .column = 1};
    const bool any = std::ranges::any_of(state.analysis.sides, [](const Explanation& side) {
        return !side.pairing.rotated.empty();
    });
    if (!any) {
        leave_empty(panel, "No pairing keeps the lengths of the channels.");
        return panel;
    }
    const auto axis = [&](std::string label) {
        return plot::Axis{.label = std::move(label),
                          .min = -1,
                          .max = to_double(state.channels()),
                          .integers = true};
    };
    panel.x = axis("channel");
    panel.y = axis("its partner");
    const auto add = [&](const std::vector<ChannelPair>& pairs, plot::Points points) {
        for (const ChannelPair& pair : pairs) {
            points.points.push_back({to_double(pair.first), to_double(pair.second)});
            points.points.push_back({to_double(pair.second), to_double(pair.first)});
        }
        panel.marks.emplace_back(std::move(points));
    };
    if (state.expected) {
        add(channel_pairs(state.expected->layout, state.expected->rotary_dim),
            {.points = {}, .role = Role::dim, .radius_px = 4.5, .ring = true});
    }
    for (const Explanation& side : state.analysis.sides) {
        const bool keys = side.side == diagnosis::Side::k;
        add(side.pairing.rotated,
            {.points = {}, .role = role_of(side), .radius_px = keys ? 2.6 : 1.6});
    }
    // The points of q are the smaller ones and lie on top.
    if (panel.marks.size() >= 2 && state.analysis.sides.size() == 2) {
        std::swap(panel.marks[panel.marks.size() - 1], panel.marks[panel.marks.size() - 2]);
    }
    return panel;
}

/// "distance": how far the angle of each pair lies from the wanted one at each token.
plot::Panel distance_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "distance", .row = 1};
    const Explanation* side = state.shown();
    if (side == nullptr || side->axis_map) {
        panel.title = "distance of the angles";
        leave_empty(panel,
                    side == nullptr ? "No angle is known." : "The positions have several axes.");
        return panel;
    }
    panel.title = plot::say("angles of {}: distance from the {} ones", to_string(side->side),
                            state.expected ? "expected" : "explained");
    const std::vector<Index> tokens = drawn_tokens(*side);
    constexpr double kLeast = 1e-8;
    plot::HeatMap map{.columns = std::ssize(tokens),
                      .rows = side->turns.pairs,
                      .x0 = -0.5,
                      .y0 = -0.5,
                      .dx = to_double(DiagnoseState::tokens(*side)) / to_double(std::ssize(tokens)),
                      .min = std::log10(kLeast),
                      .max = std::log10(std::numbers::pi),
                      .label = "log_{10} of the distance (radians)"};
    for (Index pair = 0; pair < map.rows; ++pair) {
        for (const Index token : tokens) {
            const double distance = state.distance_rad(*side, token, pair);
            map.values.push_back(static_cast<float>(
                std::isnan(distance) ? distance : std::log10(std::max(distance, kLeast))));
        }
    }
    panel.x = token_axis(*side);
    panel.y = {
        .label = "pair", .min = -0.5, .max = to_double(side->turns.pairs) - 0.5, .integers = true};
    panel.color_bar = true;
    panel.marks.emplace_back(std::move(map));
    add_rows(panel, *side);
    return panel;
}

/// "positions": where each token was found, relative to its stated position.
plot::Panel moved_panel(const DiagnoseState& state) {
    plot::Panel panel{
        .id = "positions", .title = "found position minus stated position", .row = 1, .column = 1};
    double low = -1.0, high = 1.0;
    std::vector<plot::Points> all;
    const Explanation* axis_of = nullptr;
    for (const Explanation& side : state.analysis.sides) {
        if (side.places.position.empty()) {
            continue;
        }
        axis_of = axis_of == nullptr ? &side : axis_of;
        const bool keys = side.side == diagnosis::Side::k;
        plot::Points points{
            .points = {}, .role = role_of(side), .radius_px = keys ? 4.0 : 2.0, .ring = keys};
        for (const Index token : drawn_tokens(side)) {
            const double moved = DiagnoseState::moved(side, token);
            if (std::isfinite(moved)) {
                points.points.push_back({to_double(token), moved});
                low = std::min(low, moved);
                high = std::max(high, moved);
            }
        }
        all.push_back(std::move(points));
    }
    if (axis_of == nullptr) {
        leave_empty(panel, "No position is known.");
        return panel;
    }
    const double margin = 0.08 * (high - low);
    panel.x = token_axis(*axis_of);
    panel.y = {.label = "positions", .min = low - margin, .max = high + margin, .signs = true};
    for (auto points = all.rbegin(); points != all.rend(); ++points) {
        panel.marks.emplace_back(std::move(*points));
    }
    add_rows(panel, *axis_of);
    return panel;
}

std::vector<plot::LegendEntry> diagnose_legend(const DiagnoseState& state) {
    using Kind = plot::LegendEntry::Kind;
    std::vector<plot::LegendEntry> legend;
    for (const Explanation& side : state.analysis.sides) {
        legend.push_back({std::string(to_string(side.side)), role_of(side), Kind::point});
    }
    if (state.expected) {
        legend.push_back({"expected", Role::text, Kind::line});
    }
    return legend;
}

using diagnosis::Explanation;

/// The first line of the report begins with a capital letter here.
plot::Text title(const DiagnoseState& state) {
    std::string text = state.diagnosis().summary();
    if (!text.empty()) {
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    }
    while (text.ends_with('.')) {
        text.pop_back();
    }
    return plot::say("{}", text);
}

/// Which layer and which heads are drawn, if they do not all do the same.
plot::Text shown_part(const DiagnoseState& state) {
    plot::Text text;
    if (state.layer) {
        text += plot::say("The panels show layer {}. ", *state.layer);
    }
    if (!state.analysis.heads.empty()) {
        text += plot::say("The panels show {}. ", state.analysis.heads);
    }
    return text;
}

plot::Text subtitle(const DiagnoseState& state) {
    plot::Text text;
    if (!state.unseen.empty()) {
        text = plot::say("This encoding has nothing that {} could concern. ", state.unseen);
    } else if (!state.fault.empty()) {
        text = plot::say("Planted: {}. ", state.fault);
    } else if (state.origin == "made") {
        text = plot::say("q and k were turned rightly. ");
    }
    if (state.origin != "made") {
        text = plot::say("Recovered from {}. ", state.origin);
    }
    return text + shown_part(state) +
           (state.expected ? plot::say("Held against the encoding of the scene.")
                           : plot::say("Held against no encoding."));
}

plot::Figure draw(const DiagnoseState& state, const RopeSpec& spec) {
    plot::Figure figure;
    figure.view = "diagnose";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.legend = diagnose_legend(state);
    figure.row_weights = {1.0, 1.0, 0.12 + 0.1 * to_double(findings_lines(state))};
    figure.column_weights = {1.35, 1.0};
    figure.data = diagnose_data(state);
    figure.report = report_head(figure, spec) + "\n" +
                    plot::say("{}", diagnosis::diagnosis_text(state.diagnosis()));
    return figure;
}

/// A frame has no time for the file; the whole figure comes from beside the window.
Picture reading() {
    Picture picture;
    picture.figure.view = "diagnose";
    picture.figure.title = "The dump is being read and explained";
    picture.figure.row_weights = {1.0};
    picture.figure.column_weights = {1.0};
    picture.draft = true;
    return picture;
}

std::string rad_text(double value) {
    return std::isnan(value) ? "not known" : fmt::format("{:.6g} rad", value);
}

std::vector<plot::Readout> pair_readouts(const DiagnoseState& state, plot::Point at) {
    if (state.pairs() == 0) {
        return {};
    }
    const Index pair = plot::pick_index(at.x, state.pairs());
    std::vector<plot::Readout> readouts = {{"pair", fmt::format("{}", pair)}};
    for (const Explanation& side : state.analysis.sides) {
        if (!DiagnoseState::has_angles(side) || pair >= side.turns.pairs) {
            continue;
        }
        const ChannelPair& channels = side.pairing.rotated[pair];
        readouts.push_back({"channels of " + std::string(to_string(side.side)),
                            fmt::format("{}, {}", channels.first, channels.second)});
        readouts.push_back({"speed of " + std::string(to_string(side.side)),
                            rad_text(DiagnoseState::speed_rad(side, pair))});
    }
    if (pair < std::ssize(state.expected_inv_freq_rad)) {
        readouts.push_back({"expected speed", rad_text(state.expected_inv_freq_rad[pair])});
    }
    return readouts;
}

std::vector<plot::Readout> channel_readouts(const DiagnoseState& state, plot::Point at) {
    const Index channel = plot::pick_index(at.x, state.channels());
    std::vector<plot::Readout> readouts = {{"channel", fmt::format("{}", channel)}};
    const auto add = [&](const std::string& name, const std::vector<ChannelPair>& pairs) {
        const auto pair = std::ranges::find_if(pairs, [&](const ChannelPair& each) {
            return each.first == channel || each.second == channel;
        });
        readouts.push_back(
            {name, pair == pairs.end()
                       ? "stays as it is"
                       : fmt::format("{}", pair->first == channel ? pair->second : pair->first)});
    };
    for (const Explanation& side : state.analysis.sides) {
        if (!side.pairing.rotated.empty()) {
            add("partner in " + std::string(to_string(side.side)), side.pairing.rotated);
        }
    }
    if (state.expected) {
        add("expected", channel_pairs(state.expected->layout, state.expected->rotary_dim));
    }
    return readouts;
}

std::vector<plot::Readout> token_readouts(const DiagnoseState& state, plot::Point at) {
    const Explanation* const shown = state.shown();
    if (shown == nullptr) {
        return {};
    }
    const Index token = plot::pick_index(at.x, DiagnoseState::tokens(*shown));
    std::vector<plot::Readout> readouts = {{"token", fmt::format("{}", token)}};
    for (const Explanation& side : state.analysis.sides) {
        if (side.places.position.empty() || token >= DiagnoseState::tokens(side)) {
            continue;
        }
        readouts.push_back({"stated, " + std::string(to_string(side.side)),
                            fmt::format("{:g}", side.stated[token])});
        const double moved = DiagnoseState::moved(side, token);
        readouts.push_back(
            {"found, " + std::string(to_string(side.side)),
             std::isnan(moved) ? "not known" : fmt::format("{:.8g}", side.stated[token] + moved)});
    }
    return readouts;
}

std::vector<plot::Readout> distance_readouts(const DiagnoseState& state, plot::Point at) {
    const Explanation* const side = state.shown();
    if (side == nullptr || side->axis_map) {
        return {};
    }
    const Index token = plot::pick_index(at.x, DiagnoseState::tokens(*side));
    const Index pair = plot::pick_index(at.y, side->turns.pairs);
    return {{"token", fmt::format("{}", token)},
            {"pair", fmt::format("{}", pair)},
            {"angle of " + std::string(to_string(side->side)),
             rad_text(DiagnoseState::angle_rad(*side, token, pair))},
            {"distance", rad_text(state.distance_rad(*side, token, pair))}};
}

std::vector<plot::Readout> no_readouts(const DiagnoseState&, plot::Point) {
    return {};
}

/// A panel without values but the place tells the verdict.
template <typename Readouts>
Answers or_verdict(const std::shared_ptr<const DiagnoseState>& state, Readouts readouts) {
    return {state, [readouts](const DiagnoseState& of, plot::Point at) {
                std::vector<plot::Readout> values = readouts(of, at);
                if (values.size() < 2) {
                    values = {{"verdict", std::string(to_string(of.diagnosis().verdict))}};
                }
                return values;
            }};
}

Picture make(const Scene& scene, Engine&, const Work& work) {
    const std::shared_ptr<const DiagnoseState> state = make_diagnose_state(scene, work);
    if (state == nullptr) {
        return reading();
    }
    Picture picture{.figure = draw(*state, rope_spec(scene))};
    picture.add(speeds_panel(*state), or_verdict(state, pair_readouts));
    picture.add(pairing_panel(*state), or_verdict(state, channel_readouts));
    picture.add(distance_panel(*state), or_verdict(state, distance_readouts));
    picture.add(moved_panel(*state), or_verdict(state, token_readouts));
    picture.add(findings_panel(*state), or_verdict(state, no_readouts));
    return picture;
}

}  // namespace

View diagnose_view() {
    return {
        .id = "diagnose",
        .key = 'D',
        .name = "Diagnose",
        .group = "Somebody else's code",
        .question = "What does this code really do?",
        .parameters =
            with_scaling_parameters({"dump", "dump_fault", "dump_fault_in", "dump_expected",
                                     "head_dim", "rotary_dim", "base", "layout"}),
        .make = make,
        .what_you_see =
            "The panels show how fast each pair turns (points as measured, a line as expected), "
            "which channels turn together, how far each angle is from the expected one, and by how "
            "much each token stands beside its stated position.",
        .what_to_try =
            "Plant a fault and see how it looks: a wrong layout moves the pairing, a wrong base "
            "bends the speeds, and frequencies in bf16 grow worse with the position. Plant it in k "
            "alone. Drop a .npz or .safetensors file with q, q_rot, k and k_rot on the window.",
        .formulas = {"z_{after} = g e^{±iφ} z_{before}", "φ = θ_{i} m"},
        .formula_source =
            "z is a pair of channels, g the gain; θ and m are recovered from the angles",
    };
}

}  // namespace ropescope::figures
