// What the views context, model and attention say.
#include <cmath>
#include <map>
#include <set>

#include "app/scene/settings.h"
#include "core/formats/model_family.h"
#include "core/formats/model_presets.h"
#include "tests/property/sentences/claims.h"
#include "tests/support/paths.h"

namespace ropescope::figures {
namespace {

/// The slowdowns of a method's pairs.
std::vector<double> slowdowns(const plot::Figure& figure, const std::string& method) {
    const auto names = words_of(figure, "method");
    const auto all = column_of(figure, "slowdown");
    std::vector<double> found;
    for (std::size_t row = 0; row < names.size(); ++row) {
        if (names[row] == method) {
            found.push_back(all[row]);
        }
    }
    return found;
}

double kept(const std::vector<double>& slower) {
    return count_of(slower, [](double by) { return std::abs(by - 1) < 1e-9; });
}

double factor_of(const Scene& scene) {
    return to_double(scene.target_length) / to_double(scene.original_length);
}

/// Pairs that finished no turn in training: the unscaled ones meet new angles beyond it.
double unfinished_in_training(const Scene& scene) {
    const Spectrum plain = make_spectrum(unscaled_rope_spec(scene));
    return count_of(plain.inv_freq_rad, [&](double speed) {
        return speed * to_double(scene.original_length) < 2 * M_PI;
    });
}

void lengths(const Said& s, std::size_t first) {
    s.number(first, to_double(s.scene.original_length));
    s.number(first + 1, to_double(s.scene.target_length));
}

void method_title(const Said& s) {
    EXPECT_EQ(s.word(0), s.scene.scaling) << "it speaks of a method that the scene has not";
    lengths(s, 0);
    const std::vector<double> slower = slowdowns(s.figure, s.word(0));
    s.number(2, kept(slower));
    s.number(3, count_of(slower, [](double by) { return by >= 1 + 1e-9; }));
}

/// A scene whose rows all differ from the unscaled one.
Scene to_eight_times(Scene scene) {
    scene.target_length = 8 * scene.original_length;
    return scene;
}

void methods_slow_as_told(const Scene& preset) {
    const Scene scene = to_eight_times(preset);
    const plot::Figure figure = whole_figure(scene, "context");
    for (const double by : slowdowns(figure, "linear")) {
        EXPECT_NEAR(by, 8, 1e-9);
    }
    if (const auto ntk = slowdowns(figure, "ntk"); !ntk.empty()) {
        EXPECT_NEAR(ntk.front(), 1, 1e-9);
        EXPECT_NEAR(ntk.back(), 8, 1e-6);
    }
    for (const char* method : {"yarn", "llama3"}) {
        const auto slower = slowdowns(figure, method);
        for (std::size_t pair = 1; pair < slower.size(); ++pair) {
            EXPECT_GE(slower[pair], slower[pair - 1] * (1 - 1e-12)) << method << pair;
        }
    }
}

void doubling_moves_ntk_alone(const Scene& preset) {
    const Scene once = to_eight_times(preset);
    Scene twice = once;
    twice.target_length *= 2;
    const plot::Figure a = whole_figure(once, "context"), b = whole_figure(twice, "context");
    const auto ntk_a = slowdowns(a, "ntk"), ntk_b = slowdowns(b, "ntk");
    for (std::size_t pair = 1; pair < ntk_a.size(); ++pair) {
        EXPECT_GT(ntk_b[pair], ntk_a[pair]);  // a larger base
    }
    const auto yarn_a = slowdowns(a, "yarn"), yarn_b = slowdowns(b, "yarn");
    for (std::size_t pair = 0; pair < yarn_a.size(); ++pair) {
        // r from theta (1 - r + r / s): the same share of each pair is slowed.
        const double ramp_a = (1 - 1 / yarn_a[pair]) / (1 - 1.0 / 8),
                     ramp_b = (1 - 1 / yarn_b[pair]) / (1 - 1.0 / 16);
        EXPECT_NEAR(ramp_a, ramp_b, 1e-9);
    }
}

/// Cells of the table in the picture, by method.
std::map<std::string, std::vector<std::string>> table_cells(const plot::Figure& figure) {
    std::map<double, std::vector<std::string>> lines;
    for (const plot::Panel& panel : figure.panels) {
        for (const plot::Mark& mark : panel.marks) {
            if (const auto* label = std::get_if<plot::Label>(&mark);
                label != nullptr && panel.id == "methods") {
                lines[-label->at.y].push_back(label->text);
            }
        }
    }
    std::map<std::string, std::vector<std::string>> cells;
    for (const auto& [y, line] : lines) {
        cells[line.front()] = line;
    }
    return cells;
}

void none_counts_the_unfinished(const Scene& preset) {
    const Scene scene = to_eight_times(preset);
    const auto cells = table_cells(whole_figure(scene, "context"));
    EXPECT_EQ(cells.at("none").back(),
              std::to_string(static_cast<int>(unfinished_in_training(scene))));
}

/// Every number of the table in the picture that the CSV can tell.
void table_counts_pairs(const Scene& scene) {
    const plot::Figure figure = whole_figure(scene, "context");
    for (const auto& [shown, cells] : table_cells(figure)) {
        if (shown == "method") {
            continue;
        }
        const auto slower = slowdowns(figure, shown == "none" ? "default" : shown);
        const auto names = words_of(figure, "method");
        const auto lengths = column_of(figure, "wavelength_positions");
        double never = 0;
        for (std::size_t row = 0; row < names.size(); ++row) {
            never += names[row] == (shown == "none" ? "default" : shown) &&
                             lengths[row] > to_double(scene.target_length)
                         ? 1
                         : 0;
        }
        EXPECT_EQ(std::stod(cells.at(4)), kept(slower)) << shown;
        EXPECT_EQ(std::stod(cells.at(7)), never) << shown;
    }
}

const ModelConfig& preset_of(const Said& s) {
    return *std::ranges::find(model_presets(), s.scene.model, &ModelConfig::id);
}

/// Whether one of the model's layers has such an encoding.
bool some_rope(const Said& s, const std::function<bool(const RopeSpec&)>& wanted) {
    const ModelConfig& model = preset_of(s);
    return wanted(model.rope) || std::ranges::any_of(model.layer_ropes, [&](const LayerRope& of) {
               return wanted(of.rope);
           });
}

/// Whether the report lists the sentence as an assumption.
bool is_assumed(const Said& s) {
    return s.figure.report.find("assumed: ") != std::string::npos &&
           s.figure.report.find(s.word(0)) != std::string::npos;
}

/// The spectra of the CSV, by the type of layer.
std::map<std::string, std::vector<double>> spectra(const plot::Figure& figure) {
    std::map<std::string, std::vector<double>> found;
    const auto what = words_of(figure, "what"), name = words_of(figure, "name"),
               value = words_of(figure, "value");
    for (std::size_t row = 0; row < what.size(); ++row) {
        if (what[row] == "inv_freq_rad") {
            found[name[row].substr(0, name[row].rfind(' '))].push_back(std::stod(value[row]));
        }
    }
    return found;
}

void local_layers_turn_faster(const Scene&) {
    for (const char* id : {"gemma-3-1b", "gemma-3-4b", "modernbert-base"}) {
        Scene scene;
        scene.model = id;
        const auto layers = spectra(whole_figure(scene, "model"));
        ASSERT_EQ(layers.size(), 2U) << id;
        const bool local_first = layers.begin()->first.find("sliding") != std::string::npos;
        const auto& local = local_first ? layers.begin()->second : layers.rbegin()->second;
        const auto& global = local_first ? layers.rbegin()->second : layers.begin()->second;
        for (std::size_t pair = 1; pair < local.size(); ++pair) {
            EXPECT_GT(local[pair], global[pair]) << id;
        }
    }
}

/// The largest changes of the layers' scores as the report lists them.
std::vector<double> changes(const plot::Figure& figure) {
    std::vector<double> found;
    for (const plot::Panel& panel : figure.panels) {
        if (panel.id != "shift") {
            continue;
        }
        for (const plot::Mark& mark : panel.marks) {
            if (const auto* line = std::get_if<plot::Line>(&mark)) {
                for (const plot::Point& point : line->points) {
                    found.push_back(point.y);
                }
            }
        }
    }
    return found;
}

double largest_score(const Said& s) {
    double largest = 0;
    for (const double score : s.column("mean_score")) {
        largest = std::max(largest, std::abs(score));
    }
    return largest;
}

/// The sentence gives two digits, rounded up.
void at_most(const Said& s, double said, double largest) {
    EXPECT_GE(said, std::max(largest, 0.0) * (1 - 1e-3));
    EXPECT_LE(said, 1.11 * std::max(largest, 1e-9));
    EXPECT_FALSE(s.figure.panels.empty());
}

void nothing_changes(const Said& s) {
    s.number(0, to_double(s.scene.attention_shift));
    const double largest = std::ranges::max(changes(s.figure));
    if (largest > 1e-9) {
        at_most(s, s.value(1), largest);
    }
    EXPECT_LT(largest, 1e-3 * std::max(1.0, largest_score(s))) << "that is not rounding";
}

void scores_change(const Said& s) {
    s.number(0, to_double(s.scene.attention_shift));
    const std::vector<double> by = changes(s.figure);
    at_most(s, s.value(1), std::ranges::max(by));
    if (s.places.numbers.size() > 2) {
        const auto first = static_cast<std::size_t>(s.value(2));
        for (std::size_t layer = 0; layer < first; ++layer) {
            EXPECT_LT(by[layer], 1e-2 * by[first]);
        }
    }
}

std::pair<double, double> layers_and_heads(const plot::Figure& figure) {
    for (const plot::Panel& panel : figure.panels) {
        if (panel.id == "heads") {
            return {panel.y.min + 0.5, panel.x.max + 0.5};  // the axis of layers runs down
        }
    }
    return {};
}

void attention_sizes(const Said& s) {
    const auto [layers, heads] = layers_and_heads(s.figure);
    EXPECT_EQ(s.value(0), layers);
    EXPECT_EQ(s.value(1), heads);
    EXPECT_EQ(s.places.numbers.back().value, std::ranges::max(s.column("key")) + 1);
}

double largest_change(const std::vector<std::string>& settings) {
    return std::ranges::max(changes(whole_figure(apply_settings({}, settings), "attention")));
}

void bf16_changes_more(const Scene& preset) {
    if (preset.model != "llama-2-7b") {
        return;  // the encoder is the same for all
    }
    EXPECT_LT(largest_change({"attention_table=fp32"}), 1e-5);
    EXPECT_GT(largest_change({"attention_table=bf16"}), 1e-3);
    const double with_values =
        largest_change({"attention_source=folder", "attention_folder=" + test::source_dir() +
                                                       "/tests/golden/hf_roformer_variant"});
    EXPECT_GT(with_values, 1e-3);
}

}  // namespace

ViewClaims context_claims() {
    return {
        "context",
        {
            {"The target is the trained length, # position*: nothing to extend",
             [](const Said& s) {
                 EXPECT_EQ(s.scene.original_length, s.scene.target_length);
                 s.number(0, to_double(s.scene.target_length));
             }},
            {"Unscaled from # to # position*: # of # pair* angles that training never showed",
             [](const Said& s) {
                 lengths(s, 0);
                 s.number(2, unfinished_in_training(s.scene));
                 s.number(3, to_double(s.scene.rotary_dim / 2));
             }},
            {"* from # to # position*: # pair* unchanged, # slower", method_title},
            {"* from # to # position*: # pair* unchanged, # slower, # faster",
             [](const Said& s) {
                 method_title(s);
                 s.number(4, count_of(slowdowns(s.figure, s.word(0)),
                                      [](double by) { return by < 1 - 1e-9; }));
             }},
            {"How much each method slows each pair", names_only},
            {"Factor # = # / #, base #",
             [](const Said& s) {
                 s.numbers({factor_of(s.scene), to_double(s.scene.target_length),
                            to_double(s.scene.original_length), s.scene.base});
             }},
            {"block: leave max_position_embeddings at the trained #: the stretch begins there",
             [](const Said& s) { s.number(0, to_double(s.scene.original_length)); }},
            {"The factor is 1 because the stretch grows with the sequence; the target is # times "
             "as long, # positions",
             [](const Said& s) {
                 s.numbers({factor_of(s.scene), to_double(s.scene.target_length)});
             }},
            {"block: this family's config.json has no key for the base",
             [](const Said& s) {
                 const ModelFamily* family = find_model_family(preset_of(s).model_type);
                 ASSERT_NE(family, nullptr);
                 EXPECT_EQ(family->base_key, "");
             }},
            {"block: transformers has no rope_type for it; the larger base is the whole method",
             names_only},
            {"block: without lists of its own, every pair is slowed by the factor, as with linear",
             [](const Said& s) {
                 for (const double by : slowdowns(s.figure, "longrope")) {
                     EXPECT_NEAR(by, factor_of(s.scene), 1e-9);
                 }
             }},
            {"model: * is scaled already (*); the rows start without it*",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), preset_of(s).title);
                 EXPECT_FALSE(std::holds_alternative<NoScaling>(preset_of(s).rope.scaling));
                 if (const auto from = test::match(", from the # positions before it", s.word(2))) {
                     EXPECT_TRUE(from->numbers[0].shows(to_double(s.scene.original_length)));
                 }
             }},
            {"The row * is what the model has", names_only},
            {"The file names no length before it, and # is max_position_embeddings: set "
             "original_length to the length trained without it",
             [](const Said& s) { s.number(0, to_double(preset_of(s).max_positions)); }},
            {"shown: *", [](const Said& s) { EXPECT_TRUE(s.word(0).find(s.scene.scaling) != 0); }},
            {"No scaling is chosen; click a row for another method",
             [](const Said& s) { EXPECT_EQ(s.scene.scaling, "default"); }},
            {"The scaling * has no row; click a row for another method",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), s.scene.scaling);
                 EXPECT_TRUE(slowdowns(s.figure, s.scene.scaling).empty());
             }},
            {"not listed: *", names_only},
            {"slower by a factor of", names_only},
            {"slowed", names_only},
            {"no turn", names_only},
            {"unseen", names_only},
            {"none", names_only},
            {"llama3", names_only},
            {"longrope", names_only},
            {"block: the lists were searched for the model's own target; another target changes "
             "the attention factor alone",
             names_only},
            {"The text export has the whole lists", names_only},
            {"#", names_only},  // cells of the table, see table_counts_pairs()
            {"\"*", names_only},
            {"  \"*", names_only},
        },
        {
            {"How much slower each pair turns", table_counts_pairs},
            {"Linear slows all alike; NTK slows the first pair not at all and the last by the "
             "whole factor; YaRN and Llama 3 slow a pair the less, the more it turned in training",
             methods_slow_as_told},
            {"The table counts pairs: \"no turn\" finish none within the target; \"unseen\" meet "
             "angles there that training never showed",
             table_counts_pairs},
            {"Below: the block for config.json", nothing_to_compare},
            {"Double the target: NTK's base grows, YaRN's ramp stays where it is",
             doubling_moves_ntk_alone},
            {"Watch \"unseen\": beyond the trained length the row \"none\" counts every pair that "
             "finished no turn in training",
             none_counts_the_unfinished},
        }};
}

