// What the view attention says.
#include <cmath>
#include <optional>

#include "app/scene/settings.h"
#include "tests/property/sentences/attention_references.h"
#include "tests/property/sentences/readouts.h"
#include "tests/support/paths.h"

namespace ropescope::figures {
namespace {

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
    std::optional<double> from;
    if (s.places.numbers.size() > 2) {
        from = s.value(2);
    } else if (const auto late = test::match(" from layer # on", s.places.words.back())) {
        from = late->numbers[0].value;
    }
    if (from) {
        const auto first = static_cast<std::size_t>(*from);
        for (std::size_t layer = 0; layer < first; ++layer) {
            EXPECT_LT(by[layer], by[first]);
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

/// "next # %", of the opened head: the last number and the word before it.
void opened_head_does(const Said& s, const std::string& column) {
    const std::vector<std::string> words = words_of_tokens(s.figure);
    if (words.empty()) {
        return;
    }
    const std::string role = s.places.words.back();
    const auto share = share_of(role, Probabilities(s.figure, column), words);
    if (share) {
        // Each probability of the sum is in fp32.
        EXPECT_NEAR(s.places.numbers.back().value, 100 * *share, 0.5 + 1e-3) << role;
    }
}

/// Whether the demo models alone make the figure.
bool is_of_demo(const Scene& scene) {
    return scene.attention_source == AttentionSource::demo && scene.attention_segment == 0 &&
           scene.attention_table == NumberFormat::fp32;
}

void names_the_same_pieces(const Said& s) {
    if (!is_of_demo(s.scene)) {
        return;
    }
    EncoderRope other;
    other.enabled = s.scene.attention_compare == AttentionCompare::other_layout;
    other.layout = other.enabled ? std::optional(Layout::half_split) : std::nullopt;
    const Named own = named_by_demo(s.scene, demo::DemoModel::rope, {});
    const Named beside = named_by_demo(s.scene,
                                       s.scene.attention_compare == AttentionCompare::no_position
                                           ? demo::DemoModel::no_position
                                           : demo::DemoModel::rope,
                                       other);
    EXPECT_EQ(s.word(0), own.piece);
    EXPECT_EQ(s.places.words.back(), beside.piece);
    // Two orders of additions in fp32 make logits that differ by some 1e-5 of their size.
    EXPECT_NEAR(s.value(0), own.percent, 0.05 + 1e-3 * own.percent);
    EXPECT_NEAR(s.value(1), beside.percent, 0.05 + 1e-3 * beside.percent);
}

/// No head's scores or probabilities differ by more, and those of one differ by as much.
void differ_by_up_to(const Said& s) {
    double score = 0, probability = 0;
    const auto [layers, heads] = layers_and_heads(s.figure);
    for (Index head = 0; head < round_to_index(layers * heads); ++head) {
        Scene scene = s.scene;
        scene.attention_layer = head / round_to_index(heads);
        scene.attention_head = head % round_to_index(heads);
        const plot::Figure figure = whole_figure(scene, "attention");
        const auto far = [&](const char* a, const char* b) {
            const auto own = column_of(figure, a), other = column_of(figure, b);
            double most = 0;
            for (std::size_t row = 0; row < own.size(); ++row) {
                most = std::max(most, std::abs(own[row] - other[row]));
            }
            return most;
        };
        score = std::max(score, far("mean_score", "mean_score_other"));
        probability =
            std::max(probability, far("largest_probability", "largest_probability_other"));
    }
    at_most(s, s.value(0), score);
    at_most(s, s.value(1), probability);
}

double largest_change(const std::vector<std::string>& settings) {
    return std::ranges::max(changes(whole_figure(apply_settings({}, settings), "attention")));
}

void bf16_changes_more(const Scene& preset) {
    if (preset.model != "llama-2-7b") {
        return;  // the encoder is the same for all
    }
    // Scores of the trained model reach 20, and what rounding explains is 2^-16 of that.
    EXPECT_LT(largest_change({"attention_table=fp32"}), 20 * 0x1p-16);
    EXPECT_GT(largest_change({"attention_table=bf16"}), 1e-3);
    const double with_values =
        largest_change({"attention_source=folder", "attention_folder=" + test::source_dir() +
                                                       "/tests/golden/hf_roformer_variant"});
    EXPECT_GT(with_values, 1e-3);
}

void attention_map(const Under& u) {
    const std::vector<Under::Key> row = {{"query", u.value("query")}, {"key", u.value("key")}};
    u.is("distance", u.value("key") - u.value("query"));
    const std::string side = u.panel.ends_with(".other") ? "_other" : "";
    u.is_if_listed("score", u.in_table("mean_score" + side, row));
    u.is_if_listed("score without RoPE", u.in_table("mean_score_without_rope", row));
    u.is_if_listed("probability", u.in_table("largest_probability" + side, row));
}

/// Shares of the roles: those of the opened head by the table, all between 0 and 1.
void attention_roles(const Under& u, bool opened) {
    const std::vector<std::string> words = words_of_tokens(u.figure);
    for (const char* role :
         {"previous", "next", "same token", "delimiter", "first token", "by distance"}) {
        const std::string name = std::string("to ") + role;
        EXPECT_TRUE(u.value(name) >= 0 && u.value(name) <= 1) << name;
        // Words of a model without a vocabulary may have the same id.
        const bool by_word = u.scene.attention_source == AttentionSource::demo ||
                             u.scene.attention_source == AttentionSource::no_position ||
                             std::string_view(role) != "same token";
        if (opened && !words.empty() && by_word) {
            const std::string column =
                u.panel.ends_with(".other") ? "largest_probability_other" : "largest_probability";
            if (const auto share = share_of(role, Probabilities(u.figure, column), words)) {
                EXPECT_NEAR(u.value(name), *share, 0.0005 + 1e-5) << name;
            }
        }
    }
}

void attention_prediction(const Under& u) {
    EXPECT_LE(u.value("probability of the piece"), 1);
    EXPECT_FALSE(u.text("piece").empty());
    EXPECT_GE(u.value("id"), 0);
    EXPECT_GE(u.value("place"), 0);
}

void attention_head(const Under& u) {
    EXPECT_LE(u.value("lowest score"), u.value("highest score"));
    const double highest = u.value("highest probability");
    EXPECT_TRUE(highest > 0 && highest <= 1);
    const auto [layers, heads] = layers_and_heads(u.figure);
    EXPECT_TRUE(u.value("layer") < layers && u.value("head") < heads);
    const bool opened =
        u.whole("layer") == u.scene.attention_layer && u.whole("head") == u.scene.attention_head;
    const std::string side = u.panel.ends_with(".other") ? "_other" : "";
    if (opened) {
        const auto scores = column_of(u.figure, "mean_score" + side);
        u.is("lowest score", std::ranges::min(scores));
        u.is("highest score", std::ranges::max(scores));
        u.is("highest probability",
             std::ranges::max(column_of(u.figure, "largest_probability" + side)));
    }
    if (u.has("to next")) {  // in a long text not every probability is kept
        attention_roles(u, opened);
    }
}

/// Mean and deviation of the scores of the map at one distance.
void attention_distance(const Under& u) {
    u.is_drawn("mean score", u.value("distance"));
    u.is_drawn(u.scene.attention_compare == AttentionCompare::none ? "mean without RoPE"
                                                                   : "mean of the other",
               u.value("distance"));
    const auto query = column_of(u.figure, "query"), key = column_of(u.figure, "key"),
               score = column_of(u.figure, "mean_score");
    double count = 0, sum = 0, squares = 0, largest = 0;
    for (std::size_t cell = 0; cell < score.size(); ++cell) {
        if (key[cell] - query[cell] == u.value("distance")) {
            ++count;
            sum += score[cell];
            squares += score[cell] * score[cell];
            largest = std::max(largest, std::abs(score[cell]));
        }
    }
    const double mean = sum / count, variance = std::max(0.0, squares / count - mean * mean);
    // The table's scores are another fp32 sum of head_dim products than the curve's, and may
    // differ from it by some units of the largest; so may each term of the deviation.
    const double rounding = 64 * 0x1p-24 * std::max(largest, 1.0);
    const test::Printed deviation = u.number("deviation"), shown = u.number("mean score");
    EXPECT_NEAR(deviation.value, std::sqrt(variance), deviation.half_unit + rounding);
    EXPECT_NEAR(shown.value, mean, shown.half_unit + rounding);
}

/// Three digits of what is drawn, without zeros at the end. A logarithmic axis begins above zero,
/// and the curve lies there for what is smaller.
void is_change(const Under& u, const std::string& name) {
    const std::vector<double> drawn = changes(u.figure);
    if (!drawn.empty() && u.value(name) > 1e-9) {
        const double change = drawn.at(static_cast<std::size_t>(u.whole("layer")));
        EXPECT_NEAR(u.value(name), change, 0.00501 * change);
    }
}

void attention_change(const Under& u) {
    const auto [layers, heads] = layers_and_heads(u.figure);
    EXPECT_LT(u.value("layer"), layers);
    is_change(u, "largest change, score");
    const double probability = u.value("largest change, probability");
    EXPECT_TRUE(probability >= 0 && probability <= 1);
    EXPECT_TRUE(u.scene.attention_shift != 0 || probability == 0);
}

/// A row of the first table of the report.
void attention_change_row(const Under& u) {
    is_change(u, "score");
    EXPECT_LE(u.value("probability"), 1);
}

void padded_keys_are_masked(const Said& s) {
    // At least one token is left.
    const double tokens = std::ranges::max(s.column("key")) + 1;
    s.number(0, std::min(to_double(s.scene.attention_padding), tokens - 1));
    EXPECT_EQ(s.word(1), s.value(0) == 1 ? "" : "s");
    EXPECT_EQ(count_of(s.column("masked"), [](double masked) { return masked > 0; }),
              s.value(0) * tokens);
}

void nothing_is_masked(const Said& s) {
    EXPECT_EQ(std::ranges::max(s.column("masked")), 0);
}

ViewClaims attention_claims() {
    return {
        "attention",
        {
            {"What every head of a whole encoder makes of the distance between two tokens",
             [](const Said& s) { EXPECT_EQ(s.scene.attention_shift, 0); }},
            {"Move every token by # position*: no score changes by more than # (rounding)",
             nothing_changes},
            {"Move every token by # position*: scores change by up to #*, with a bf16 table",
             [](const Said& s) {
                 scores_change(s);
                 EXPECT_EQ(s.scene.attention_table, NumberFormat::bf16);
             }},
            {"Move every token by # position*: scores change by up to # from layer # on; values "
             "are rotated too",
             [](const Said& s) {
                 scores_change(s);
                 EXPECT_EQ(s.scene.attention_source, AttentionSource::folder);
             }},
            {"In the place of [MASK] the model puts “*” (# %); with *: “*” (# %)",
             names_the_same_pieces},
            {"With *, scores differ by up to #, probabilities by up to #", differ_by_up_to},
            {"*: # layer* × # head*, head_dim #*, base #, # token*", attention_sizes},
            {"Large map: *; # padded key* masked", padded_keys_are_masked},
            {"Both large maps: *; # padded key* masked", padded_keys_are_masked},
            {"Large map: *", nothing_is_masked},
            {"Both large maps: *", nothing_is_masked},
            {"layer #, head #, mixed",
             [](const Said& s) {
                 const auto [layers, heads] = layers_and_heads(s.figure);
                 s.numbers({std::min(to_double(s.scene.attention_layer), layers - 1),
                            std::min(to_double(s.scene.attention_head), heads - 1)});
             }},
            {"layer #, head #, * # %",
             [](const Said& s) { opened_head_does(s, "largest_probability"); }},
            {"*: layer #, head #, mixed", names_only},
            {"*: layer #, head #, * # %",
             [](const Said& s) { opened_head_does(s, "largest_probability_other"); }},
            {"[MASK] at # hides “*”",
             [](const Said& s) { s.number(0, to_double(s.scene.attention_masked)); }},
            {"*: [MASK] at # hides “*”",
             [](const Said& s) { s.number(0, to_double(s.scene.attention_masked)); }},
            {"[MASK] at #",
             [](const Said& s) {
                 EXPECT_NE(s.scene.attention_text.find("[MASK]"), std::string::npos);
             }},
            {"*: [MASK] at #",
             [](const Said& s) {
                 EXPECT_NE(s.scene.attention_text.find("[MASK]"), std::string::npos);
             }},
            {"five best", names_only},
            {"other", names_only},
            {"RoPE switched off", names_only},
            {"the other layout", names_only},
            {"its twin without positions", names_only},
            {"“*”", names_only},
            {"# %", [](const Said& s) { EXPECT_LE(s.value(0), 100); }},
            {"prev # %", [](const Said& s) { EXPECT_LE(s.value(0), 100); }},
            {"next # %", [](const Said& s) { EXPECT_LE(s.value(0), 100); }},
            {"same # %", [](const Said& s) { EXPECT_LE(s.value(0), 100); }},
            {"delim # %", [](const Said& s) { EXPECT_LE(s.value(0), 100); }},
            {"first # %", [](const Said& s) { EXPECT_LE(s.value(0), 100); }},
            {"dist # %", [](const Said& s) { EXPECT_LE(s.value(0), 100); }},
            {"every head", names_only},
            {"layer ↓  head →", names_only},
            {"largest change of a score", names_only},
            {"score by distance: mean ± deviation", names_only},
            {"fp# table", names_only},
            {"bf# table",
             [](const Said& s) { EXPECT_EQ(s.scene.attention_table, NumberFormat::bf16); }},
            {"fp#", names_only},
            {"score before the mask", names_only},
            {"score with RoPE − without", names_only},
            {"distance key − query (positions)", names_only},
            {"query ↓  key →", names_only},
            {"masked keys hatched   *",
             [](const Said& s) { EXPECT_GT(std::ranges::max(s.column("masked")), 0); }},
        },
        {
            {"A RoFormer's forward pass on the tokens beside the map", nothing_to_compare},
            {"Each head has a small map: one row per query, one column per key, and below it what "
             "the head does in this text, with its share",
             nothing_to_compare},
            {"More panels show scores by distance, their change when all tokens move, and what the "
             "model "
             "would put in the place of [MASK]",
             nothing_to_compare},
            {"Click a word to mask it", nothing_to_compare},
            {"Write a text of your own", nothing_to_compare},
            {"Compare the model with itself without RoPE, with the wrong layout, or with its twin "
             "without positions",
             nothing_to_compare},
            {"Change the shift: with an fp32 table scores change by rounding alone, because only "
             "distances count; with a bf16 table they change by more",
             bf16_changes_more},
        },
        {
            {"map", attention_map},
            {"map.other", attention_map},
            {"heads", attention_head},
            {"heads.other", attention_head},
            {"predictions", attention_prediction},
            {"predictions.other", attention_prediction},
            {"distance", attention_distance},
            {"shift", attention_change},
        },
        {{.first = "layer", .row = attention_change_row},
         {.first = "layer",
          .row =
              [](const Under& u) {
                  for (const char* role : {"previous", "next", "same token", "delimiter",
                                           "first token", "by distance"}) {
                      EXPECT_TRUE(u.value(role) >= 0 && u.value(role) <= 1) << role;
                  }
                  EXPECT_FALSE(u.text("does").empty());
                  EXPECT_GE(u.value("head"), 0);
              },
          .skipped = 1},
         {.first = "place",
          .row =
              [](const Under& u) {
                  EXPECT_LE(u.value("probability"), 1);
                  EXPECT_GE(u.value("id"), 0);
                  EXPECT_FALSE(u.text("piece").empty());
              }},
         {.first = "query",
          .keys = {{"query", "query"}, {"key", "key"}},
          .values = {{"score", "mean_score"}, {"probability", "largest_probability"}}}},
        {
            {"head_dim #, rotary_dim #, base #, *",
             [](const Said& s) {
                 EXPECT_TRUE(test::match("*, head_dim #*, base #, *", s.figure.subtitle)
                                 ->numbers[0]
                                 .shows(s.value(0)));
             }},
            {"Largest change by moving all positions by #, * table",
             [](const Said& s) {
                 s.number(0, to_double(s.scene.attention_shift));
                 EXPECT_EQ(s.word(0), to_string(s.scene.attention_table));
             }},
            {"What each head does in this text*", names_only},
            {"In the place of [MASK] the model would put*", names_only},
            {"Layer #, head #: the most likely key of each query",
             [](const Said& s) {
                 const auto [layers, heads] = layers_and_heads(s.figure);
                 s.numbers({std::min(to_double(s.scene.attention_layer), layers - 1),
                            std::min(to_double(s.scene.attention_head), heads - 1)});
             }},
        },
        {},
        {{"attention_padding=1"},
         {"attention_table=bf16"},
         {"attention_quantity=effect"},
         {"attention_compare=rope_off"},
         {"attention_compare=other_layout", "attention_text=a [MASK] of the house",
          "attention_masked=0"},
         {"attention_text=a [MASK] of the house", "attention_masked=0"},
         {"attention_compare=no_position", "attention_head=1"},
         {"attention_compare=no_position", "attention_masked=0"},
         {"attention_source=random", "attention_compare=rope_off"},
         {"attention_layer=1", "attention_head=0"},
         {"attention_layer=1", "attention_head=3"},
         {"attention_padding=3"},
         {"attention_shift=0"},
         {"attention_source=folder",
          "attention_folder=" + test::source_dir() + "/tests/golden/hf_roformer_base"},
         {"attention_source=folder",
          "attention_folder=" + test::source_dir() + "/tests/golden/hf_roformer_variant"}}};
}

const RegisteredClaims kAttentionClaims{attention_claims};

}  // namespace

}  // namespace ropescope::figures
