// What the view attention says.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
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

std::pair<double, double> layers_and_heads(const plot::Figure& figure) {
    for (const plot::Panel& panel : figure.panels) {
        if (panel.id == "heads") {
            return {panel.y.min + 0.5, panel.x.max + 0.5};  // the axis of layers runs down
        }
    }
    return {};
}

bool has_other(const plot::Figure& figure) {
    return std::ranges::any_of(figure.data.columns, [](const plot::Column& column) {
        return column.name == "mean_score_other";
    });
}

void attention_sizes(const Said& s) {
    const auto [layers, heads] = layers_and_heads(s.figure);
    s.numbers({layers, heads, std::ranges::max(s.column("key")) + 1});
    EXPECT_EQ(s.word(2), has_other(s.figure) ? "Both large maps" : "Large map");
}

void is_opened_head(const Said& s) {
    const auto [layers, heads] = layers_and_heads(s.figure);
    s.numbers({std::min(to_double(s.scene.attention_layer), layers - 1),
               std::min(to_double(s.scene.attention_head), heads - 1)});
}

void compares(const Said& s) {
    EXPECT_TRUE(has_other(s.figure));
    EXPECT_NE(s.scene.attention_compare, AttentionCompare::none);
}

/// The head_dim that the subtitle states.
double head_dim_of(const plot::Figure& figure) {
    const auto sizes = std::ranges::find(figure.subtitle.sentences, "head_dim {}{}{}base {}",
                                         &plot::Sentence::words);
    return sizes->values.front().exact.value();
}

/// Which word of the first pass stands at each place of the second: in the opposite order whole
/// words are taken from the end, and [CLS], [SEP] and [PAD] at the ends stay.
std::vector<std::size_t> order_of_other(const Scene& scene, const std::vector<std::string>& words) {
    std::vector<std::size_t> order(words.size());
    std::iota(order.begin(), order.end(), 0);
    if (scene.attention_compare != AttentionCompare::reversed || words.empty()) {
        return order;
    }
    auto last = static_cast<std::size_t>(std::ranges::find(words, "[PAD]") - words.begin());
    const std::size_t first = words.front() == "[CLS]" ? 1 : 0;
    last -= last > first && words[last - 1] == "[SEP]" ? 1 : 0;
    for (std::size_t place = first, end = last; end > first;) {
        std::size_t begin = end - 1;
        while (begin > first && words[begin].starts_with("##")) {
            --begin;
        }
        for (std::size_t word = begin; word < end; ++word) {
            order[place++] = word;
        }
        end = begin;
    }
    return order;
}

/// The words of the second pass.
std::vector<std::string> words_of_other(const Scene& scene, const std::vector<std::string>& words) {
    std::vector<std::string> other;
    for (const std::size_t word : order_of_other(scene, words)) {
        other.push_back(words[word]);
    }
    return other;
}

/// "next 62 %" of the opened head, in one of the two passes; "delim 4 %" of any head.
void head_does(const Said& s) {
    EXPECT_LE(s.value(0), 100);
    const std::vector<std::string> words = words_of_tokens(s.figure);
    constexpr const char* kRoles[] = {"previous", "next", "same token", "delimiter", "first token"};
    const std::string& role = s.word(0);
    // "next" is short as well, and then of any head.
    if (words.empty() || role == "next" || std::ranges::find(kRoles, role) == std::end(kRoles)) {
        return;
    }
    bool found = false;
    for (const char* column : {"largest_probability", "largest_probability_other"}) {
        if (column == std::string("largest_probability") || has_other(s.figure)) {
            const bool own = column == std::string("largest_probability");
            const auto share = share_of(role, Probabilities(s.figure, column),
                                        own ? words : words_of_other(s.scene, words));
            // Each probability of the sum is in fp32.
            found = found || (share && std::abs(s.value(0) - 100 * *share) <= 1e-3);
        }
    }
    EXPECT_TRUE(found) << role << " " << s.value(0);
}

/// Whether the demo models alone make the figure.
bool is_of_demo(const Scene& scene) {
    return scene.attention_source == AttentionSource::demo && scene.attention_segment == 0 &&
           scene.attention_table == NumberFormat::fp32;
}

/// The speeds of the demo model with the pairs held still that turn round within the training's
/// texts, or with the others.
Spectrum speeds_without(bool fast) {
    Spectrum spectrum = make_spectrum(demo::demo_config(demo::DemoModel::rope).rope());
    for (double& speed : spectrum.inv_freq_rad) {
        const bool turns_round = speed * to_double(demo::kTrainedLength) >= 2 * std::numbers::pi;
        speed = turns_round == fast ? 0 : speed;
    }
    return spectrum;
}

