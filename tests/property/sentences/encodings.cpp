// What the view encodings says.
#include "app/figures/encodings/encodings.h"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>

#include "core/demo/demo_scores.h"
#include "core/demo/twins.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

double tokens_drawn(const plot::Figure& figure) {
    return std::ranges::max(column_of(figure, "query_position")) + 1;
}

/// Of an encoding, by query and key.
std::map<std::pair<double, double>, double> cells_of(const plot::Figure& figure,
                                                     const std::string& id,
                                                     const std::string& column) {
    const auto ids = words_of(figure, "encoding");
    const auto query = column_of(figure, "query_position"), key = column_of(figure, "key_position");
    const auto values = column_of(figure, column);
    std::map<std::pair<double, double>, double> cells;
    for (std::size_t row = 0; row < ids.size(); ++row) {
        if (ids[row] == id) {
            cells[{query[row], key[row]}] = values[row];
        }
    }
    return cells;
}

/// The slope of the scene's head, of four heads.
double slope_of(const Scene& scene) {
    const double head = std::min(to_double(scene.attention_head), 3.0);
    return 1 / std::pow(4.0, head + 1);
}

/// Least and largest of 0 and what an encoding adds.
std::pair<double, double> range_of(const Said& s, const std::string& id) {
    double least = 0, most = 0;
    for (const double value : s.where("encoding", id, "added")) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    return {least, most};
}

void added_title(const Said& s) {
    const auto [least, most] = range_of(s, "rope");
    s.numbers({least, most, -slope_of(s.scene) * (tokens_drawn(s.figure) - 1), 0});
}

void added_corner(const Said& s) {
    std::vector<double> ends;
    for (const char* id : {"rope", "partial", "alibi", "t5", "sinusoidal", "none"}) {
        const auto [least, most] = range_of(s, id);
        ends.push_back(least);
        ends.push_back(most);
    }
    s.one_of(0, ends);
    s.one_of(1, ends);
}

/// The ends of each map's colours are the largest value that its own encoding adds.
void own_scales(const Said& s) {
    for (const plot::Panel& panel : s.figure.panels) {
        if (!panel.id.starts_with("added.")) {
            continue;
        }
        const auto* const map = std::get_if<plot::HeatMap>(&panel.marks.front());
        ASSERT_NE(map, nullptr);
        const auto [least, most] = range_of(s, panel.id.substr(std::string("added.").size()));
        EXPECT_EQ(map->max, std::max({most, -least, 1e-9}));
        EXPECT_EQ(map->min, -map->max);
    }
}

/// Scores are sums, a row's probabilities are 1 together and as e^score among themselves, ALiBi is
/// its definition, a token's own score does not change by RoPE, and none adds nothing.
void map_cell(const Under& u) {
    const std::string id = u.panel.substr(std::string("added.").size());
    const auto at = std::pair{u.value("query"), u.value("key")};
    if (u.has("mask")) {
        EXPECT_GT(at.second, at.first);
        EXPECT_EQ(u.text("mask"), "the key is hidden");
        return;
    }
    const double content = cells_of(u.figure, "none", "score").at(at);
    const double added = cells_of(u.figure, id, "added").at(at);
    u.is("q·k/√d", content);
    u.is("added", added);
    u.is("score", content + added);
    const auto scores = cells_of(u.figure, id, "score");
    double sum = 0;
    for (const auto& [place, score] : scores) {
        sum += place.first == at.first ? std::exp(score - scores.at(at)) : 0;
    }
    u.is("probability", 1 / sum);
    if (id == "alibi") {
        EXPECT_NEAR(added, -slope_of(u.scene) * std::abs(at.first - at.second), 1e-12);
    }
    if ((id == "rope" || id == "partial") && at.first == at.second) {
        EXPECT_NEAR(added, 0, 1e-12 * (1 + std::abs(content)));
    }
}

/// Mean of a column over the cells at a distance.
double mean_at(const plot::Figure& figure, const std::string& id, const std::string& column,
               double distance) {
    double sum = 0, count = 0;
    for (const auto& [place, value] : cells_of(figure, id, column)) {
        if (place.second - place.first == distance) {
            sum += value;
            count += 1;
        }
    }
    return sum / count;
}

constexpr std::pair<const char*, const char*> kDrawnEncodings[] = {
    {"rope", "RoPE"},  {"partial", "partial RoPE"}, {"alibi", "ALiBi"},
    {"t5", "T5 bias"}, {"sinusoidal", "sinusoids"}, {"none", "none"}};

