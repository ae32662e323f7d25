// Holds what the views show under the cursor against their tables and the definitions.
#include "tests/property/sentences/readouts.h"

#include <functional>
#include <map>

#include "core/analysis/absolute.h"
#include "core/analysis/decay.h"
#include "core/analysis/precision.h"
#include "core/analysis/random_scores.h"
#include "core/formats/model_presets.h"

namespace ropescope::figures {
namespace {

using Hold = std::function<void(const Under&)>;

double cos_of(const Under& u, Index pair, Index position) {
    return std::cos(reduced_angle_rad(position, u.said().spectrum().inv_freq_rad[pair]));
}

void rotation_pair(const Under& u) {
    u.describes_pair(u.said().spec());
    const Index pair = u.whole("pair");
    const auto drawn = [&](const char* name, const char* series) {
        const auto point = test::match("( #, # )", u.text(name));
        ASSERT_TRUE(point) << u.text(name);
        EXPECT_NEAR(std::hypot(point->numbers[0].value, point->numbers[1].value), 1, 2e-3);
        const std::string id = "pair." + std::to_string(pair);
        const auto panels = words_of(u.figure, "panel"), all = words_of(u.figure, "series");
        const auto x = column_of(u.figure, "x"), y = column_of(u.figure, "y");
        bool found = false;
        for (std::size_t row = 0; row < panels.size(); ++row) {
            if (panels[row] == id && all[row] == series) {
                found = true;
                EXPECT_NEAR(point->numbers[0].value, x[row], 6e-4);  // three decimals of fp32
                EXPECT_NEAR(point->numbers[1].value, y[row], 6e-4);
            }
        }
        EXPECT_TRUE(found) << id << " has no " << series;
    };
    drawn("q at m", "q");
    drawn("k at n", "k");
    // The part is the cosine of the angle, over the number of pairs.
    const double angle = u.value("angle q to k");
    EXPECT_NEAR(u.value("its part of the score"), std::cos(angle) / u.said().pairs(), 6e-4);
}

void rotation_score(const Under& u) {
    const auto score = u.in_table("y", {{"x", u.value("distance n − m")}}, "series", "score");
    u.is("score", score);
    const double logit = u.value("q·k / √head_dim"), mean = u.value("score");
    EXPECT_NEAR(logit, mean * u.said().pairs() / std::sqrt(to_double(u.scene.head_dim)),
                1e-3 * u.said().pairs());
}

void spectrum_point(const Under& u) {
    u.describes_pair(u.said().spec());
    const std::vector<Under::Key> row = {{"pair", u.value("pair")}};
    EXPECT_TRUE(u.in_table("inv_freq_rad", row));
    u.is("θ", u.in_table("inv_freq_rad", row));
    u.is("wavelength", u.in_table("wavelength_positions", row));
    EXPECT_TRUE(u.readouts.back().name.starts_with("turns in "));
    u.is(u.readouts.back().name, u.in_table("turns_in_context", row));
}

void table_cell(const Under& u) {
    u.describes_pair(u.said().spec());
    const Index pair = u.whole("pair"), position = u.whole("position");
    const double gain = u.said().spectrum().attention_factor;
    u.is("cos", gain * cos_of(u, pair, position));
    const std::vector<Under::Key> row = {
        {"pair", u.value("pair")}, {"position", u.value("position")}, {"positions_averaged", 1}};
    const std::string shown = u.figure.data.columns.back().name;
    if (const auto cell = u.in_table(shown, row); cell && (shown == "cos" || shown == "sin")) {
        EXPECT_NEAR(u.value(shown), *cell, 5.1e-5);  // fp32 cells, four decimals
    }
}

void scores_distance(const Under& u) {
    const std::vector<Under::Key> row = {{"at", u.value("distance n − m")}};
    u.is("score", u.in_table("value", row, "table", "score"));
    u.is("cos part", u.in_table("cos_part", row, "table", "score"));
    u.is("J sin part", u.in_table("sin_part", row, "table", "score"));
    EXPECT_NEAR(u.value("score"), u.value("cos part") + u.value("J sin part"), 1.5e-4);
}

void scores_pair(const Under& u) {
    u.describes_pair(u.said().spec());
    const std::vector<Under::Key> row = {{"at", u.value("pair")}};
    u.is("sum", u.in_table("value", row, "table", "pair"));
    u.is("cos part", u.in_table("cos_part", row, "table", "pair"));
    u.is("J sin part", u.in_table("sin_part", row, "table", "pair"));
}

void decay_distance(const Under& u) {
    const Spectrum spectrum = u.said().spectrum();
    const Index distance = u.whole("distance");
    const DecayPoint here = decay_at(spectrum, distance), next = decay_at(spectrum, distance + 1);
    const std::vector<Under::Key> row = {{"distance_positions", u.value("distance")}};
    u.is("upper bound", here.upper_bound);
    u.is("sum of cosines", here.cosine_sum);
    u.is("upper bound", u.in_table("upper_bound", row));
    u.is("sum of cosines", u.in_table("cosine_sum", row));
    u.is("of the bound at 0", 100 * here.upper_bound / decay_at(spectrum, 0).upper_bound);
    u.is("bound, next step", next.upper_bound - here.upper_bound);
    u.is("cosines, next step", next.cosine_sum - here.cosine_sum);
}

void absolute_terms(const Under& u) {
    const std::vector<Under::Key> row = {{"query_position", u.value("query m")}};
    u.is("key n", u.in_table("key_position", row));
    u.is("content · content", u.in_table("content_content", row));
    u.is("content · position", u.in_table("content_position", row));
    u.is("position · content", u.in_table("position_content", row));
    u.is("position · position", u.in_table("position_position", row));
    u.is("their sum", u.in_table("additive_sum", row));
    u.is("RoPE", u.in_table("rope", row));
}

void absolute_cell(const Under& u) {
    const Index channel = u.whole("channel");
    EXPECT_EQ(u.whole("pair"), channel / 2);
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
    u.is("p", sinusoidal_row(spectrum, u.whole("position"))[channel]);
}

void absolute_shift(const Under& u) {
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
    const Index from = u.whole("from channel"), to = u.whole("to channel");
    // A column of the map is where a unit vector of the channel goes: a turn by the shift.
    const double angle = reduced_angle_rad(u.scene.shift, spectrum.inv_freq_rad[from / 2]);
    const double entry = from / 2 != to / 2 ? 0.0
                         : from == to       ? std::cos(angle)
                         : from % 2 == 0    ? -std::sin(angle)
                                            : std::sin(angle);
    u.is("entry", entry);
}

void precision_pair(const Under& u) {
    const RopeSpec spec = unscaled_rope_spec(u.scene);
    u.describes_pair(spec);
    const auto errors = chain_error(precision_chain(u.scene.precision_chain), make_spectrum(spec),
                                    u.whole("position"));
    u.is("error", errors[u.whole("pair")]);
}

/// Every chain at the position under the cursor; its table has samples of other positions.
void precision_errors(const Under& u) {
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
    for (const PrecisionChain& chain : precision_chains()) {
        u.is(chain.title, std::ranges::max(chain_error(chain, spectrum, u.whole("position"))));
    }
}

void context_pair(const Under& u) {
    for (std::size_t i = 1; i < u.readouts.size(); ++i) {
        std::string method = u.readouts[i].name;
        method.resize(method.find(' '));
        const auto length = u.in_table("wavelength_positions", {{"pair", u.value("pair")}},
                                       "method", method == "none" ? "default" : method);
        EXPECT_TRUE(length) << method;
        u.is(u.readouts[i].name, length);
    }
}

double number_in(const plot::Column& column, std::size_t row) {
    const auto* const whole = std::get_if<std::vector<std::int64_t>>(&column.values);
    return whole != nullptr ? to_double((*whole)[row])
                            : std::get<std::vector<double>>(column.values)[row];
}

/// One of the layers' spectra of the table has the values of the pair.
void model_pair(const Under& u) {
    const auto what = words_of(u.figure, "what"), name = words_of(u.figure, "name"),
               value = words_of(u.figure, "value");
    const std::string pair = " " + u.text("pair");
    bool found = false;
    for (std::size_t row = 0; row < what.size(); ++row) {
        const double speed = what[row] == "inv_freq_rad" ? std::stod(value[row]) : NAN;
        found = found || (name[row].ends_with(pair) && u.number("θ").shows(speed) &&
                          u.number("wavelength").shows(2 * M_PI / speed));
    }
    EXPECT_TRUE(found) << "pair" << pair << ": θ " << u.text("θ");
}

void attention_map(const Under& u) {
    const std::vector<Under::Key> row = {{"query", u.value("query")}, {"key", u.value("key")}};
    u.is("distance", u.value("key") - u.value("query"));
    u.is("score", u.in_table("mean_score", row));
    u.is("score without RoPE", u.in_table("mean_score_without_rope", row));
    u.is("probability", u.in_table("largest_probability", row));
}

void attention_head(const Under& u) {
    EXPECT_LE(u.value("lowest score"), u.value("highest score"));
    if (u.whole("layer") == u.scene.attention_layer && u.whole("head") == u.scene.attention_head) {
        const auto scores = column_of(u.figure, "mean_score");
        u.is("lowest score", std::ranges::min(scores));
        u.is("highest score", std::ranges::max(scores));
        u.is("highest probability", std::ranges::max(column_of(u.figure, "largest_probability")));
    }
}

void check_row(const Under& u) {
    if (u.readouts.size() == 1) {
        EXPECT_TRUE(words_of(u.figure, "id").empty());
        return;
    }
    const auto ids = words_of(u.figure, "id");
    const auto at =
        static_cast<std::size_t>(std::ranges::find(ids, u.readouts.front().value) - ids.begin());
    if (at == ids.size()) {  // a family that is not listed
        EXPECT_EQ(u.panel, "families");
        return;
    }
    const double measured = column_of(u.figure, "measured")[at],
                 bound = column_of(u.figure, "bound")[at];
    if (bound > 0) {
        u.is("measured / bound", measured / bound);
    }
}

void layouts_channel(const Under& u) {
    const std::vector<Under::Key> row = {{"x", u.value("channel")}};
    for (const plot::Readout& readout : u.readouts) {
        if (readout.name != "channel") {
            const std::string series =
                readout.name == "b after P" ? "b_after_permutation" : readout.name;
            u.is(readout.name, u.in_table("y", row, "series", series));
        }
    }
}

void precision_violations(const Under& u) {
    const PrecisionChain& chain = precision_chain(u.scene.precision_chain);
    u.is(chain.title,
         relative_violation(chain, make_spectrum(unscaled_rope_spec(u.scene)), u.scene.head_dim,
                            u.scene.query_position, u.scene.key_position, u.whole("both moved by"))
             .worst);
}

void scores_terms(const Under& u) {
    u.is("RoPE's score", rank_of(u.figure, "singular_rope"));
    u.is("q·k × bias", rank_of(u.figure, "singular_times_bias"));
    u.is("q·k + bias", rank_of(u.figure, "singular_plus_bias"));
    EXPECT_LE(u.value("RoPE's score"), u.value("at most"));
}

/// For panels whose numbers the sentences of the view state; they are compared there.
void held_by_sentences(const Under&) {}

const std::map<std::string, Hold>& holds() {
    static const std::map<std::string, Hold> all = {
        {"rotation", rotation_pair},
        {"rotation score", rotation_score},
        {"spectrum spectrum", spectrum_point},
        {"table table", table_cell},
        {"table trace", table_cell},
        {"layouts outputs", layouts_channel},
        {"layouts difference", layouts_channel},
        {"layouts", held_by_sentences},
        {"scores parts", scores_distance},
        {"scores shares", scores_pair},
        {"scores singular", scores_terms},
        {"decay", decay_distance},
        {"precision by_pair", precision_pair},
        {"precision error", precision_errors},
        {"precision", precision_violations},
        {"absolute terms", absolute_terms},
        {"absolute sinusoidal", absolute_cell},
        {"absolute shift", absolute_shift},
        {"context slowdown", context_pair},
        {"context", held_by_sentences},
        {"model spectrum", model_pair},
        {"model", held_by_sentences},
        {"attention map", attention_map},
        {"attention heads", attention_head},
        {"attention distance",
         [](const Under& u) {
             u.is_drawn("mean score", u.value("distance"));
             u.is_drawn("mean without RoPE", u.value("distance"));
         }},
        {"attention shift",
         [](const Under& u) { u.is_drawn("largest change, score", u.value("layer")); }},
        {"checks", check_row},
    };
    return all;
}

}  // namespace

const std::string& Under::text(const std::string& name) const {
    const auto found = std::ranges::find(readouts, name, &plot::Readout::name);
    if (found == readouts.end()) {
        throw std::runtime_error(figure.view + " " + panel + " shows no " + name);
    }
    return found->value;
}

test::Printed Under::number(const std::string& name) const {
    const auto places = test::match("#*", text(name));
    if (!places) {
        throw std::runtime_error(name + " is no number: " + text(name));
    }
    return places->numbers.front();
}

void Under::is(const std::string& name, std::optional<double> exact) const {
    if (exact) {
        EXPECT_TRUE(number(name).shows(*exact))
            << panel << ", " << name << ": says " << text(name) << ", is " << *exact;
    }
}

std::optional<double> Under::in_table(const std::string& column, const std::vector<Key>& keys,
                                      const std::string& words_in, const std::string& word) const {
    const auto* const words =
        words_in.empty()
            ? nullptr
            : &std::get<std::vector<std::string>>(column_named(figure, words_in).values);
    std::vector<const plot::Column*> key_columns;
    for (const Key& key : keys) {
        key_columns.push_back(&column_named(figure, key.first));
    }
    const plot::Column& values = column_named(figure, column);
    const auto rows = std::visit([](const auto& all) { return all.size(); }, values.values);
    for (std::size_t row = 0; row < rows; ++row) {
        bool same = words == nullptr || (*words)[row] == word;
        for (std::size_t i = 0; same && i < keys.size(); ++i) {
            same = number_in(*key_columns[i], row) == keys[i].second;
        }
        if (same) {
            return number_in(values, row);
        }
    }
    return std::nullopt;
}

void Under::is_drawn(const std::string& name, double x) const {
    const auto drawn = std::ranges::find(figure.panels, panel, &plot::Panel::id);
    bool found = false;
    for (const plot::Mark& mark : drawn->marks) {
        if (const auto* line = std::get_if<plot::Line>(&mark)) {
            found = found || std::ranges::any_of(line->points, [&](const plot::Point& point) {
                        return point.x == x && number(name).shows(point.y);
                    });
        }
    }
    EXPECT_TRUE(found) << panel << ", " << name << ": no curve has " << text(name) << " at " << x;
}

void Under::describes_pair(const RopeSpec& spec) const {
    const Index pair = whole("pair");
    const Spectrum spectrum = make_spectrum(spec);
    ASSERT_LT(pair, spectrum.pairs());
    const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, pair);
    const auto shown = test::match("#, #", text("channels"));
    ASSERT_TRUE(shown);
    EXPECT_EQ(shown->numbers[0].value, to_double(channels.first));
    EXPECT_EQ(shown->numbers[1].value, to_double(channels.second));
    is("θ", spectrum.inv_freq_rad[pair]);
    is("wavelength", spectrum.wavelength_positions(pair));
}

bool hold_readouts(const Under& under) {
    for (const std::string& key : {under.figure.view + " " + under.panel, under.figure.view}) {
        if (const auto found = holds().find(key); found != holds().end()) {
            found->second(under);
            return true;
        }
    }
    return false;
}

}  // namespace ropescope::figures