ViewClaims model_claims() {
    return {
        "model",
        {
            {"*: the slowest pair needs # positions for one turn",
             [](const Said& s) {
                 const auto speeds = spectra(s.figure).begin()->second;
                 s.numbers({});
                 EXPECT_TRUE(s.places.numbers.back().shows(2 * M_PI / std::ranges::min(speeds)));
             }},
            {"*: # types of layers have # spectra",
             [](const Said& s) {
                 const auto layers = spectra(s.figure);
                 std::set<std::vector<double>> different;
                 for (const auto& [name, speeds] : layers) {
                     different.insert(speeds);
                 }
                 s.numbers({to_double(std::ssize(layers)), to_double(std::ssize(different))});
             }},
            {"*, # layers, # heads, context #",
             [](const Said& s) {
                 const ModelConfig& model = preset_of(s);
                 s.numbers({to_double(model.n_layers), to_double(model.n_heads),
                            to_double(model.max_positions)});
             }},
            {"# of # channels, *",
             [](const Said& s) {
                 EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                     return s.places.numbers[0].shows(to_double(rope.rotary_dim)) &&
                            s.places.numbers[1].shows(to_double(rope.head_dim));
                 }));
             }},
            {"#, softmax scale × #",
             [](const Said& s) {
                 EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                     const Spectrum spectrum = make_spectrum(rope);
                     return s.places.numbers[0].shows(spectrum.attention_factor) &&
                            s.places.numbers[1].shows(spectrum.softmax_scale_factor);
                 }));
             }},
            {"#, *",
             [](const Said& s) {
                 if (!is_assumed(s)) {
                     EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                         return s.places.numbers[0].shows(rope.base);
                     }));
                 }
             }},
            {"#",
             [](const Said& s) {
                 EXPECT_TRUE(some_rope(s, [&](const RopeSpec& rope) {
                     return s.places.numbers[0].shows(make_spectrum(rope).attention_factor);
                 }));
             }},
            {"# layer*", names_only},
            {"all layers", names_only},
            {"context #",
             [](const Said& s) { s.number(0, to_double(preset_of(s).max_positions)); }},
            {"*", [](const Said& s) { EXPECT_TRUE(is_assumed(s)) << s.word(0); }},
        },
        {
            {"The model as its config.json describes it: the wavelength of every pair beside its "
             "context, for each type of layer if layers differ; its scaling; what was assumed; and "
             "the tensors of a checkpoint, the largest first",
             nothing_to_compare},
            {"Choose Gemma 3 or ModernBERT at the top: their local layers turn faster",
             local_layers_turn_faster},
            {"The text export lists every tensor", nothing_to_compare},
        }};
}