Hold held_means(const char* column) {
    return [column](const Under& u) {
        for (const auto& [id, name] : kDrawnEncodings) {
            if (u.has(name)) {
                u.is(name, mean_at(u.figure, id, column, u.value("distance")));
            }
        }
    };
}

/// What the script counted of a training.
double answered(const std::string& id, bool causal, int seed, Index length) {
    using demo::demo_scores;
    if (id == "yarn") {
        return demo_scores().held_out.of(demo::StretchMethod::yarn, length).share();
    }
    if (id == "rope" && !causal && seed == demo::kShippedSeed) {
        return demo_scores().held_out.of(demo::StretchMethod::none, length).share();
    }
    return demo::find_twin(id, causal, seed)->at(length)->share();
}

std::string id_named(const std::string& name) {
    for (const EncodingLook& look : encoding_looks()) {
        if (look.name == name) {
            return std::string(look.id);
        }
    }
    return "";
}

void answers_readout(const Under& u) {
    const Index length = u.whole("tokens");
    for (const EncodingLook& look : encoding_looks()) {
        for (const int seed : {1, 2}) {
            const std::string name = fmt::format("{}, seed {}", look.name, seed);
            if (u.has(name)) {
                u.is(name,
                     100 * answered(std::string(look.id), u.scene.encodings_causal, seed, length));
                u.is_drawn(name, to_double(length));
            }
        }
    }
}

/// Four layers of four heads of 32 channels.
void cost_row(const Under& u) {
    const std::string id = id_named(u.text("encoding"));
    const double length = std::stod(u.scene.stretch_length);
    const std::map<std::string, std::tuple<std::string, double, double>> costs = {
        {"rope", {"queries and keys", 0, 4 * 2 * 3 * 128}},
        {"yarn", {"queries and keys", 0, 4 * 2 * 3 * 128}},
        {"partial", {"queries and keys", 0, 4 * 2 * 3 * 32}},
        {"alibi", {"scores", 0, 2 * 16 * length}},
        {"t5", {"scores", 32 * 4, 16 * length}},
        {"learned", {"embeddings", 128 * 128, 128}},
        {"sinusoidal", {"embeddings", 0, 128}},
        {"none", {"nothing", 0, 0}}};
    const auto& [acts_on, parameters, operations] = costs.at(id);
    EXPECT_EQ(u.text("acts on"), acts_on);
    u.is("parameters", parameters);
    u.is("operations", operations);
    u.is("cached bytes", 2 * 2 * 4 * 128);
    const bool once = u.text("% right, other") == "–";
    for (const auto& [name, seed] : {std::pair{"% right", 2}, std::pair{"% right, other", 1}}) {
        if (u.text(name) != "–") {
            const bool of_first = once &&
                                  demo::find_twin(id, u.scene.encodings_causal, 2) == nullptr &&
                                  id != "rope" && id != "yarn";
            u.is(name, 100 * answered(id, u.scene.encodings_causal, of_first ? 1 : seed,
                                      std::stoll(u.scene.stretch_length)));
        }
    }
}

void probability_row(const Under& u) {
    for (const auto& [id, name] : kDrawnEncodings) {
        if (u.has(name)) {
            u.is(name, mean_at(u.figure, id, "probability", u.value("distance")));
        }
    }
}

/// The shares of the only training, or of seed 2.
void trained_title(const Said& s) {
    const Index length = std::stoll(s.scene.stretch_length);
    std::vector<double> said = {to_double(length)};
    for (const char* id : {"rope", "alibi", "none"}) {
        said.push_back(100 * answered(id, s.scene.encodings_causal, demo::kShippedSeed, length));
    }
    s.numbers(said);
}

plot::Figure encodings_of_head(std::int64_t head, bool causal) {
    Scene scene;
    scene.attention_head = head;
    scene.encodings_causal = causal;
    return whole_figure(scene, "encodings");
}

void slope_is_a_quarter(const Scene& /*preset*/) {
    const auto first = cells_of(encodings_of_head(0, false), "alibi", "added");
    const auto second = cells_of(encodings_of_head(1, false), "alibi", "added");
    for (const auto& [place, added] : first) {
        EXPECT_NEAR(second.at(place), added / 4, 1e-12);
    }
}

