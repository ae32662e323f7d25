// Puts the view encodings together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>

#include "app/figures/encodings/encodings.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using plot::say;

/// Distances that a panel of curves shows on each side.
constexpr Index kFarthestDrawn = 24;
/// Of the twelve columns of the grid: four maps, three panels of curves, and two panels below.
constexpr int kColumns = 12, kMapSpan = 3, kCurveSpan = 4, kBottomSpan = 6;

struct AddedRange {
    double least = 0, most = 0;
};

/// Over the keys that the mask leaves.
AddedRange added_range(const EncodingsState& state, const ComparedEncoding& of) {
    AddedRange range;
    for (Index m = 0; m < state.tokens(); ++m) {
        for (Index n = 0; n < (state.causal ? m + 1 : state.tokens()); ++n) {
            range.least = std::min(range.least, of.added[m * state.tokens() + n]);
            range.most = std::max(range.most, of.added[m * state.tokens() + n]);
        }
    }
    return range;
}

plot::Panel added_map(const EncodingsState& state, const ComparedEncoding& of, int column) {
    const Index tokens = state.tokens();
    const double end = to_double(tokens) - 0.5;
    const AddedRange range = added_range(state, of);
    // A scale of its own: on that of RoPE a bias would hardly be seen.
    const double limit = std::max({range.most, -range.least, 1e-9});
    plot::Panel panel{.id = fmt::format("added.{}", of.look.id),
                      .title = std::string(of.look.name),
                      .corners = {.bottom_left = say("adds {} to {}", fixed_text(range.least, 2),
                                                     fixed_text(range.most, 2))},
                      .x = {.label = "key", .min = -0.5, .max = end, .integers = true},
                      .y = {.label = "query", .min = end, .max = -0.5, .integers = true},
                      .equal_aspect = true,
                      .color_bar = true,
                      .column = column * kMapSpan,
                      .column_span = kMapSpan};
    plot::HeatMap map{.columns = tokens,
                      .rows = tokens,
                      .values = {},
                      .x0 = -0.5,
                      .y0 = -0.5,
                      .min = -limit,
                      .max = limit,
                      .map = plot::ColorMap::diverging,
                      .label = "added"};
    for (Index m = 0; m < tokens; ++m) {
        for (Index n = 0; n < tokens; ++n) {
            map.values.push_back(state.causal && n > m
                                     ? std::numeric_limits<float>::quiet_NaN()
                                     : static_cast<float>(of.added[m * tokens + n]));
        }
    }
    panel.marks.emplace_back(std::move(map));
    return panel;
}

/// Means at each distance.
struct Curves {
    const char *id, *title;
    std::vector<double> ComparedEncoding::*values;
};
constexpr Curves kCurves[] = {
    {"distance", "added, by distance", &ComparedEncoding::mean_added},
    {"score", "score, by distance", &ComparedEncoding::mean_score},
    {"probability", "probability, by distance", &ComparedEncoding::mean_probability},
};

plot::Panel distance_panel(const EncodingsState& state, const Curves& curves, int column) {
    const auto values = curves.values;
    const Index reach = std::clamp<Index>(state.tokens() - 1, 1, kFarthestDrawn);
    plot::Panel panel{.id = curves.id,
                      .title = curves.title,
                      .x = {.label = "distance of the key from the query (tokens)",
                            .min = -to_double(reach),
                            .max = state.causal ? 0 : to_double(reach),
                            .integers = true,
                            .signs = true},
                      .y = {.min = 0, .max = 0},
                      .row = 1,
                      .column = column * kCurveSpan,
                      .column_span = kCurveSpan};
    for (const ComparedEncoding& of : state.encodings) {
        plot::Line line{.points = {}, .role = of.look.role, .dash = of.look.dash};
        for (Index i = 0; i < std::ssize(of.*values); ++i) {
            const Index distance = state.first_distance() + i;
            if (std::abs(distance) <= reach) {
                const double value = (of.*values)[i];
                line.points.push_back({to_double(distance), value});
                panel.y.min = std::min(panel.y.min, value);
                panel.y.max = std::max(panel.y.max, value);
            }
        }
        panel.marks.emplace_back(std::move(line));
    }
    const double margin = 0.08 * (panel.y.max - panel.y.min) + 1e-9;
    panel.y.min -= panel.y.min < 0 ? margin : 0;
    panel.y.max += margin;
    return panel;
}