void names_the_same_pieces(const Said& s) {
    if (!is_of_demo(s.scene)) {
        return;
    }
    EncoderRope other;
    other.enabled = s.scene.attention_compare == AttentionCompare::other_layout;
    other.layout = other.enabled ? std::optional(Layout::half_split) : std::nullopt;
    for (const auto with : {AttentionCompare::fast_still, AttentionCompare::slow_still}) {
        if (s.scene.attention_compare == with) {
            other.enabled = true;
            other.spectrum = speeds_without(with == AttentionCompare::fast_still);
        }
    }
    const Named own = named_by_demo(s.scene, demo::DemoModel::rope, {});
    Scene other_scene = s.scene;
    if (s.scene.attention_compare == AttentionCompare::reversed) {
        other.enabled = true;
        other_scene.attention_text.clear();
        for (const std::string& word : words_of_other(s.scene, words_of_tokens(s.figure))) {
            other_scene.attention_text += word == "[CLS]" || word == "[SEP]" ? "" : word + " ";
        }
        other_scene.attention_masked = 0;  // the text says it
    }
    const Named beside = named_by_demo(other_scene,
                                       s.scene.attention_compare == AttentionCompare::no_position
                                           ? demo::DemoModel::no_position
                                           : demo::DemoModel::rope,
                                       other);
    EXPECT_EQ(s.word(0), own.piece);
    if (s.scene.attention_compare == AttentionCompare::reversed &&
        (s.scene.attention_tokens > 0 || s.scene.attention_padding > 0)) {
        return;  // no text of the reference has its ends in the middle, or [PAD]
    }
    EXPECT_EQ(s.places.words.back(), beside.piece);
    // Two orders of additions in fp32 make logits that differ by some 1e-5 of their size.
    EXPECT_NEAR(s.value(0), own.percent, 0.05 + 1e-3 * own.percent);
    EXPECT_NEAR(s.value(1), beside.percent, 0.05 + 1e-3 * beside.percent);
}

void names_the_same_piece(const Said& s) {
    if (is_of_demo(s.scene)) {
        const Named own = named_by_demo(s.scene, demo::DemoModel::rope, {});
        EXPECT_EQ(s.word(0), own.piece);
        EXPECT_NEAR(s.value(0), own.percent, 0.05 + 1e-3 * own.percent);
    }
}

/// No head's scores or probabilities differ by more, and those of one differ by as much.
void differ_by_up_to(const Said& s) {
    double score = 0, probability = 0;
    const std::vector<std::string> words = words_of_tokens(s.figure);
    if (s.scene.attention_compare == AttentionCompare::reversed && words.empty()) {
        return;  // so many tokens have no words beside the map
    }
    const std::vector<std::size_t> order = order_of_other(s.scene, words);
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
                // The cell of the second pass at `row` is of these two tokens of the first.
                const std::size_t here = order.empty() ? row
                                                       : order[row / order.size()] * order.size() +
                                                             order[row % order.size()];
                most = std::max(most, std::abs(own[here] - other[row]));
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
    const bool turned = u.scene.attention_compare == AttentionCompare::reversed;
    u.is_if_listed("score without RoPE",
                   u.in_table("mean_score_without_rope" + (turned ? side : ""), row));
    u.is_if_listed("probability", u.in_table("largest_probability" + side, row));
}

/// Shares of the roles: those of the opened head by the table, all between 0 and 1.
void attention_roles(const Under& u, bool opened) {
    std::vector<std::string> words = words_of_tokens(u.figure);
    if (u.panel.ends_with(".other")) {
        words = words_of_other(u.scene, words);
    }
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
    EXPECT_EQ(count_of(s.column("masked"), [](double masked) { return masked > 0; }),
              s.value(0) * tokens);
}