ViewClaims attention_claims() {
    return {
        "attention",
        {
            {"What every head of a whole encoder makes of the distance between two tokens",
             [](const Said& s) { EXPECT_EQ(s.scene.attention_shift, 0); }},
            {"Move every token by # position*: no score changes by more than # (rounding)",
             nothing_changes},
            {"Move every token by # position*: scores change by up to #", scores_change},
            {"Move every token by # position*: scores change by up to # from layer # on",
             scores_change},
            {"Move every token by # position*: scores change by up to #, with a bf16 table",
             [](const Said& s) {
                 scores_change(s);
                 EXPECT_EQ(s.scene.attention_table, TableDtype::bf16);
             }},
            {"Move every token by # position*: scores change by up to # from layer # on, with a "
             "bf16 table",
             scores_change},
            {"Move every token by # position*: scores change by up to # from layer # on; values "
             "are rotated too",
             [](const Said& s) {
                 scores_change(s);
                 EXPECT_EQ(s.scene.attention_source, AttentionSource::folder);
             }},
            {"*: # layer* × # head*, head_dim #*, base #, # token*", attention_sizes},
            {"Left: *", names_only},
            {"Left: *; # padded key* masked",
             [](const Said& s) { s.number(0, to_double(s.scene.attention_padding)); }},
            {"layer #, head #",
             [](const Said& s) {
                 const auto [layers, heads] = layers_and_heads(s.figure);
                 s.numbers({std::min(to_double(s.scene.attention_layer), layers - 1),
                            std::min(to_double(s.scene.attention_head), heads - 1)});
             }},
            {"every head", names_only},
            {"click one to open it", names_only},
            {"largest change of a score", names_only},
            {"score by distance: mean ± deviation", names_only},
            {"fp# table", names_only},
            {"bf# table",
             [](const Said& s) { EXPECT_EQ(s.scene.attention_table, TableDtype::bf16); }},
            {"fp#", names_only},
            {"score before the mask", names_only},
            {"masked keys hatched   *",
             [](const Said& s) { EXPECT_GT(std::ranges::max(s.column("masked")), 0); }},
        },
        {
            {"Each head has a small map: one row per query, one column per key",
             nothing_to_compare},
            {"Below: the scores of the opened head by distance, and how much they change in each "
             "layer when all tokens move",
             nothing_to_compare},
            {"Change the shift: with an fp32 table scores change by rounding alone, because only "
             "distances count (a model with rotary_value rotates its values too, and its scores "
             "change); with the bf16 table of the RoFormer notebook they change by more",
             bf16_changes_more},
            {"Show RoPE's effect, click other heads, pad the tokens, open a checkpoint's folder",
             nothing_to_compare},
        }};
}

}  // namespace ropescope::figures
