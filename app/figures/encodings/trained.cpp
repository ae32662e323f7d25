// What models that were trained with each encoding name rightly, and what each costs the model in
// the box: looked up, counted and drawn.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "app/figures/encodings/encodings.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"
#include "core/demo/demo_scores.h"
#include "core/encoder/position_encoding.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using plot::say;

/// The trained RoFormer of the view stretch, unscaled or by YaRN.
TrainedAnswers of_demo_model(std::string_view id, demo::StretchMethod method) {
    TrainedAnswers answers{.look = encoding_look(id), .at = {}};
    for (const Index length : demo::stretched_lengths()) {
        answers.at.push_back({length, demo::demo_scores().held_out.of(method, length)});
    }
    return answers;
}

/// A multiplication of each channel by cos and by sin, and one addition: three for each channel
/// that turns, of a query and of a key.
Index turning(const TrainedEncodings& state, Index channels) {
    return state.config.n_layers * state.config.n_heads * 2 * 3 * channels;
}

EncodingCost cost_of(const TrainedEncodings& state, const EncodingLook& look) {
    const Index maps = state.config.n_layers * state.config.n_heads;
    if (look.id == "rope" || look.id == "yarn") {
        return {look, "queries and keys", 0, turning(state, state.config.rope().head_dim)};
    }
    if (look.id == "partial") {
        return {look, "queries and keys", 0, turning(state, state.config.rope().head_dim / 4)};
    }
    if (look.id == "alibi") {  // slope times distance, and the addition
        return {look, "scores", 0, 2 * maps * state.length};
    }
    if (look.id == "t5") {  // the look-up is not arithmetic
        return {look, "scores", kT5Buckets * state.config.n_heads, maps * state.length};
    }
    if (look.id == "learned") {
        return {look, "embeddings", demo::kTrainedLength * state.config.hidden_size,
                state.config.hidden_size};
    }
    if (look.id == "sinusoidal") {
        return {look, "embeddings", 0, state.config.hidden_size};
    }
    return {look, "nothing", 0, 0};
}

std::vector<TrainedAnswers> trained_answers(bool causal) {
    std::vector<TrainedAnswers> answers;
    if (!causal) {
        answers = {of_demo_model("rope", demo::StretchMethod::none),
                   of_demo_model("yarn", demo::StretchMethod::yarn)};
    }
    for (const demo::Twin& twin : demo::demo_twins()) {
        if (twin.causal == causal) {
            answers.push_back({encoding_look(twin.position), twin.seed, twin.held_out});
        }
    }
    return answers;
}

/// Share of right answers at the state's length; empty if that was not measured.
std::optional<double> answered_share(const TrainedEncodings& state, std::string_view id, int seed) {
    for (const TrainedAnswers& of : state.answers) {
        const auto found = std::ranges::find(of.at, state.length, &demo::Twin::AtLength::length);
        if (of.look.id == id && of.seed == seed && found != of.at.end()) {
            return found->count.share();
        }
    }
    return std::nullopt;
}

std::vector<EncodingCost> costs_of(const TrainedEncodings& state) {
    std::vector<EncodingCost> costs;
    for (const EncodingLook& look : encoding_looks()) {
        EncodingCost cost = cost_of(state, look);
        cost.first_seed = answered_share(state, look.id, 1);
        cost.second_seed = answered_share(state, look.id, 2);
        if (!cost.second_seed) {  // trained once: the column that every window shows has it
            std::swap(cost.first_seed, cost.second_seed);
        }
        costs.push_back(cost);
    }
    return costs;
}

std::string percent_or_dash(const std::optional<double>& share) {
    return share ? std::string(fixed_text(100 * *share, 1)) : "–";
}

}  // namespace

const EncodingCost& TrainedEncodings::cost(std::string_view id) const {
    return *std::ranges::find_if(costs,
                                 [&](const EncodingCost& cost) { return cost.look.id == id; });
}