plot::Panel answers_panel(const EncodingsState& state) {
    const std::vector<Index> lengths = demo::stretched_lengths();
    const double first = to_double(lengths.front()), last = to_double(lengths.back());
    plot::Panel panel{.id = "answers",
                      .title = state.causal ? "next pieces named rightly: trained decoders"
                                            : "hidden pieces named rightly: trained encoders",
                      .x = {.label = "length of the text (tokens)",
                            .min = first / 1.12,
                            .max = last * 1.12,
                            .scale = plot::AxisScale::log10,
                            .integers = true},
                      .y = {.label = "%", .min = 0},
                      .row = 2,
                      .column_span = kBottomSpan};
    panel.marks.emplace_back(plot::Rule{.at = to_double(state.length), .role = Role::accent});
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

plot::Panel costs_panel(const EncodingsState& state) {
    const std::vector<std::string> header = cost_header();
    plot::Panel panel =
        lines_panel("costs", to_double(std::ssize(header)), std::ssize(state.costs) + 1, 2);
    panel.column = kBottomSpan;
    panel.column_span = kBottomSpan;
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

/// Of what has a curve in one of the panels.
std::vector<plot::LegendEntry> encodings_legend(const EncodingsState& state) {
    const auto has = [](const auto& list, std::string_view id) {
        return std::ranges::any_of(list, [&](const auto& of) { return of.look.id == id; });
    };
    std::vector<plot::LegendEntry> entries;
    for (const EncodingLook& look : encoding_looks()) {
        if (has(state.encodings, look.id) || has(state.answers, look.id)) {
            entries.push_back(
                {std::string(look.name), look.role, plot::LegendEntry::Kind::line, look.dash});
        }
    }
    return entries;
}

plot::Text encodings_subtitle(const EncodingsState& state) {
    plot::Text text =
        say("q and k of layer {}, head {} of {}, before they turn: {}", state.at.layer,
            state.at.head, state.model, counted(state.all_tokens, "token"));
    text += ".";
    text += say(" Each map has a scale of its own.");
    if (state.tokens() < state.all_tokens) {
        text += say(" The first {} are drawn.", state.tokens());
    }
    if (state.causal) {
        text += say(" A causal mask hides the keys behind each query.");
    }
    return text;
}

plot::Figure figure(const EncodingsState& state) {
    const AddedRange rope = added_range(state, state.encoding("rope"));
    const AddedRange alibi = added_range(state, state.encoding("alibi"));
    plot::Figure figure;
    figure.view = "encodings";
    figure.title = say("To scores of the same q and k RoPE adds {} to {}, ALiBi {} to {}",
                       fixed_text(rope.least, 2), fixed_text(rope.most, 2),
                       fixed_text(alibi.least, 2), fixed_text(alibi.most, 2));
    figure.subtitle = encodings_subtitle(state);
    figure.legend = encodings_legend(state);
    figure.row_weights = {1.0, 0.8, 0.95};
    figure.column_weights.assign(kColumns, 1.0);
    figure.data = encodings_data(state);
    figure.report = figure.title + "\n" + figure.subtitle + "\n\n" + encodings_report(state);
    return figure;
}

std::vector<plot::Readout> map_readouts(const EncodingsState& state, std::string_view id,
                                        plot::Point at) {
    const Index tokens = state.tokens();
    const Index key = plot::pick_index(at.x, tokens), query = plot::pick_index(at.y, tokens);
    std::vector<plot::Readout> values = {{"query", say("{} “{}”", query, state.words[query])},
                                         {"key", say("{} “{}”", key, state.words[key])}};
    if (state.causal && key > query) {
        values.push_back({"mask", "the key is hidden"});
        return values;
    }
    const ComparedEncoding& of = state.encoding(id);
    const double content = state.content[query * tokens + key];
    const double added = of.added[query * tokens + key];
    values.push_back({"q·k/√d", signed_text(content, 4)});
    values.push_back({"added", signed_text(added, 4)});
    values.push_back({"score", signed_text(content + added, 4)});
    values.push_back({"probability", fixed_text(of.probability[query * tokens + key], 4)});
    return values;
}

std::vector<plot::Readout> distance_readouts(const EncodingsState& state,
                                             std::vector<double> ComparedEncoding::*values,
                                             plot::Point at) {
    const Index last = std::ssize(state.encodings.front().*values) - 1;
    const Index i = plot::pick_whole(at.x - to_double(state.first_distance()), 0, last);
    std::vector<plot::Readout> read = {
        {"distance", signed_text(to_double(state.first_distance() + i), 0)}};
    for (const ComparedEncoding& of : state.encodings) {
        read.push_back({std::string(of.look.name), signed_text((of.*values)[i], 4)});
    }
    return read;
}

/// The measured length that is nearest on the logarithmic axis.
Index measured_length_at(plot::Point at) {
    const std::vector<Index> lengths = demo::stretched_lengths();
    const double doublings = at.x > 0 ? std::log2(at.x / to_double(lengths.front())) : 0.0;
    return lengths[plot::pick_index(doublings, std::ssize(lengths))];
}

std::vector<plot::Readout> answers_readouts(const EncodingsState& state, plot::Point at) {
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

std::vector<plot::Readout> costs_readouts(const EncodingsState& state, plot::Point at) {
    const EncodingCost& cost = state.costs[plot::pick_index(-at.y - 1, std::ssize(state.costs))];
    const std::vector<std::string> names = cost_header(), cells = cost_cells(state, cost);
    std::vector<plot::Readout> values;
    for (std::size_t i = 0; i < names.size(); ++i) {
        values.push_back({names[i], cells[i]});
    }
    return values;
}

Scene choose_measured_length(const EncodingsState&, Scene scene, plot::Point at) {
    scene.stretch_length = fmt::format("{}", measured_length_at(at));
    return scene;
}

/// The trained RoFormer at rest, reading the scene's text.
Scene reading_scene(Scene scene) {
    scene.attention_source = AttentionSource::demo;
    scene.attention_masked = scene.attention_tokens = 0;
    return scene;
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    const auto encoder = measured_state(reading_scene(scene), engine, work);
    if (!encoder) {
        return waiting_for_encoder("encodings");
    }
    const auto state =
        std::make_shared<const EncodingsState>(make_encodings_state(scene, *encoder));
    Picture picture{.figure = figure(*state)};
    int column = 0;
    for (const ComparedEncoding& of : state->encodings) {
        if (of.look.id != "none") {
            const std::string_view id = of.look.id;
            picture.add(added_map(*state, of, column++),
                        {state, [id](const EncodingsState& shown, plot::Point at) {
                             return map_readouts(shown, id, at);
                         }});
        }
    }
    column = 0;
    for (const Curves& of : kCurves) {
        picture.add(distance_panel(*state, of, column++),
                    {state, [&of](const EncodingsState& shown, plot::Point at) {
                         return distance_readouts(shown, of.values, at);
                     }});
    }
    picture.add(answers_panel(*state), {state, answers_readouts, choose_measured_length});
    picture.add(costs_panel(*state), {state, costs_readouts});
    return picture;
}

}  // namespace

View encodings_view() {
    return {
        .id = "encodings",
        .key = 'N',
        .name = "Encodings",
        .group = "Real models",
        .question = "What do other encodings do to the same scores?",
        .parameters = {"attention_layer", "attention_head", "attention_text", "encodings_causal",
                       "stretch_length"},
        .make = make,
        .carries_results = true,
        .of_trained_model = true,
        .what_you_see =
            "Top: what each encoding adds to the score of each query and key, for the same q and "
            "k; each map has its own scale. Middle: means at each distance. Bottom: small models "
            "trained with each on the same text (dot and ring: two seeds), and what each costs.",
        .what_to_try =
            "Open other heads: ALiBi's slope is a quarter from one head to the next, and RoPE's "
            "pattern follows the content. ALiBi and a bias are the same along each diagonal; what "
            "RoPE adds is not. Set the causal mask, and keys behind the query get nothing.",
        .formulas = {"RoPE: (R_{m} q) · (R_{n} k) / √d", "ALiBi: q · k / √d − s_{h} |n − m|",
                     "learned bias: q · k / √d + b_{h}(n − m)", "added: x_{m} + p_{m}"},
        .formula_source = "arXiv:2104.09864; arXiv:2108.12409; arXiv:1910.10683; arXiv:1810.04805",
    };
}

}  // namespace ropescope::figures
