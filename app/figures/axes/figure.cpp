// Puts the axes view together: its words, its maps, its numbers, clicks and drags.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "app/figures/axes/axes.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "core/formats/schemes/scheme_facts.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// The patch's letter in a disc, legible on any colour.
void add_patch(plot::Panel& panel, const PatchIndex& patch, const char* letter, Role role) {
    const plot::Point at{to_double(patch.column), to_double(patch.row)};
    panel.marks.emplace_back(
        plot::Points{.points = {at}, .role = role, .radius_px = 9, .ring = true});
    panel.marks.emplace_back(
        plot::Label{.at = at, .text = letter, .anchor_x = 0.5, .anchor_y = 0.5});
}

/// What the colours of a map reach from and to.
struct Colours {
    double min = 0, max = 1;
    plot::ColorMap map = plot::ColorMap::viridis;
};

/// From the lowest to the highest score, of both maps if there are two: many schemes leave all
/// patches near 1.
Colours score_colours(const AxesState& state) {
    auto [lowest, highest] = std::ranges::minmax(state.one.scores);
    if (state.other) {
        const auto other = std::ranges::minmax(state.other->scores);
        lowest = std::min(lowest, other.min);
        highest = std::max(highest, other.max);
    }
    constexpr double kLeast = 1e-9;  // one score everywhere: rounding is not to be seen
    return {std::min(lowest, highest - kLeast), highest};
}

plot::Panel map_panel(const AxesState& state, const std::string& id,
                      const std::vector<double>& values, const Colours& colours) {
    plot::HeatMap heat{.columns = state.grid.columns,
                       .rows = state.grid.rows,
                       .values = std::vector<float>(values.begin(), values.end()),
                       .x0 = -0.5,
                       .y0 = -0.5,
                       .min = colours.min,
                       .max = colours.max,
                       .map = colours.map};
    plot::Panel panel{.id = id,
                      .x = {.label = "column",
                            .min = -0.5,
                            .max = to_double(state.grid.columns) - 0.5,
                            .integers = true},
                      .y = {.label = "row",
                            .min = to_double(state.grid.rows) - 0.5,
                            .max = -0.5,
                            .integers = true},
                      .color_bar = true,
                      .row = 2,
                      .column_span = 2};
    panel.marks.emplace_back(std::move(heat));
    if (state.chosen.frame == state.fixed.frame) {
        add_patch(panel, state.fixed, "q", Role::dim);
    }
    add_patch(panel, state.chosen, "k", Role::text);
    return panel;
}

plot::Text frame_words(const AxesState& state) {
    return state.grid.frames == 1 ? plot::Text() : plot::say(", frame {}", state.chosen.frame);
}

/// "map" or "map_other": the score of the fixed patch with each patch of the frame.
plot::Panel axes_map_panel(const AxesState& state, const AxesScheme& scheme) {
    const bool other = &scheme != &state.one;
    plot::Panel panel =
        map_panel(state, other ? "map_other" : "map", scheme.scores, score_colours(state));
    panel.title = (state.other ? other ? "score, second model" : "score, first model"
                               : "score of each " + state.noun()) +
                  frame_words(state);
    panel.corners.top_right = plot::say("{}", signed_text(scheme.scores[state.chosen_cell()], 5));
    panel.column = other ? 2 : 0;
    if (!state.other) {  // at the right, as high as all the others
        panel.row = 0;
        panel.row_span = 3;
        panel.column = 3;
        panel.column_span = 3;
    }
    return panel;
}

/// "difference": the second map minus the first.
plot::Panel axes_difference_panel(const AxesState& state) {
    constexpr double kLeast = 1e-9;  // rounding is not to be seen
    const double limit = std::max(state.largest_difference, kLeast);
    plot::Panel panel = map_panel(state, "difference", state.difference,
                                  {-limit, limit, plot::ColorMap::diverging});
    panel.title = "second minus first";
    panel.corners.top_right =
        plot::say("{}", signed_text(state.difference[state.chosen_cell()], 5));
    panel.column = 4;
    return panel;
}

