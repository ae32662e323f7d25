// What the view axes says.
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "app/figures/shared/shown_encoding.h"
#include "app/scene/settings.h"
#include "core/formats/presets.h"
#include "core/formats/schemes/scheme_facts.h"
#include "core/models/model.h"
#include "tests/property/sentences/claims.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

/// Rows of the figure's table; an empty model stands for any.
struct AxesRow {
    std::string table, model, axis;
    double pair = NAN, row = NAN, column = NAN, value = NAN;
};

std::vector<AxesRow> rows_of(const plot::Figure& figure, const std::string& table,
                             const std::string& model) {
    const auto tables = words_of(figure, "table"), models = words_of(figure, "model"),
               axes = words_of(figure, "axis");
    const auto pair = column_of(figure, "pair"), row = column_of(figure, "row"),
               column = column_of(figure, "column"), value = column_of(figure, "value");
    std::vector<AxesRow> rows;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (tables[i] == table && models[i] == model) {
            rows.push_back({tables[i], models[i], axes[i], pair[i], row[i], column[i], value[i]});
        }
    }
    return rows;
}

std::vector<std::string> models_of(const Scene& scene) {
    std::vector<std::string> models = {scene.axes_model};
    if (scene.axes_other != "none") {
        models.push_back(scene.axes_other);
    }
    return models;
}

double count_turning(const std::vector<AxesRow>& turns) {
    return to_double(
        std::ranges::count_if(turns, [](const AxesRow& row) { return row.value != 0; }));
}

const RotaryScheme& scheme_of(const Model& model, const Scene& scene) {
    return axes_part(model, scene.axes_part).scheme;
}

/// "16 by t, 24 by h": the pairs of the table, counted by the axis that turns them.
std::string counts_words(const Said& s, const std::string& name, bool only_turning) {
    std::map<std::string, double> counted;
    for (const AxesRow& row : rows_of(s.figure, "turn_rad", name)) {
        const std::string axis =
            row.axis.find(" and ") != row.axis.npos ? "several axes" : row.axis;
        counted[axis] += !only_turning || row.value != 0 ? 1 : 0;
    }
    const Model model = open_model(name);
    std::vector<std::string> axes = scheme_of(model, s.scene).axes;
    axes.insert(axes.end(), {"several axes", "none"});
    std::string words;
    for (const std::string& axis : axes) {
        if (counted[axis] > 0) {
            words += fmt::format("{}{} by {}", words.empty() ? "" : ", ", counted[axis], axis);
        }
    }
    return words;
}

/// The name of the scene's model with this title.
std::string name_of(const Scene& scene, const std::string& title) {
    for (const std::string& name : models_of(scene)) {
        if (open_model(name).title == title) {
            return name;
        }
    }
    ADD_FAILURE() << "no model of the scene is called " << title;
    return "";
}

/// "TITLE: 64 pairs, 16 by t, ..." and, if heads differ, " in head 2 of 6".
void says_what_there_is(const Said& s) {
    const std::string name = name_of(s.scene, s.word(0));
    s.number(0, to_double(std::ssize(rows_of(s.figure, "turn_rad", name))));
    EXPECT_EQ(s.word(1), counts_words(s, name, false));
    const Model model = open_model(name);
    EXPECT_EQ(s.word(2).empty(), scheme_of(model, s.scene).heads.size() == 1);
}

/// Whether it holds of one of the scene's models.
bool of_some_model(const Said& s,
                   const std::function<bool(const Model&, const RotaryScheme&)>& holds) {
    return std::ranges::any_of(models_of(s.scene), [&](const std::string& name) {
        const Model model = open_model(name);
        return holds(model, scheme_of(model, s.scene));
    });
}

void names_the_head(const Said& s) {
    EXPECT_TRUE(of_some_model(s, [&](const Model&, const RotaryScheme& scheme) {
        const Index heads = std::ssize(scheme.heads);
        return s.value(0) == to_double(std::min<Index>(s.scene.axes_head, heads - 1)) &&
               s.value(1) == to_double(heads);
    }));
}

double score_at(const plot::Figure& figure, const std::string& model, double row, double column,
                const std::string& table = "score") {
    for (const AxesRow& cell : rows_of(figure, table, model)) {
        if (cell.row == row && cell.column == column) {
            return cell.value;
        }
    }
    return NAN;
}

double chosen_score(const Said& s, const std::string& model, const std::string& table = "score") {
    return score_at(s.figure, model, to_double(s.scene.axes_row), to_double(s.scene.axes_column),
                    table);
}

