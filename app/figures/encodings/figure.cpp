// The view encodings: its words, and what each encoding adds to the same scores, as maps and by
// distance.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "app/figures/encodings/encodings.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"

namespace ropescope::figures {
namespace {

using plot::say;

/// Distances that a panel of curves shows on each side.
constexpr Index kFarthestDrawn = 24;
/// Of the twelve columns of the grid.
constexpr int kColumns = 12, kCurveSpan = 4;
/// The maps from left to right; where there is no room for all, the first ones stay.
constexpr std::string_view kMaps[] = {"rope", "alibi", "t5", "partial", "sinusoidal", "none"};
constexpr int kMapSpan = kColumns / static_cast<int>(std::size(kMaps));

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
                      .x = {.label = "distance of the key, tokens",
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

std::vector<plot::LegendEntry> legend(const EncodingsState& state) {
    std::vector<plot::LegendEntry> entries;
    for (const ComparedEncoding& of : state.encodings) {
        entries.push_back(
            {std::string(of.look.name), of.look.role, plot::LegendEntry::Kind::line, of.look.dash});
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

plot::DataTable encodings_data(const EncodingsState& state) {
    std::vector<std::string> encoding;
    std::vector<Index> query, key;
    std::vector<double> content, added, score, probability;
    const Index tokens = state.tokens();
    for (const ComparedEncoding& of : state.encodings) {
        for (Index m = 0; m < tokens; ++m) {
            for (Index n = 0; n < (state.causal ? m + 1 : tokens); ++n) {
                const Index at = m * tokens + n;
                encoding.emplace_back(of.look.id);
                query.push_back(m);
                key.push_back(n);
                content.push_back(state.content[at]);
                added.push_back(of.added[at]);
                score.push_back(state.content[at] + of.added[at]);
                probability.push_back(of.probability[at]);
            }
        }
    }
    return {{{"encoding", std::move(encoding)},
             {"query_position", std::move(query)},
             {"key_position", std::move(key)},
             {"content_score", std::move(content)},
             {"added", std::move(added)},
             {"score", std::move(score)},
             {"probability", std::move(probability)}}};
}

plot::Text scores_report(const EncodingsState& state) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> header = {"distance"};
    for (const ComparedEncoding& of : state.encodings) {
        header.emplace_back(of.look.name);
    }
    constexpr Index kMostRows = 25;
    for (const Index i : evenly_chosen(std::ssize(state.encodings.front().mean_added), kMostRows)) {
        std::vector<std::string> row = {signed_text(to_double(state.first_distance() + i), 0)};
        for (const ComparedEncoding& of : state.encodings) {
            row.push_back(fixed_text(of.mean_probability[i], 4));
        }
        rows.push_back(std::move(row));
    }
    return "Mean probability that a query gives to a key, by the distance of the key from it:\n" +
           text_table(header, rows);
}

void describe(plot::Figure& figure, const EncodingsState& state) {
    const AddedRange rope = added_range(state, state.encoding("rope"));
    const AddedRange alibi = added_range(state, state.encoding("alibi"));
    figure.title = say("To scores of the same q and k RoPE adds {} to {}, ALiBi {} to {}",
                       fixed_text(rope.least, 2), fixed_text(rope.most, 2),
                       fixed_text(alibi.least, 2), fixed_text(alibi.most, 2));
    figure.subtitle = encodings_subtitle(state);
    figure.legend = legend(state);
    figure.row_weights = {1.0, 1.0};
    figure.column_weights.assign(kColumns, 1.0);
    figure.data = encodings_data(state);
    figure.report = figure.title + "\n" + figure.subtitle + "\n\n" + scores_report(state);
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

void show_scores(Picture& picture, const std::shared_ptr<const EncodingsState>& state) {
    describe(picture.figure, *state);
    int column = 0;
    for (const std::string_view id : kMaps) {
        picture.add(added_map(*state, state->encoding(id), column++),
                    {state, [id](const EncodingsState& shown, plot::Point at) {
                         return map_readouts(shown, id, at);
                     }});
    }
    column = 0;
    for (const Curves& of : kCurves) {
        picture.add(distance_panel(*state, of, column++),
                    {state, [&of](const EncodingsState& shown, plot::Point at) {
                         return distance_readouts(shown, of.values, at);
                     }});
    }
}

/// The trained RoFormer at rest, reading the scene's text.
Scene reading_scene(Scene scene) {
    scene.attention_source = AttentionSource::demo;
    scene.attention_masked = scene.attention_tokens = 0;
    return scene;
}

bool shows_trained(const Scene& scene) {
    return scene.encodings_show == EncodingsShow::trained;
}
bool shows_scores(const Scene& scene) {
    return !shows_trained(scene);
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    Picture picture{.figure = {.view = "encodings"}};
    if (shows_trained(scene)) {
        show_trained(picture,
                     std::make_shared<const TrainedEncodings>(make_trained_encodings(scene)));
        return picture;
    }
    const auto encoder = measured_state(reading_scene(scene), engine, work);
    if (!encoder) {
        return waiting_for_encoder("encodings");
    }
    show_scores(picture,
                std::make_shared<const EncodingsState>(make_encodings_state(scene, *encoder)));
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
        .parameters = {"encodings_show", "attention_layer", "attention_head", "attention_text",
                       "encodings_causal", "stretch_length"},
        .only_when = {{{"attention_layer", "attention_head", "attention_text"}, shows_scores},
                      {{"stretch_length"}, shows_trained}},
        .make = make,
        .carries_results = true,
        .of_trained_model = true,
        .what_you_see =
            "Top: what each encoding adds to the score of each query and key, for the same q and "
            "k; each map has its own scale. Below: means at each distance. Choose \"trained\" "
            "to see what small models that were trained with each on the same text name "
            "rightly, and what each costs.",
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