/// A patch's place, its distance from the fixed one in every axis, and its scores.
std::vector<plot::Readout> axes_patch_readouts(const AxesState& state, const PatchIndex& patch) {
    std::vector<plot::Readout> readouts;
    if (state.grid.frames > 1) {
        readouts.push_back({"frame", whole_text(patch.frame)});
    }
    readouts.push_back({"row", whole_text(patch.row)});
    readouts.push_back({"column", whole_text(patch.column)});
    for (Index a = 0; a < state.one.axes(); ++a) {
        readouts.push_back({state.one.scheme().axes[a] + " from q",
                            plot::number_text(state.one.places.between(a, state.fixed, patch))});
    }
    const Index cell = state.cell(patch.row, patch.column);
    readouts.push_back({"score", signed_text(state.one.scores[cell], 5)});
    if (state.other) {
        readouts.push_back({"score, second model", signed_text(state.other->scores[cell], 5)});
        readouts.push_back({"difference", signed_text(state.difference[cell], 5)});
    }
    return readouts;
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The scene parameter that names a model, and the model: both may be of one name.
struct Source {
    const char* parameter;
    std::string model;
};

/// The columns of the CSV while they grow.
struct Rows {
    std::vector<std::string> table, parameter, model, axis;
    std::vector<double> pair, frame, row, column, value;

    /// The rows of the maps, which are made again in every frame of a drag.
    void reserve(std::size_t rows) {
        for (std::vector<std::string>* words : {&table, &parameter, &model, &axis}) {
            words->reserve(rows);
        }
        for (std::vector<double>* numbers : {&pair, &frame, &row, &column, &value}) {
            numbers->reserve(rows);
        }
    }
    void add(const char* in, const Source& of, const std::string& along, double number,
             double at_pair = kNone) {
        table.emplace_back(in);
        parameter.emplace_back(of.parameter);
        model.push_back(of.model);
        axis.push_back(along);
        pair.push_back(at_pair);
        for (std::vector<double>* none : {&frame, &row, &column}) {
            none->push_back(kNone);
        }
        value.push_back(number);
    }
};

Source source_of(const AxesState& state, const AxesScheme& scheme) {
    return {&scheme == &state.one ? "axes_model" : "axes_other", scheme.name};
}

void add_scheme(Rows& rows, const AxesState& state, const AxesScheme& scheme) {
    const Source name = source_of(state, scheme);
    for (Index pair = 0; pair < scheme.pairs(); ++pair) {
        const auto omega_rad = scheme.spectrum().omega_rad(pair);
        for (Index a = 0; a < scheme.axes(); ++a) {
            if (omega_rad[a] != 0) {
                rows.add("omega_rad", name, scheme.scheme().axes[a], omega_rad[a], to_double(pair));
            }
        }
        rows.add("turn_rad", name, scheme.axis_words(pair), scheme.turn_rad[pair], to_double(pair));
    }
    for (Index a = 0; a < scheme.axes(); ++a) {
        rows.add("position", name, scheme.scheme().axes[a],
                 scheme.places.between(a, state.fixed, state.chosen));
    }
}

void add_map(Rows& rows, const AxesState& state, const char* table, const Source& of,
             const std::vector<double>& values) {
    // At once: a drag makes the map again in every frame.
    const std::size_t cells = values.size();
    rows.table.insert(rows.table.end(), cells, table);
    rows.parameter.insert(rows.parameter.end(), cells, of.parameter);
    rows.model.insert(rows.model.end(), cells, of.model);
    rows.axis.insert(rows.axis.end(), cells, "");
    rows.pair.insert(rows.pair.end(), cells, kNone);
    rows.frame.insert(rows.frame.end(), cells, to_double(state.chosen.frame));
    rows.value.insert(rows.value.end(), values.begin(), values.end());
    for (Index row = 0; row < state.grid.rows; ++row) {
        rows.row.insert(rows.row.end(), state.grid.columns, to_double(row));
        for (Index column = 0; column < state.grid.columns; ++column) {
            rows.column.push_back(to_double(column));
        }
    }
}

plot::Text place_words(const PatchIndex& patch) {
    return plot::say("frame {}, row {}, column {}", patch.frame, patch.row, patch.column);
}

plot::Text scheme_text(const AxesState& state, const AxesScheme& scheme) {
    const RotaryScheme& of = scheme.scheme();
    const SchemeFacts& facts = scheme_facts(of.id);
    plot::Text text = scheme.part.inferred.empty()
                          ? plot::Text()
                          : plot::say("inferred, not known: {}\n", printable(scheme.part.inferred));
    text += plot::say(
        "{}: {}, {} part\nscheme {}: {}\nsource: {}\nhead_dim {}, {} pairs ({}): {}\n"
        "positions: {}\nthese turn: {}\n",
        scheme.name, scheme.title, scheme.part.kind, of.id, facts.title, facts.source, of.head_dim,
        scheme.pairs(), layout_name(of.pairs), scheme.counts_words(false), describe_positions(of),
        describe_turning(of));
    if (of.heads.size() > 1) {
        text += plot::say("heads turn at speeds of their own: head {} of {} is shown\n",
                          scheme.head, of.heads.size());
    }
    for (const std::string& assumption : scheme.part.assumptions) {
        text += plot::say("assumed: {}\n", assumption);
    }
    text += plot::say("from q to k: {} {}; score {}\n\n", counted(scheme.turning(), "pair"),
                      agreeing(scheme.turning(), "turns", "turn"),
                      signed_text(scheme.scores[state.chosen_cell()], 5));
    return text;
}

plot::Text pair_table(const AxesScheme& scheme) {
    const std::vector<Index> shown = evenly_chosen(scheme.pairs(), 64);
    std::vector<std::vector<std::string>> rows;
    for (const Index pair : shown) {
        const ChannelPair channels = scheme.scheme().pairs[pair];
        rows.push_back({fmt::format("{}", pair),
                        fmt::format("{}, {}", channels.first, channels.second),
                        scheme.axis_words(pair), fmt::format("{:.6g}", scheme.speed_rad(pair)),
                        fmt::format("{:.6g}", scheme.wavelength(pair)),
                        fmt::format("{:.6g}", scheme.turn_rad[pair])});
    }
    plot::Text text =
        text_table({"pair", "channels", "axis", "ω rad/unit", "λ units", "turn rad"}, rows);
    if (std::ssize(shown) < scheme.pairs()) {
        text += plot::say("{} of {} pairs, evenly chosen; the CSV has all\n", shown.size(),
                          scheme.pairs());
    }
    return text;
}

/// CSV, a row for each number, with the scene parameter that names its model (axes_model or
/// axes_other) and the model: table ("omega_rad" and "turn_rad" by model, pair and axis, "position"
/// of the chosen minus that of the fixed patch by model and axis, "score" by model, frame, row and
/// column, "difference" of the scores), value. Cells that do not apply are empty.
plot::DataTable axes_data(const AxesState& state) {
    Rows rows;
    const auto pairs = static_cast<std::size_t>(state.one.pairs());
    rows.reserve((state.other ? 3 : 1) * state.one.scores.size() + 8 * pairs);
    add_scheme(rows, state, state.one);
    add_map(rows, state, "score", source_of(state, state.one), state.one.scores);
    if (state.other) {
        add_scheme(rows, state, *state.other);
        add_map(rows, state, "score", source_of(state, *state.other), state.other->scores);
        add_map(rows, state, "difference", {"", ""}, state.difference);
    }
    // Not as a list in braces, which would copy each column once more.
    plot::DataTable data;
    const auto add = [&](const char* name, auto& values) {
        data.columns.push_back({name, std::move(values)});
    };
    add("table", rows.table);
    add("parameter", rows.parameter);
    add("model", rows.model);
    add("axis", rows.axis);
    add("pair", rows.pair);
    add("frame", rows.frame);
    add("row", rows.row);
    add("column", rows.column);
    add("value", rows.value);
    return data;
}

/// What the schemes are, and a table of the first one's pairs, 64 at most.
plot::Text axes_report(const AxesState& state) {
    plot::Text text = plot::say("Grid of {} x {} x {} {}; q: {}; k: {}.\n\n", state.grid.frames,
                                state.grid.rows, state.grid.columns,
                                state.tokens == AxesTokens::text ? "tokens of text" : "patches",
                                place_words(state.fixed), place_words(state.chosen));
    text += scheme_text(state, state.one);
    if (state.other) {
        text += scheme_text(state, *state.other);
        text += plot::say("The scores differ by up to {}.\n\n",
                          plot::number_text(two_digits_up(state.largest_difference)));
    }
    return text + plot::say("Pairs of {}\n", state.one.name) + pair_table(state.one);
}

/// Sums of the same numbers in another order differ by less: pairs times 2^-53.
constexpr double kRounding = 1e-12;

plot::Text title_of_one(const AxesState& state) {
    const AxesScheme& scheme = state.one;
    const std::string noun = state.noun();
    if (state.chosen == state.fixed) {
        return plot::say("The chosen {} is the fixed one: no pair turns, and the score is {}", noun,
                         1);
    }
    const Index turning = scheme.turning();
    if (turning == 0) {
        return plot::say("No pair turns from the fixed {} to the chosen one", noun);
    }
    return plot::say("{} of {} {} from the fixed {} to the chosen one: {}", turning,
                     counted(scheme.pairs(), "pair"), agreeing(turning, "turns", "turn"), noun,
                     scheme.counts_words(true));
}

plot::Text title(const AxesState& state) {
    if (!state.other) {
        return title_of_one(state);
    }
    return state.largest_difference < kRounding
               ? plot::say("Both give every {} the same score", state.noun())
               : plot::say("The two give the same {} scores that differ by up to {}", state.noun(),
                           plot::number_text(two_digits_up(state.largest_difference)));
}

plot::Text scheme_words(const AxesScheme& scheme) {
    const auto heads = std::ssize(scheme.scheme().heads);
    return plot::say("{}: {}, {}{}.", scheme.title, counted(scheme.pairs(), "pair"),
                     scheme.counts_words(false),
                     heads > 1 ? plot::say(" in head {} of {}", scheme.head, heads) : plot::Text());
}

plot::Text subtitle(const AxesState& state) {
    plot::Text text = scheme_words(state.one);
    if (state.other) {
        return text + " " + scheme_words(*state.other);
    }
    const plot::Text frame =
        state.grid.frames > 1 ? plot::say("frame {}, ", state.chosen.frame) : plot::Text();
    text += plot::say(" From q in row {}, column {} to k in {}row {}, column {} the score is {}.",
                      state.fixed.row, state.fixed.column, frame, state.chosen.row,
                      state.chosen.column, signed_text(state.one.scores[state.chosen_cell()], 5));
    return text + score_gain_text(state.one.spectrum());
}

/// Arrow keys move the chosen patch, page keys and the wheel the frame.
std::vector<plot::Link> keys(const AxesState& state) {
    using Key = plot::Link::Key;
    std::vector<plot::Link> links;
    const auto add = [&](Key key, const char* parameter, Index to, Index count) {
        if (to >= 0 && to < count) {
            links.push_back({.key = key, .settings = {fmt::format("{}={}", parameter, to)}});
        }
    };
    const PatchIndex& at = state.chosen;
    add(Key::up, "axes_row", at.row - 1, state.grid.rows);
    add(Key::down, "axes_row", at.row + 1, state.grid.rows);
    add(Key::left, "axes_column", at.column - 1, state.grid.columns);
    add(Key::right, "axes_column", at.column + 1, state.grid.columns);
    for (const Key key : {Key::page_up, Key::wheel_up}) {
        add(key, "axes_frame", at.frame - 1, state.grid.frames);
    }
    for (const Key key : {Key::page_down, Key::wheel_down}) {
        add(key, "axes_frame", at.frame + 1, state.grid.frames);
    }
    return links;
}

/// A draft has no report.
plot::Figure draw(const AxesState& state, bool draft) {
    plot::Figure figure;
    figure.view = "axes";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.legend = axes_legend(state);
    figure.row_weights = {1.0, 0.4 + 0.12 * to_double(state.one.axes()), state.other ? 1.6 : 1.0};
    figure.column_weights = {1, 1, 1, 1, 1, 1};
    figure.links = keys(state);
    if (!draft) {
        figure.data = axes_data(state);
        figure.report = std::string(figure.title) + "\n" + std::string(figure.subtitle) + "\n\n" +
                        axes_report(state);
    }
    return figure;
}

PatchIndex patch_at(const AxesState& state, plot::Point at) {
    return {state.chosen.frame, plot::pick_index(at.y, state.grid.rows),
            plot::pick_index(at.x, state.grid.columns)};
}

std::vector<plot::Readout> patch_readouts(const AxesState& state, plot::Point at) {
    return axes_patch_readouts(state, patch_at(state, at));
}

Scene choose_patch(const AxesState& state, Scene scene, plot::Point at) {
    const PatchIndex patch = patch_at(state, at);
    scene.axes_row = patch.row;
    scene.axes_column = patch.column;
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work& work) {
    const auto state = std::make_shared<const AxesState>(make_axes_state(scene));
    Picture picture{.figure = draw(*state, work.may_draft), .draft = work.may_draft};
    Answers of_patches{state, patch_readouts, choose_patch};
    of_patches.dragged = true;
    const auto of_pairs = [&](const AxesScheme& scheme) -> Answers {
        return {state, [&scheme](const AxesState&, plot::Point at) {
                    return axes_pair_readouts(scheme, plot::pick_index(at.x, scheme.pairs()));
                }};
    };
    const AxesScheme& one = state->one;
    picture.add(axes_spectrum_panel(*state, one), of_pairs(one));
    picture.add(axes_strip_panel(*state, one), of_pairs(one));
    if (!state->other) {
        picture.add(axes_turns_panel(one), of_pairs(one));
    }
    picture.add(axes_map_panel(*state, one), of_patches);
    if (state->other) {
        picture.add(axes_spectrum_panel(*state, *state->other), of_pairs(*state->other));
        picture.add(axes_strip_panel(*state, *state->other), of_pairs(*state->other));
        picture.add(axes_map_panel(*state, *state->other), of_patches);
        picture.add(axes_difference_panel(*state), of_patches);
    }
    return picture;
}

}  // namespace