double largest_difference(const plot::Figure& figure) {
    double largest = 0;
    for (const AxesRow& row : rows_of(figure, "difference", "")) {
        largest = std::max(largest, std::abs(row.value));
    }
    return largest;
}

/// A corner of a map: the score of the chosen patch in one of them.
void is_a_chosen_score(const Said& s) {
    bool found = s.places.numbers[0].shows(chosen_score(s, "", "difference"));
    for (const std::string& model : models_of(s.scene)) {
        found = found || s.places.numbers[0].shows(chosen_score(s, model));
    }
    EXPECT_TRUE(found) << s.value(0);
}

void is_a_count_of_turning(const Said& s) {
    bool found = false;
    for (const std::string& model : models_of(s.scene)) {
        const auto turns = rows_of(s.figure, "turn_rad", model);
        found = found ||
                (s.value(0) == count_turning(turns) && s.value(1) == to_double(std::ssize(turns)));
    }
    EXPECT_TRUE(found);
}

void turning_by_axis(const Said& s) {
    const auto turns = rows_of(s.figure, "turn_rad", s.scene.axes_model);
    s.numbers({count_turning(turns), to_double(std::ssize(turns))});
    EXPECT_EQ(s.word(2), counts_words(s, s.scene.axes_model, true));
}

void place_and_score(const Said& s) {
    s.numbers({to_double(s.scene.axes_fixed_row), to_double(s.scene.axes_fixed_column),
               to_double(s.scene.axes_row), to_double(s.scene.axes_column),
               chosen_score(s, s.scene.axes_model)});
    EXPECT_EQ(s.word(0).empty(), s.scene.axes_grid.find('x') == s.scene.axes_grid.rfind('x') ||
                                     s.scene.axes_grid.starts_with("1x"));
}

void frame_of_the_map(const Said& s) {
    s.number(0, to_double(s.scene.axes_frame));
}

plot::Figure figure_with(const std::vector<std::string>& settings) {
    return whole_figure(apply_settings({}, settings), "axes");
}

void only_columns_turn(const Scene&) {
    const plot::Figure figure = figure_with({"axes_row=4", "axes_fixed_row=4", "axes_column=0"});
    for (const AxesRow& row : rows_of(figure, "turn_rad", "qwen2-vl-7b")) {
        EXPECT_EQ(row.value != 0, row.axis == "w") << row.pair;
    }
}

/// Twice the grid has the same scores at twice the distance; every mixed pair turns by both axes.
void maps_of_the_other_models(const Scene&) {
    const auto map = [](const char* grid) {
        return figure_with({"axes_model=dinov3-vit-small", fmt::format("axes_grid={}", grid),
                            "axes_fixed_row=0", "axes_fixed_column=0"});
    };
    const plot::Figure coarse = map("6x9"), fine = map("12x18");
    for (const AxesRow& cell : rows_of(coarse, "score", "dinov3-vit-small")) {
        EXPECT_NEAR(cell.value, score_at(fine, "dinov3-vit-small", 2 * cell.row, 2 * cell.column),
                    1e-12);
    }
    const plot::Figure mixed = figure_with({"axes_model=ropevit-mixed-start"});
    for (const AxesRow& row : rows_of(mixed, "turn_rad", "ropevit-mixed-start")) {
        EXPECT_EQ(row.axis, "x and y");
    }
}

void text_counts_alike(const Scene&) {
    const plot::Figure figure = figure_with({"axes_tokens=text"});
    const auto positions = rows_of(figure, "position", "qwen2-vl-7b");
    ASSERT_EQ(positions.size(), 3U);
    EXPECT_EQ(positions[0].value, positions[1].value);
    EXPECT_EQ(positions[0].value, positions[2].value);
}

/// A block of the report: a model and its scheme.
void states_the_scheme(const Said& s) {
    const std::string& name = s.word(0);
    const Model model = open_model(name);
    const Part& part = axes_part(model, s.scene.axes_part);
    const RotaryScheme& scheme = part.scheme;
    const std::vector<std::string> words = {name,
                                            model.title,
                                            part.kind,
                                            scheme.id,
                                            std::string(scheme_facts(scheme.id).title),
                                            std::string(scheme_facts(scheme.id).source),
                                            std::string(layout_name(scheme.pairs)),
                                            counts_words(s, name, false),
                                            describe_positions(scheme),
                                            describe_turning(scheme)};
    EXPECT_EQ(s.places.words, words);
    s.numbers(
        {to_double(scheme.head_dim), to_double(std::ssize(rows_of(s.figure, "turn_rad", name)))});
}

