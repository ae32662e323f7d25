// Puts the diagnose view together: its words, its figure and the values under the cursor.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "app/figures/describe.h"
#include "app/figures/diagnose/panels.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"
#include "core/diagnosis/report.h"

namespace ropescope::figures {
namespace {

using diagnosis::Explanation;

/// The first line of the report begins with a capital letter here.
std::string title(const DiagnoseState& state) {
    std::string text = state.diagnosis().summary();
    if (!text.empty()) {
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    }
    while (text.ends_with('.')) {
        text.pop_back();
    }
    return text;
}

/// Which layer and which heads are drawn, if they do not all do the same.
std::string shown_part(const DiagnoseState& state) {
    std::string text;
    if (state.layer) {
        text += fmt::format("The panels show layer {}. ", *state.layer);
    }
    if (!state.analysis.heads.empty()) {
        text += fmt::format("The panels show {}. ", state.analysis.heads);
    }
    return text;
}

std::string subtitle(const DiagnoseState& state) {
    std::string text;
    if (!state.unseen.empty()) {
        text = fmt::format("This encoding has nothing that {} could concern. ", state.unseen);
    } else if (!state.fault.empty()) {
        text = fmt::format("Planted: {}. ", state.fault);
    } else if (state.origin == "made") {
        text = "q and k were turned rightly. ";
    }
    if (state.origin != "made") {
        text = fmt::format("Recovered from {}. ", state.origin);
    }
    return text + shown_part(state) +
           (state.expected ? "Held against the encoding of the scene."
                           : "Held against no encoding.");
}

plot::Figure draw(const DiagnoseState& state, const RopeSpec& spec) {
    plot::Figure figure;
    figure.view = "diagnose";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.legend = diagnose_legend(state);
    figure.panels = {speeds_panel(state), pairing_panel(state), distance_panel(state),
                     moved_panel(state), findings_panel(state)};
    figure.row_weights = {1.0, 1.0, 0.12 + 0.1 * to_double(findings_lines(state))};
    figure.column_weights = {1.35, 1.0};
    figure.data = diagnose_data(state);
    figure.report = report_head(figure, spec) + "\n" + diagnosis::diagnosis_text(state.diagnosis());
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

std::vector<plot::Readout> pair_readouts(const DiagnoseState& state, Index pair) {
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

std::vector<plot::Readout> channel_readouts(const DiagnoseState& state, Index channel) {
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

std::vector<plot::Readout> token_readouts(const DiagnoseState& state, Index token) {
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

std::vector<plot::Readout> values_at(const DiagnoseState& state, std::string_view panel,
                                     plot::Point at) {
    const Explanation* side = state.shown();
    if (panel == "spectrum" && state.pairs() > 0) {
        return pair_readouts(state, plot::pick_index(at.x, state.pairs()));
    }
    if (panel == "pairing") {
        return channel_readouts(state, plot::pick_index(at.x, state.channels()));
    }
    if (side == nullptr) {
        return {};
    }
    const Index token = plot::pick_index(at.x, DiagnoseState::tokens(*side));
    if (panel == "distance" && !side->axis_map) {
        const Index pair = plot::pick_index(at.y, side->turns.pairs);
        return {{"token", fmt::format("{}", token)},
                {"pair", fmt::format("{}", pair)},
                {"angle of " + std::string(to_string(side->side)),
                 rad_text(side->turns.angle_rad[token * side->turns.pairs + pair])},
                {"distance", rad_text(state.distance_rad(*side, token, pair))}};
    }
    return panel == "positions" ? token_readouts(state, token) : std::vector<plot::Readout>{};
}

/// A panel without values but the place tells the verdict.
std::vector<plot::Readout> readouts(const DiagnoseState& state, std::string_view panel,
                                    plot::Point at) {
    std::vector<plot::Readout> values = values_at(state, panel, at);
    if (values.size() < 2) {
        values = {{"verdict", std::string(to_string(state.diagnosis().verdict))}};
    }
    return values;
}

Picture make(const Scene& scene, Engine&, const Work& work) {
    const std::shared_ptr<const DiagnoseState> state = make_diagnose_state(scene, work);
    if (state == nullptr) {
        return reading();
    }
    return {.figure = draw(*state, rope_spec(scene)),
            .readouts = [state](std::string_view panel, plot::Point at) {
                return readouts(*state, panel, at);
            }};
}

}  // namespace

View diagnose_view() {
    return {
        .id = "diagnose",
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