TrainedEncodings make_trained_encodings(const Scene& scene) {
    TrainedEncodings state{.config = demo::demo_config(demo::DemoModel::rope),
                           .causal = scene.encodings_causal,
                           .length = std::stoll(scene.stretch_length),
                           .answers = trained_answers(scene.encodings_causal),
                           .costs = {}};
    state.costs = costs_of(state);
    return state;
}

std::vector<std::string> cost_header() {
    return {"encoding",     "acts on",        "parameters", "operations",
            "cached bytes", "% right, other", "% right"};
}

std::vector<std::string> cost_cells(const TrainedEncodings& state, const EncodingCost& cost) {
    return {std::string(cost.look.name),      std::string(cost.acts_on),
            whole_text(cost.parameters),      whole_text(cost.operations),
            whole_text(state.cached_bytes()), percent_or_dash(cost.first_seed),
            percent_or_dash(cost.second_seed)};
}

namespace {

plot::Panel answers_panel(const TrainedEncodings& state) {
    const std::vector<Index> lengths = demo::stretched_lengths();
    const double first = to_double(lengths.front()), last = to_double(lengths.back());
    plot::Panel panel{.id = "answers",
                      .title = state.causal ? "next pieces named rightly: decoders"
                                            : "hidden pieces named rightly: encoders",
                      .x = {.label = "length of the text (tokens)",
                            .min = first / 1.12,
                            .max = last * 1.12,
                            .scale = plot::AxisScale::log10,
                            .integers = true},
                      .y = {.label = "%", .min = 0},
                      .row = 0};
    panel.marks.emplace_back(
        plot::Rule{.at = to_double(state.length), .role = Role::accent, .of_selection = true});
    for (const TrainedAnswers& of : state.answers) {
        plot::Line line{.points = {}, .role = of.look.role, .dash = of.look.dash};
        for (const demo::Twin::AtLength& at : of.at) {
            line.points.push_back({to_double(at.length), 100 * at.count.share()});
            panel.y.max = std::max(panel.y.max, 1.12 * line.points.back().y);
        }
        const bool shipped = of.seed == demo::kShippedSeed;
        line.width = shipped ? 1 : 0.5;
        panel.marks.emplace_back(plot::Points{
            .points = line.points, .role = line.role, .radius_px = 3.5, .ring = !shipped});
        panel.marks.emplace_back(std::move(line));
    }
    return panel;
}

plot::Panel costs_panel(const TrainedEncodings& state) {
    const std::vector<std::string> header = cost_header();
    plot::Panel panel =
        lines_panel("costs", to_double(std::ssize(header)), std::ssize(state.costs) + 1, 1);
    constexpr int kKeep[] = {9, 5, 6, 7, 3, 4, 8};
    for (Index column = 0; column < std::ssize(kKeep); ++column) {
        const double x = to_double(column);
        panel.columns.push_back({.first = x, .last = x + 1, .keep = kKeep[column]});
    }
    panel.rows.push_back({.first = -0.5, .last = 0.5, .keep = 2, .counted = false});
    add_line(panel, 0, header, Role::dim);
    double line = 1;
    for (const EncodingCost& cost : state.costs) {
        panel.rows.push_back({.first = -line - 0.5, .last = -line + 0.5});
        add_line(panel, line, cost_cells(state, cost), Role::text);
        line += 1;
    }
    return panel;
}

/// A dot where a training was measured at one length alone, which has no line.
std::vector<plot::LegendEntry> legend_of_answers(const TrainedEncodings& state) {
    using Kind = plot::LegendEntry::Kind;
    std::vector<plot::LegendEntry> entries;
    for (const EncodingLook& look : encoding_looks()) {
        std::size_t lengths = 0;
        for (const TrainedAnswers& of : state.answers) {
            lengths = std::max(lengths, of.look.id == look.id ? of.at.size() : 0);
        }
        if (lengths > 0) {
            entries.push_back({std::string(look.name), look.role,
                               lengths > 1 ? Kind::line : Kind::point, look.dash});
        }
    }
    return entries;
}

plot::Text trained_title(const TrainedEncodings& state) {
    const auto percent = [&](std::string_view id) {
        return fixed_text(100 * *state.cost(id).second_seed, 1);
    };
    return say(
        "In texts of {} tokens the model with RoPE names {} % rightly, with ALiBi {} %, "
        "without positions {} %",
        whole_text(state.length), percent("rope"), percent("alibi"), percent("none"));
}

plot::DataTable answers_data(const TrainedEncodings& state) {
    std::vector<std::string> encoding;
    std::vector<Index> seed, length, right, asked;
    for (const TrainedAnswers& of : state.answers) {
        for (const demo::Twin::AtLength& at : of.at) {
            encoding.emplace_back(of.look.id);
            seed.push_back(of.seed);
            length.push_back(at.length);
            right.push_back(at.count.right);
            asked.push_back(at.count.of);
        }
    }
    return {{{"encoding", std::move(encoding)},
             {"seed", std::move(seed)},
             {"length_tokens", std::move(length)},
             {"right", std::move(right)},
             {"asked", std::move(asked)}}};
}

plot::Text trained_report(const TrainedEncodings& state) {
    std::vector<std::vector<std::string>> costs;
    for (const EncodingCost& cost : state.costs) {
        costs.push_back(cost_cells(state, cost));
    }
    return say("What each costs this model, and right answers of models trained with it, in texts "
               "of {} tokens:\n",
               whole_text(state.length)) +
           text_table(cost_header(), costs) +
           "\nparameters: numbers that training adds for positions\n"
           "operations: multiplications and additions for the last token of the text, in all "
           "layers\n"
           "cached bytes: keys and values of a token in all layers, the same for every encoding\n"
           "other: of another training, which differs in its seed alone\n";
}

void describe_trained(plot::Figure& figure, const TrainedEncodings& state) {
    figure.title = trained_title(state);
    figure.subtitle =
        say("All were trained on other texts, of {} tokens; dot and ring are two trainings "
            "that differ in their seed alone.",
            demo::kTrainedLength);
    figure.legend = legend_of_answers(state);
    figure.row_weights = {1.0, 0.95};
    figure.data = answers_data(state);
    figure.report = figure.title + "\n" + figure.subtitle + "\n\n" + trained_report(state);
}

/// The measured length that is nearest on the logarithmic axis.
Index measured_length_at(plot::Point at) {
    const std::vector<Index> lengths = demo::stretched_lengths();
    const double doublings = at.x > 0 ? std::log2(at.x / to_double(lengths.front())) : 0.0;
    return lengths[plot::pick_index(doublings, std::ssize(lengths))];
}

std::vector<plot::Readout> answers_readouts(const TrainedEncodings& state, plot::Point at) {
    const Index length = measured_length_at(at);
    std::vector<plot::Readout> values = {{"tokens", whole_text(length)}};
    for (const TrainedAnswers& of : state.answers) {
        const auto found = std::ranges::find(of.at, length, &demo::Twin::AtLength::length);
        if (found != of.at.end()) {
            values.push_back({fmt::format("{}, seed {}", of.look.name, of.seed),
                              say("{} %", fixed_text(100 * found->count.share(), 1))});
        }
    }
    return values;
}

std::vector<plot::Readout> costs_readouts(const TrainedEncodings& state, plot::Point at) {
    const EncodingCost& cost = state.costs[plot::pick_index(-at.y - 1, std::ssize(state.costs))];
    const std::vector<std::string> names = cost_header(), cells = cost_cells(state, cost);
    std::vector<plot::Readout> values;
    for (std::size_t i = 0; i < names.size(); ++i) {
        values.push_back({names[i], cells[i]});
    }
    return values;
}

Scene choose_measured_length(const TrainedEncodings&, Scene scene, plot::Point at) {
    scene.stretch_length = fmt::format("{}", measured_length_at(at));
    return scene;
}

}  // namespace

void show_trained(Picture& picture, const std::shared_ptr<const TrainedEncodings>& state) {
    describe_trained(picture.figure, *state);
    picture.add(answers_panel(*state), {state, answers_readouts, choose_measured_length});
    picture.add(costs_panel(*state), {state, costs_readouts});
}

}  // namespace ropescope::figures