/// How far the patch under the cursor is from q; the table has it for the chosen patch.
void distances_from_q(const Under& u) {
    const bool chosen = u.value("row") == to_double(u.scene.axes_row) &&
                        u.value("column") == to_double(u.scene.axes_column);
    for (const plot::Readout& readout : u.readouts) {
        if (const auto axis = test::match("* from q", readout.name)) {
            u.text(readout.name);
            for (const AxesRow& row : rows_of(u.figure, "position", u.scene.axes_model)) {
                if (chosen && u.scene.axes_other == "none" && row.axis == axis->words[0]) {
                    u.is(readout.name, row.value);
                }
            }
        }
    }
    const auto is_frame = [](const plot::Readout& readout) { return readout.name == "frame"; };
    if (std::ranges::any_of(u.readouts, is_frame)) {  // a grid of one frame names none
        u.is("frame", to_double(u.scene.axes_frame));
    }
}

void patch_or_pair(const Under& u) {
    const bool other = u.panel.ends_with("_other");
    const std::string model = other ? u.scene.axes_other : u.scene.axes_model;
    if (u.panel == "map" || u.panel == "map_other" || u.panel == "difference") {
        const double row = u.value("row"), column = u.value("column");
        distances_from_q(u);
        u.is("score", score_at(u.figure, u.scene.axes_model, row, column));
        if (u.scene.axes_other != "none") {
            u.is("score, second model", score_at(u.figure, u.scene.axes_other, row, column));
            u.is("difference", score_at(u.figure, "", row, column, "difference"));
        }
        return;
    }
    const double pair = u.value("pair");
    const auto turns = rows_of(u.figure, "turn_rad", model);
    ASSERT_LT(pair, turns.size());
    const AxesRow& turn = turns[static_cast<std::size_t>(pair)];
    EXPECT_EQ(u.text("axis"), turn.axis);
    const auto channels = test::match("#, #", u.text("channels"));
    ASSERT_TRUE(channels);
    EXPECT_LT(channels->numbers[0].value, channels->numbers[1].value);
    u.is("turn from q to k", turn.value * 180 / M_PI);
    u.is("its part of the score", std::cos(turn.value) / to_double(std::ssize(turns)));
    double squares = 0;
    for (const AxesRow& omega : rows_of(u.figure, "omega_rad", model)) {
        if (omega.pair == pair) {
            u.is("ω of " + omega.axis, omega.value);
            squares += omega.value * omega.value;
        }
    }
    u.is("wavelength", 2 * M_PI / std::sqrt(squares));
}

/// "up to #": never below the largest difference, and above it by less than a unit of the second
/// digit, which is a tenth at most.
void bounds_closely(const Said& s) {
    const double largest = largest_difference(s.figure);
    EXPECT_GE(s.value(0), largest * (1 - 1e-12));
    EXPECT_LE(s.value(0), largest * 1.1);
}

}  // namespace

std::vector<Scene> scenes_of_several_axes() {
    std::vector<Scene> scenes;
    for (const Preset& preset : several_axes_presets()) {
        scenes.push_back(apply_settings({}, {"axes_model=" + preset.name, "axes_grid=2x12x12"}));
        scenes.push_back(apply_settings(scenes.back(), {"axes_other=ropevit-mixed-start"}));
    }
    scenes.push_back(apply_settings({}, {"axes_model=ropevit-mixed-start"}));
    scenes.push_back(apply_settings({}, {"axes_model=llama-2-7b", "axes_tokens=text"}));
    return scenes;
}