ViewClaims attention_claims() {
    return {
        "attention",
        {
            {"What every head of a whole encoder makes of the distance between two tokens",
             [](const Said& s) { EXPECT_EQ(s.scene.attention_shift, 0); }},
            {"Move every token by {}: no score changes by more than {} (rounding)",
             nothing_changes},
            {"Move every token by {}: scores change by up to {}{}{}",
             [](const Said& s) {
                 s.number(0, to_double(s.scene.attention_shift));
                 at_most(s, s.value(1), std::ranges::max(changes(s.figure)));
                 EXPECT_EQ(s.word(1) == ", with a bf16 table",
                           s.scene.attention_table == NumberFormat::bf16);
                 EXPECT_TRUE(s.word(1) != "; values are rotated too" ||
                             s.scene.attention_source == AttentionSource::folder);
             }},
            {"from layer {} on",
             [](const Said& s) {
                 const std::vector<double> by = changes(s.figure);
                 const auto first = static_cast<std::size_t>(s.value(0));
                 for (std::size_t layer = 0; layer < first; ++layer) {
                     EXPECT_LT(by[layer], by[first]);
                 }
             }},
            {"In the place of [MASK] the model puts “{}” ({} %); with {}: “{}” ({} %)",
             names_the_same_pieces},
            {"In the place of [MASK] the model puts “{}” ({} %)", names_the_same_piece},
            {"With {}, scores differ by up to {}, probabilities by up to {}", differ_by_up_to},
            {"The words in the opposite order: no score between two words differs by more than {} "
             "(rounding)",
             [](const Said& s) {
                 EXPECT_EQ(s.scene.attention_compare, AttentionCompare::reversed);
                 EXPECT_LT(s.value(0), 1e-3 * std::max(1.0, largest_score(s)));
             }},
            {"{}: {} × {}, {}, {}. {}: {}", attention_sizes},
            {"head_dim {}{}{}base {}",
             [](const Said& s) { EXPECT_EQ(s.value(0), head_dim_of(s.figure)); }},
            {", the second with {}", compares},
            {"; {} masked", padded_keys_are_masked},
            {"layer {}, head {}{}", is_opened_head},
            {"{} {} %", head_does},
            {"[MASK] at {}{}",
             [](const Said& s) {
                 if (s.scene.attention_compare == AttentionCompare::reversed) {
                     return;  // in the other order it is another place
                 }
                 EXPECT_TRUE(s.value(0) == to_double(s.scene.attention_masked) ||
                             s.scene.attention_text.find("[MASK]") != std::string::npos);
             }},
            {"the {} places of [MASK]",
             [](const Said& s) {
                 EXPECT_GE(s.value(0), 2);
                 EXPECT_NE(s.scene.attention_text.find("[MASK]"), std::string::npos);
             }},
            {"{}: “{}”",
             [](const Said& s) {
                 EXPECT_LT(s.value(0), std::ranges::max(s.column("key")) + 1);
                 EXPECT_FALSE(s.word(0).empty());
             }},
            {"hides “{}”",
             [](const Said& s) { EXPECT_GT(s.scene.attention_masked, 0) << s.word(0); }},
            {"“{}”", [](const Said& s) { EXPECT_FALSE(s.word(0).empty()); }},
            {"{} %", [](const Said& s) { EXPECT_LE(s.value(0), 100); }},
            {"{}",
             [](const Said& s) {
                 const auto words = words_of_tokens(s.figure);
                 EXPECT_TRUE(std::ranges::find(words, s.word(0)) != words.end());
             }},
            {"{} table",
             [](const Said& s) { EXPECT_EQ(s.word(0), to_string(s.scene.attention_table)); }},
            {"masked keys hatched",
             [](const Said& s) { EXPECT_GT(std::ranges::max(s.column("masked")), 0); }},
        },
        {
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
            {"head_dim {}, rotary_dim {}, base {}, {}",
             [](const Said& s) { EXPECT_EQ(s.value(0), head_dim_of(s.figure)); }},
            {"Largest change by moving all positions by {}, {} table",
             [](const Said& s) {
                 s.number(0, to_double(s.scene.attention_shift));
                 EXPECT_EQ(s.word(0), to_string(s.scene.attention_table));
             }},
            {"Layer {}, head {}: the most likely key of each query{}",
             [](const Said& s) {
                 is_opened_head(s);
                 EXPECT_EQ(s.word(0).empty(), different(s.column("query")) <= 32);
             }},
        },
        {{"attention_padding=1"},
         {"attention_table=bf16"},
         {"attention_quantity=effect"},
         {"attention_compare=rope_off"},
         {"attention_compare=other_layout", "attention_text=a [MASK] of the house",
          "attention_masked=0"},
         {"attention_text=a [MASK] of the house", "attention_masked=0"},
         {"attention_compare=fast_still"},
         {"attention_compare=slow_still"},
         {"attention_compare=slow_still", "attention_masked=0"},
         {"attention_compare=no_position", "attention_head=1"},
         {"attention_compare=no_position", "attention_masked=0"},
         {"attention_source=random", "attention_compare=rope_off"},
         {"attention_compare=reversed"},
         {"attention_compare=reversed", "attention_masked=0", "attention_quantity=effect"},
         {"attention_compare=reversed", "attention_masked=0", "attention_source=no_position"},
         {"attention_layer=1", "attention_head=0"},
         {"attention_layer=1", "attention_head=3"},
         {"attention_padding=3"},
         {"attention_shift=0"},
         {"attention_shift=0", "attention_source=random"},
         {"attention_text=a [MASK] that [MASK] in water"},
         {"attention_source=folder",
          "attention_folder=" + test::source_dir() + "/tests/golden/hf_roformer_base"},
         {"attention_source=folder",
          "attention_folder=" + test::source_dir() + "/tests/golden/hf_roformer_variant"}},
        {"fp32"}};
}

const RegisteredClaims kAttentionClaims{attention_claims};

}  // namespace

}  // namespace ropescope::figures
