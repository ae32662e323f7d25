// Puts the diagnose view together: its words, its findings, its numbers and the values under the
// cursor.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "app/figures/diagnose/diagnose.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"
#include "app/scene/fault_names.h"
#include "app/scene/scene_scaling.h"
#include "core/diagnosis/report.h"
#include "core/diagnosis/words.h"

namespace ropescope::figures {
namespace {

constexpr Index kMostFindings = 5;

/// Findings of one group stand together, in the order of the heaviest of each; the name of the
/// group stands once.
std::vector<plot::Facts::Fact> grouped_findings(const DiagnoseState& state) {
    using diagnosis::Weight;
    const std::vector<diagnosis::Finding>& findings = state.diagnosis().findings;
    std::vector<std::string_view> groups;
    for (const diagnosis::Finding& finding : findings) {
        if (std::ranges::find(groups, fault_group(finding.code)) == groups.end()) {
            groups.push_back(fault_group(finding.code));
        }
    }
    std::vector<plot::Facts::Fact> facts;
    for (const std::string_view group : groups) {
        std::string name(group);
        for (const diagnosis::Finding& finding : findings) {
            if (fault_group(finding.code) == group) {
                facts.push_back(
                    {std::exchange(name, ""), plot::say("{}", finding.text()),
                     finding.weight == Weight::fault ? plot::Role::wrong : plot::Role::text});
            }
        }
    }
    return facts;
}

std::vector<plot::Facts::Fact> facts_of(const DiagnoseState& state) {
    std::vector<plot::Facts::Fact> facts = grouped_findings(state);
    // What is not as expected stands behind the faults and before the notes.
    const auto is_note = [](const plot::Facts::Fact& fact) {
        return fact.role != plot::Role::wrong;
    };
    auto place = std::ranges::find_if(facts, is_note) - facts.begin();
    for (const diagnosis::Finding& mismatch : state.diagnosis().mismatches) {
        const auto& findings = state.diagnosis().findings;
        const auto same = std::ranges::find(findings, mismatch.words, &diagnosis::Finding::words);
        if (same == findings.end()) {  // else a finding says it already
            facts.insert(facts.begin() + place++,
                         {"Not as expected", plot::say("{}", mismatch.text()), plot::Role::wrong});
        }
    }
    for (const std::string& next : texts_of(state.diagnosis().next)) {
        facts.push_back({"Next", plot::say("{}", next)});
    }
    if (std::ssize(facts) > kMostFindings) {
        facts.resize(kMostFindings);
    }
    return facts;
}

}  // namespace

Index findings_lines(const DiagnoseState& state) {
    return std::max<Index>(1, std::ssize(facts_of(state)));
}

plot::Panel findings_panel(const DiagnoseState& state, Index row) {
    plot::Panel panel{.id = "findings", .row = static_cast<int>(row), .column_span = 2};
    panel.x.visible = false;
    panel.y.visible = false;
    panel.marks.emplace_back(plot::Facts{facts_of(state)});
    return panel;
}

namespace {

struct SideColumns {
    std::vector<Index> x, y;
    std::vector<double> speed;
};

SideColumns columns_of(const diagnosis::Explanation& side, Index pairs) {
    SideColumns columns;
    for (Index pair = 0; pair < pairs; ++pair) {
        const bool known =
            DiagnoseState::has_angles(side) && pair < std::ssize(side.pairing.rotated);
        columns.x.push_back(known ? side.pairing.rotated[pair].first : -1);
        columns.y.push_back(known ? side.pairing.rotated[pair].second : -1);
        columns.speed.push_back(known && pair < side.turns.pairs
                                    ? DiagnoseState::speed_rad(side, pair)
                                    : std::numeric_limits<double>::quiet_NaN());
    }
    return columns;
}

}  // namespace

plot::DataTable diagnose_data(const DiagnoseState& state) {
    const Index pairs = state.pairs();
    std::vector<Index> numbers;
    for (Index pair = 0; pair < pairs; ++pair) {
        numbers.push_back(pair);
    }
    plot::DataTable table{{{"pair", numbers}}};
    for (const diagnosis::Explanation& side : state.analysis.sides) {
        SideColumns columns = columns_of(side, pairs);
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_channel_x", std::move(columns.x)});
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_channel_y", std::move(columns.y)});
        table.columns.push_back(
            {std::string(to_string(side.side)) + "_speed_rad", std::move(columns.speed)});
    }
    if (state.expected) {
        std::vector<double> wanted = state.expected_inv_freq_rad;
        wanted.resize(pairs, 0.0);
        table.columns.push_back({"expected_speed_rad", std::move(wanted)});
    }
    return table;
}

// Joins the panels with their answers to the mouse.
namespace {

using diagnosis::Explanation;
using plot::Role;

std::vector<plot::LegendEntry> diagnose_legend(const DiagnoseState& state) {
    using Kind = plot::LegendEntry::Kind;
    std::vector<plot::LegendEntry> legend;
    for (const Explanation& side : state.analysis.sides) {
        legend.push_back({std::string(to_string(side.side)), role_of(side.side), Kind::point});
    }
    if (state.expected) {
        legend.push_back({"expected", Role::text, Kind::line});
    }
    return legend;
}

/// The first line of the report, with a capital letter.
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
        text = plot::say("This encoding has nothing that the fault \"{}\" could concern. ",
                         fault_name(state.unseen));
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
    figure.row_weights = {1.0, 1.0};
    if (!strips_of(state).empty()) {
        figure.row_weights.push_back(0.65);
    }
    figure.row_weights.push_back(0.12 + 0.11 * to_double(findings_lines(state)));
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
        if (const double ratio = state.speed_ratio(side, pair).value; std::isfinite(ratio)) {
            readouts.push_back({fmt::format("{} / {}", to_string(side.side),
                                            state.expected ? "expected" : "explained"),
                                fmt::format("{:.6g}", ratio)});
        }
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
    const std::vector<std::vector<Strip>> sides = strips_of(*state);
    for (Index i = 0; i < std::ssize(sides); ++i) {
        plot::Panel panel = unexplained_panel(sides[i]);
        panel.column = i == 0 ? 0 : 1;
        panel.column_span = std::ssize(sides) == 1 ? 2 : 1;
        picture.add(std::move(panel), {std::make_shared<const std::vector<Strip>>(sides[i]),
                                       [](const std::vector<Strip>& strips, plot::Point at) {
                                           return strip_readouts(strips, at);
                                       }});
    }
    picture.add(findings_panel(*state, sides.empty() ? 2 : 3), or_verdict(state, no_readouts));
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
        .parameters = with_scaling_parameters(
            {"dump", "dump_map", "dump_axes", "dump_position_axes", "dump_norm", "dump_norm_eps",
             "dump_norm_order", "dump_fault", "dump_fault_in", "dump_expected", "head_dim",
             "rotary_dim", "base", "layout"}),
        .make = make,
        .what_you_see =
            "The panels show how fast each pair turns, as a share of the expected speed (one "
            "everywhere in right code), which channels turn together, how far each angle is from "
            "the expected one, and by how much each token stands beside its stated position. If "
            "vectors are left that rounding does not explain, lines show in which pairs, tokens, "
            "rows and heads they lie.",
        .what_to_try =
            "Plant a fault and see how it looks: a wrong layout moves the pairing, a wrong base "
            "bends the speeds, and frequencies in bf16 grow worse with the position. Plant it in k "
            "alone. Drop a .npz or .safetensors file with q, q_rot, k and k_rot on the window; if "
            "it has other names or axes, give them in the fields below the path.",
        .formulas = {"z_{after} = g e^{±iφ} z_{before}", "φ = θ_{i} m"},
        .formula_source =
            "z is a pair of channels, g the gain; θ and m are recovered from the angles",
    };
}

}  // namespace ropescope::figures