namespace {

std::vector<std::string> titles_of_models() {
    std::vector<std::string> titles = {open_model("llama-2-7b").title,
                                       open_model("ropevit-mixed-start").title};
    for (const Preset& preset : several_axes_presets()) {
        titles.push_back(open_model(preset.name).title);
    }
    return titles;
}

ViewClaims axes_claims() {
    return {
        "axes",
        {
            {"The chosen {} is the fixed one: no pair turns, and the score is {}",
             [](const Said& s) {
                 const auto turns = rows_of(s.figure, "turn_rad", s.scene.axes_model);
                 EXPECT_EQ(count_turning(turns), 0);
                 EXPECT_NEAR(s.value(0), chosen_score(s, s.scene.axes_model), 1e-12);
             }},
            {"No pair turns from the fixed {} to the chosen one",
             [](const Said& s) {
                 const auto turns = rows_of(s.figure, "turn_rad", s.scene.axes_model);
                 EXPECT_EQ(count_turning(turns), 0);
             }},
            {"{} of {} {} from the fixed {} to the chosen one: {}", turning_by_axis},
            {"Both give every {} the same score",
             [](const Said& s) { EXPECT_LT(largest_difference(s.figure), 1e-12); }},
            {"The two give the same {} scores that differ by up to {}",
             [](const Said& s) {
                 EXPECT_GT(largest_difference(s.figure), 0);
                 bounds_closely(s);
             }},
            {"From q in row {}, column {} to k in {}row {}, column {} the score is {}",
             place_and_score},
            {"frame {},", [](const Said& s) { s.number(0, to_double(s.scene.axes_frame)); }},
            {", frame {}", frame_of_the_map},
            {"{} of {} turn", is_a_count_of_turning},
            {"{}", is_a_chosen_score},
            {"{}: {}, {}{}", says_what_there_is},
            {"in head {} of {}", names_the_head},
        },
        {
            {"Drag k along the row of q: only the pairs of the columns turn", only_columns_turn},
            {"Choose ropevit-mixed-start to see diagonals, dinov3-vit-small with another grid to "
             "see that its map is stretched, and a second model to compare with",
             maps_of_the_other_models},
            {"With text on the grid all axes count alike", text_counts_alike},
        },
        {{"", patch_or_pair}},
        {{.first = "pair",
          .keys = {{"pair", "pair"}},
          .values = {{"turn rad", "value"}},
          .words_in = "table",
          .word = "turn_rad"}},
        {
            {"Grid of {} x {} x {} {}; q: {}; k: {}",
             [](const Said& s) {
                 const std::string sizes =
                     fmt::format("{}x{}x{}", s.value(0), s.value(1), s.value(2));
                 EXPECT_TRUE(sizes.ends_with(s.scene.axes_grid)) << sizes;
             }},
            {"frame {}, row {}, column {}",
             [](const Said& s) {
                 const bool chosen = s.value(0) == to_double(s.scene.axes_frame) &&
                                     s.value(1) == to_double(s.scene.axes_row) &&
                                     s.value(2) == to_double(s.scene.axes_column);
                 const bool fixed = s.value(1) == to_double(s.scene.axes_fixed_row) &&
                                    s.value(2) == to_double(s.scene.axes_fixed_column);
                 EXPECT_TRUE(chosen || fixed);
             }},
            {"{}: {}, {} part\nscheme {}: {}\nsource: {}\nhead_dim {}, {} pairs ({}): "
             "{}\npositions: "
             "{}\nthese turn: {}",
             states_the_scheme},
            {"assumed: {}",
             [](const Said& s) {
                 EXPECT_TRUE(of_some_model(s, [&](const Model& model, const RotaryScheme&) {
                     const auto& assumed = axes_part(model, s.scene.axes_part).assumptions;
                     return std::ranges::find(assumed, s.word(0)) != assumed.end();
                 }));
             }},
            {"heads turn at speeds of their own: head {} of {} is shown", names_the_head},
            {"from q to k: {} {}; score {}",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), s.value(0) == 1 ? "turns" : "turn");
                 EXPECT_TRUE(std::ranges::any_of(models_of(s.scene), [&](const auto& model) {
                     return s.value(0) == count_turning(rows_of(s.figure, "turn_rad", model)) &&
                            s.value(1) == chosen_score(s, model);
                 }));
             }},
            {"The scores differ by up to {}", bounds_closely},
            {"Pairs of {}", [](const Said& s) { EXPECT_EQ(s.word(0), s.scene.axes_model); }},
            {"{} of {} pairs, evenly chosen; the CSV has all",
             [](const Said& s) {
                 s.numbers({64, to_double(std::ssize(
                                    rows_of(s.figure, "turn_rad", s.scene.axes_model)))});
             }},
        },
        {{"axes_model=dinov3-vit-small", "axes_grid=6x9"},
         {"axes_model=dinov3-vit-small", "axes_grid=6x9", "axes_other=ropevit-mixed-start"},
         {"axes_model=qwen2-vl-7b", "axes_grid=6x9", "axes_other=qwen2.5-vl-7b"},
         {"axes_model=pixtral-12b", "axes_grid=6x9", "axes_other=pixtral-12b-mistral"},
         {"axes_row=4", "axes_fixed_row=4", "axes_column=6", "axes_fixed_column=6"},
         {"axes_model=dinov3-vit-small", "axes_grid=2x6x9", "axes_frame=1", "axes_row=2",
          "axes_fixed_row=2", "axes_column=3", "axes_fixed_column=3"}},
        titles_of_models()};
}

const RegisteredClaims kAxesClaims{axes_claims};

}  // namespace

}  // namespace ropescope::figures