View axes_view() {
    return {
        .id = "axes",
        .key = 'X',
        .name = "Axes",
        .group = "Images and videos",
        .question = "Which pairs turn by rows, which by columns?",
        .parameters = {"axes_model", "axes_other", "axes_part", "axes_head", "spectrum_quantity",
                       "axes_tokens", "axes_grid", "axes_frame", "axes_row", "axes_column",
                       "axes_fixed_row", "axes_fixed_column"},
        .make = make,
        .what_you_see =
            "The speed of each pair, in the colour of the axis that turns it; a lane for each "
            "axis; "
            "the angle by which each pair turns from the fixed patch q to the chosen patch k; and "
            "the score of q with every patch, for q and k of the same content. Pairs that do not "
            "turn are pale.",
        .what_to_try =
            "Drag k along the row of q: only the pairs of the columns turn. Choose "
            "ropevit-mixed-start to see diagonals, dinov3-vit-small with another grid to see that "
            "its map is stretched, and a second model to compare with. With text on the grid all "
            "axes count alike.",
        .formulas = {"angle_{i} = Σ_{a} ω_{i,a} (p_{a}(k) − p_{a}(q))",
                     "score = (1 / pairs) Σ_{i} cos angle_{i}"},
        .formula_source =
            "RoFormer, section 3.2, for each axis; sources of the schemes in the "
            "text export",
    };
}

}  // namespace ropescope::figures