/// The spread of what an encoding adds along the diagonals.
double spread_along_diagonals(const plot::Figure& figure, const std::string& id) {
    std::map<double, std::pair<double, double>> ends;
    for (const auto& [place, added] : cells_of(figure, id, "added")) {
        auto [found, fresh] = ends.emplace(place.second - place.first, std::pair{added, added});
        found->second.first = std::min(found->second.first, added);
        found->second.second = std::max(found->second.second, added);
    }
    double spread = 0;
    for (const auto& [distance, of] : ends) {
        spread = std::max(spread, of.second - of.first);
    }
    return spread;
}

void diagonals(const Scene& /*preset*/) {
    const plot::Figure figure = encodings_of_head(0, false);
    EXPECT_EQ(spread_along_diagonals(figure, "alibi"), 0);
    EXPECT_GT(spread_along_diagonals(figure, "rope"), 0.1);
}

/// No row of the table has a key behind its query.
void nothing_behind_a_mask(const Scene& /*preset*/) {
    const plot::Figure figure = encodings_of_head(0, true);
    const auto query = column_of(figure, "query_position"), key = column_of(figure, "key_position");
    for (std::size_t row = 0; row < query.size(); ++row) {
        EXPECT_LE(key[row], query[row]);
    }
}

ViewClaims encodings_claims() {
    return {
        "encodings",
        {
            {"To scores of the same q and k RoPE adds {} to {}, ALiBi {} to {}", added_title},
            {"adds {} to {}", added_corner},
            {"In texts of {} tokens the model with RoPE names {} % rightly, with ALiBi {} %, "
             "without positions {} %",
             trained_title},
            {"All were trained on other texts, of {} tokens; dot and ring are two trainings that "
             "differ in their seed alone",
             [](const Said& s) {
                 s.number(0, to_double(demo::kTrainedLength));
                 for (const double seed : s.column("seed")) {
                     EXPECT_TRUE(seed == 1 || seed == 2);
                 }
             }},
            {"q and k of layer {}, head {} of {}, before they turn: {}",
             [](const Said& s) {
                 s.number(0, std::min(to_double(s.scene.attention_layer), 3.0));
                 s.number(1, std::min(to_double(s.scene.attention_head), 3.0));
                 EXPECT_GE(s.value(2), tokens_drawn(s.figure));
             }},
            {"Each map has a scale of its own", own_scales},
            {"The first {} are drawn", [](const Said& s) { s.number(0, tokens_drawn(s.figure)); }},
            {"A causal mask hides the keys behind each query",
             [](const Said& s) {
                 EXPECT_TRUE(s.scene.encodings_causal);
                 const auto query = s.column("query_position"), key = s.column("key_position");
                 for (std::size_t row = 0; row < query.size(); ++row) {
                     EXPECT_LE(key[row], query[row]);
                 }
             }},
        },
        {
            {"Open other heads: ALiBi's slope is a quarter from one head to the next, and RoPE's "
             "pattern follows the content",
             slope_is_a_quarter},
            {"ALiBi and a bias are the same along each diagonal; what RoPE adds is not", diagonals},
            {"Set the causal mask, and keys behind the query get nothing", nothing_behind_a_mask},
        },
        {{"added.rope", map_cell},
         {"added.partial", map_cell},
         {"added.alibi", map_cell},
         {"added.t5", map_cell},
         {"added.sinusoidal", map_cell},
         {"added.none", map_cell},
         {"distance", held_means("added")},
         {"score", held_means("score")},
         {"probability", held_means("probability")},
         {"answers", answers_readout},
         {"costs", cost_row}},
        {{.first = "encoding", .row = cost_row}, {.first = "distance", .row = probability_row}},
        {
            {"What each costs this model, and right answers of models trained with it, in texts of "
             "{} tokens:",
             [](const Said& s) { s.number(0, std::stod(s.scene.stretch_length)); }},
        },
        {{"encodings_causal=yes"},
         {"encodings_show=trained"},
         {"encodings_show=trained", "encodings_causal=yes", "stretch_length=128"},
         {"attention_text=one two three four five six seven eight nine ten eleven twelve one two "
          "three four five six seven eight nine ten eleven twelve one two three four five six "
          "seven "
          "eight nine ten eleven twelve one two three four five six seven eight nine ten"}},
        {"T5 bias"}};
}

const RegisteredClaims kEncodingsClaims{encodings_claims};

}  // namespace

}  // namespace ropescope::figures
