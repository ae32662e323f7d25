// What the view context says.
#include "app/figures/context/context.h"

#include <cctype>
#include <cmath>
#include <map>

#include "app/figures/shared/describe.h"
#include "core/analysis/base_bound.h"
#include "core/analysis/decay.h"
#include "core/formats/model_family.h"
#include "core/formats/presets.h"
#include "core/scaling/method.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

/// The type of the method that people call so.
std::string method_named(const std::string& name) {
    for (const std::string& type : scaling_types()) {
        std::string shown = scaling_name(type);
        std::string first = shown;
        first.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(first.front())));
        if (name == shown || name == first) {  // at the begin of a sentence
            return type;
        }
    }
    ADD_FAILURE() << name << " is not a method";
    return name;
}

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

double context_factor_of(const Scene& scene) {
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
    const std::string method = method_named(s.word(0));
    EXPECT_EQ(method, s.scene.scaling) << "it speaks of a method that the scene has not";
    lengths(s, 0);
    const std::vector<double> slower = slowdowns(s.figure, method);
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
        const auto slower = slowdowns(figure, method_named(shown));
        const auto names = words_of(figure, "method");
        const auto lengths = column_of(figure, "wavelength_positions");
        double never = 0;
        for (std::size_t row = 0; row < names.size(); ++row) {
            never +=
                names[row] == method_named(shown) && lengths[row] > to_double(scene.target_length)
                    ? 1
                    : 0;
        }
        EXPECT_EQ(std::stod(cells.at(4)), kept(slower)) << shown;
        EXPECT_EQ(std::stod(cells.at(7)), never) << shown;
    }
}

void context_pair(const Under& u) {
    for (std::size_t i = 1; i < u.readouts.size(); ++i) {
        std::string method = u.readouts[i].name;
        method.resize(method.rfind(' '));
        const auto length = u.in_table("wavelength_positions", {{"pair", u.value("pair")}},
                                       "method", method_named(method));
        ASSERT_TRUE(length) << method;
        u.is(u.readouts[i].name, *length);
    }
}

/// The row of a method: its pairs counted by the table of the figure.
void context_method(const Under& u) {
    const std::string method = method_named(u.text("method"));
    const auto slower = slowdowns(u.figure, method);
    ASSERT_FALSE(slower.empty()) << method;
    const double factor = context_factor_of(u.scene), target = to_double(u.scene.target_length),
                 trained = to_double(u.scene.original_length);
    const Spectrum plain = make_spectrum(unscaled_rope_spec(u.scene));
    double blended = 0, slowed = 0, never = 0, unseen = 0;
    for (std::size_t pair = 0; pair < slower.size(); ++pair) {
        const double before = plain.inv_freq_rad[pair], after = before / slower[pair];
        const bool whole = slower[pair] >= factor * (1 - 1e-9) && slower[pair] >= 1 + 1e-9;
        slowed += whole ? 1 : 0;
        blended += slower[pair] >= 1 + 1e-9 && !whole ? 1 : 0;
        never += target * after < 2 * M_PI ? 1 : 0;
        unseen +=
            trained * before < 2 * M_PI && target * after > trained * before * (1 + 1e-9) ? 1 : 0;
    }
    u.is("kept", kept(slower));
    u.is("blended", blended);
    u.is("slowed", slowed);
    u.is("never turn", never);
    u.is("new angles", unseen);
    const std::vector<Under::Key> first = {{"pair", 0}};
    u.is("cos/sin factor", u.in_table("attention_factor", first, "method", method).value());
    u.is("softmax factor", u.in_table("softmax_scale_factor", first, "method", method).value());
    // NTK and dynamic slow by a larger base, which all pairs but the first show.
    const double last = plain.inv_freq_rad.back() / slower.back();
    if (method == "ntk" || method == "dynamic") {
        const test::Printed base = u.number("base");
        const double exponent = -2 * (to_double(plain.pairs()) - 1) / to_double(u.scene.rotary_dim);
        EXPECT_NEAR(base.value, std::pow(last, 1 / exponent), base.half_unit + 1e-9 * base.value);
    } else {
        u.is("base", u.scene.base);
    }
}

/// A note on the block of a method, which the scene chooses or the view suggests.
std::function<void(const Said&)> shows_row_of(const char* method) {
    return [method](const Said& s) {
        EXPECT_FALSE(slowdowns(s.figure, method).empty());
        EXPECT_TRUE(s.scene.scaling == method || slowdowns(s.figure, s.scene.scaling).empty());
    };
}

/// The first distance to `last` at which the sum over all pairs is negative, from the sums at every
/// distance; -1 if there is none.
double first_below(const RopeSpec& spec, Index last) {
    return to_double(first_below_zero(decay_run(make_spectrum(spec), 0, last + 1).cosine_sum));
}

/// The same for many scenes, which share a few widths and lengths.
const WorkingBases& known_bases(Index rotary_dim, Index length) {
    static std::map<std::pair<Index, Index>, WorkingBases> known;
    const auto [place, is_new] = known.try_emplace({rotary_dim, length});
    if (is_new) {
        place->second = find_working_bases(rotary_dim, length);
    }
    return place->second;
}

/// Where a published model first falls below zero within its own context: by direct sums, which
/// take seconds beyond 2^17 positions; there by the search that BaseBound's tests hold to them.
double model_falls(const ModelConfig& model) {
    constexpr std::int64_t kLongest = std::int64_t{1} << 17;
    static std::map<std::string, double> known;
    const auto [place, is_new] = known.try_emplace(model.id);
    if (is_new) {
        RopeSpec rope = model.rope;
        rope.seq_len = model.max_positions;
        place->second = model.max_positions <= kLongest
                            ? first_below(rope, model.max_positions)
                            : to_double(first_negative_distance(
                                            make_spectrum(rope),
                                            std::min<Index>(model.max_positions, kMaxPosition))
                                            .value_or(-1));
    }
    return place->second;
}

/// A base of a title, which is right to two digits, does or does not do for the length.
void bases_will_do(const Said& s) {
    const Index target = std::min<Index>(s.scene.target_length, kMaxPosition);
    s.number(0, to_double(target));
    constexpr Index kLongest = 40000;  // of which every distance is summed in little time
    if (target > kLongest) {
        return;
    }
    const WorkingBases& bases = known_bases(s.scene.rotary_dim, target);
    EXPECT_NEAR(s.value(1) / bases.ranges.front().least, 1, 0.06);
    const auto does = [&](double base) {
        return first_below(
                   {.head_dim = s.scene.rotary_dim, .rotary_dim = s.scene.rotary_dim, .base = base},
                   target) < 0;
    };
    EXPECT_TRUE(does(bases.ranges.front().least));
    EXPECT_TRUE(does(bases.ranges.back().most));
}

/// "YaRN 8 886" or "YaRN nowhere": a row of the methods, by the frequencies in the CSV of the other
/// half of the view.
void method_falls(const Said& s, double expected) {
    const Index target = std::min<Index>(s.scene.target_length, kMaxPosition);
    const Methods methods = extension_methods(s.scene);
    const MethodRow* row = methods.find(method_named(s.word(0)));
    ASSERT_NE(row, nullptr);
    const auto sums = decay_run(row->spectrum, 0, target + 1).cosine_sum;
    EXPECT_EQ(to_double(first_below_zero(sums)), expected);
}

void base_under_cursor(const Under& u) {
    for (const auto& readout : u.readouts) {
        if (readout.name == "model") {
            const auto& models = model_presets();
            EXPECT_NE(std::ranges::find(models, u.text("model"), &ModelConfig::title), models.end())
                << u.text("model");
        }
    }
    const test::Printed base = u.number("base");
    if (u.text("first below zero") == "nowhere") {
        return;
    }
    const double first = u.number("first below zero").value;
    const auto bases = column_of(u.figure, "base");
    const auto firsts = column_of(u.figure, "first_negative_positions");
    bool found = false;
    for (std::size_t i = 0; i < bases.size(); ++i) {
        found = found || (std::abs(bases[i] - base.value) <= base.half_unit && firsts[i] == first);
    }
    EXPECT_TRUE(found) << base.value;
}

/// A row of the models in the report: the direct sums of the preset.
void base_model(const Under& u) {
    const auto& models = model_presets();
    const auto model = std::ranges::find(models, u.text("model"), &ModelConfig::title);
    ASSERT_NE(model, models.end()) << u.text("model");
    u.is("base", model->rope.base);
    u.is("context", to_double(model->max_positions));
    const double first = model_falls(*model);
    if (u.text("first below zero") == "nowhere") {
        EXPECT_EQ(first, -1);
    } else {
        u.is("first below zero", first);
    }
}

/// Names with a number in them.
std::vector<std::string> context_names() {
    std::vector<std::string> names = {"Llama 3", "Men et al., figure 1"};
    for (const ModelConfig& model : model_presets()) {
        names.push_back(model.title);
    }
    return names;
}

ViewClaims context_claims() {
    return {
        "context",
        {
            {"The target is the trained length, {}: nothing to extend",
             [](const Said& s) {
                 EXPECT_EQ(s.scene.original_length, s.scene.target_length);
                 s.number(0, to_double(s.scene.target_length));
             }},
            {"Unscaled from {} to {}: {} of {} {} angles that training never showed",
             [](const Said& s) {
                 lengths(s, 0);
                 s.number(2, unfinished_in_training(s.scene));
                 s.number(3, to_double(s.scene.rotary_dim / 2));
                 EXPECT_EQ(s.word(0), s.value(2) == 1 ? "meets" : "meet");
             }},
            {"{} from {} to {}: {} unchanged, {} slower{}", method_title},
            {", {} faster",
             [](const Said& s) {
                 s.number(0, count_of(slowdowns(s.figure, s.scene.scaling),
                                      [](double by) { return by < 1 - 1e-9; }));
             }},
            {"How much each method slows each pair. Factor {} = {} / {}, base {}",
             [](const Said& s) {
                 s.numbers({context_factor_of(s.scene), to_double(s.scene.target_length),
                            to_double(s.scene.original_length), s.scene.base});
             }},
            {"leave max_position_embeddings at the trained {}: the stretch begins there. The "
             "factor is 1 because the stretch grows with the sequence; the target is {} times as "
             "long, {} positions",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.original_length), context_factor_of(s.scene),
                            to_double(s.scene.target_length)});
             }},
            {"this family's config.json has no key for the base",
             [](const Said& s) {
                 const ModelFamily* family = find_model_family(preset_of(s).model_type);
                 ASSERT_NE(family, nullptr);
                 EXPECT_EQ(family->base_key, "");
             }},
            {"transformers has no rope_type for it; the larger base is the whole method",
             shows_row_of("ntk")},
            {"without lists of its own, every pair is slowed by the factor, as with linear",
             [](const Said& s) {
                 for (const double by : slowdowns(s.figure, "longrope")) {
                     EXPECT_NEAR(by, context_factor_of(s.scene), 1e-9);
                 }
             }},
            {"the lists were searched for the model's own target; another target changes the "
             "attention factor alone. The text export has the whole lists",
             [](const Said& s) {
                 shows_row_of("longrope")(s);
                 EXPECT_FALSE(s.scene.longrope_long.empty());
             }},
            {"{} is scaled already ({}); the rows start without it",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), preset_of(s).title);
                 EXPECT_FALSE(std::holds_alternative<NoScaling>(preset_of(s).rope.scaling));
             }},
            {"× {}",
             [](const Said& s) { s.number(0, extension_factor(preset_of(s).rope.scaling)); }},
            {"from {}",
             [](const Said& s) {
                 s.number(0, to_double(original_positions(preset_of(s).rope.scaling).value_or(0)));
             }},
            {", from the {} positions before it",
             [](const Said& s) { s.number(0, to_double(s.scene.original_length)); }},
            {"The row {} is what the model has",
             [](const Said& s) {
                 EXPECT_EQ(method_named(s.word(0)), scaling_type(preset_of(s).rope.scaling));
             }},
            {"The file names no length before it, and {} is max_position_embeddings: set "
             "original_length to the length trained without it",
             [](const Said& s) { s.number(0, to_double(preset_of(s).max_positions)); }},
            {"{} as an example: {}",
             [](const Said& s) { EXPECT_NE(method_named(s.word(0)), s.scene.scaling); }},
            {"no scaling is chosen", [](const Said& s) { EXPECT_EQ(s.scene.scaling, "default"); }},
            {"the scaling {} has no row",
             [](const Said& s) {
                 EXPECT_EQ(method_named(s.word(0)), s.scene.scaling);
                 EXPECT_TRUE(slowdowns(s.figure, s.scene.scaling).empty());
             }},
            {"For {} some bases from about {} on will do, and all from about {} on",
             [](const Said& s) {
                 bases_will_do(s);
                 const WorkingBases& bases = known_bases(s.scene.rotary_dim, s.scene.target_length);
                 EXPECT_NEAR(s.value(2) / bases.all_from.value(), 1, 0.06);
                 EXPECT_GT(bases.ranges.size(), 1U);
             }},
            // Only where even the largest base that is tried does not do.
            {"For {} some bases from about {} on will do", never_said},
            {"For {} all bases from about {} on will do", bases_will_do},
            {"No base that was tried will do for {}",
             [](const Said& s) {
                 EXPECT_TRUE(known_bases(s.scene.rotary_dim, s.scene.target_length).ranges.empty());
             }},
            {"Shaded: the sum of the cosines of {} is at or above zero at every distance to the "
             "length, without scaling",
             [](const Said& s) { s.number(0, to_double(s.scene.rotary_dim / 2)); }},
            {"first below zero, to {}:",
             [](const Said& s) {
                 s.number(0, to_double(std::min<Index>(s.scene.target_length, kMaxPosition)));
             }},
            {"{} {}", [](const Said& s) { method_falls(s, s.value(0)); }},
            {"{} + {}",
             [](const Said& s) {
                 const auto models = words_of(s.figure, "model");
                 const auto bases = column_of(s.figure, "base");
                 const auto lengths = column_of(s.figure, "context_positions");
                 const auto falls = column_of(s.figure, "first_negative_positions");
                 const auto at = static_cast<std::size_t>(std::ranges::find(models, s.word(0)) -
                                                          models.begin());
                 ASSERT_LT(at, models.size());
                 double same = 0;
                 for (std::size_t i = 0; i < models.size(); ++i) {
                     same += !models[i].empty() && bases[i] == bases[at] &&
                                     lengths[i] == lengths[at] &&
                                     std::isnan(falls[i]) == std::isnan(falls[at])
                                 ? 1
                                 : 0;
                 }
                 EXPECT_EQ(s.value(0), same - 1);
             }},
            {"{} nowhere", [](const Said& s) { method_falls(s, -1); }},
            {"{} of {} of {} stay at or above zero to their own context (dots)",
             [](const Said& s) {
                 double all = 0, stay = 0;
                 for (const ModelConfig& model : model_presets()) {
                     if (model.rope.rotary_dim != s.scene.rotary_dim || model.max_positions < 1) {
                         continue;
                     }
                     all += 1;
                     stay += model_falls(model) < 0 ? 1 : 0;
                 }
                 s.numbers({stay, all, to_double(s.scene.rotary_dim / 2)});
             }},
            {"{} ({})",
             [](const Said& s) {
                 EXPECT_TRUE(slowdowns(s.figure, method_named(s.word(0))).empty());
             }},
        },
        {
            {"How much slower each pair turns", table_counts_pairs},
            {"Linear slows all alike; NTK slows the first pair not at all and the last by the "
             "whole factor; YaRN and Llama 3 slow a pair the less, the more it turned in training",
             methods_slow_as_told},
            {"The table counts pairs: some \"never turn\" round within the target; some meet \"new "
             "angles\" there, which training never showed",
             table_counts_pairs},
            {"Double the target: NTK's base grows, YaRN's ramp stays where it is",
             doubling_moves_ntk_alone},
            {"Watch the new angles: beyond the trained length the row \"none\" counts every pair "
             "that "
             "finished no turn in training",
             none_counts_the_unfinished},
        },
        {
            {"slowdown", context_pair},
            {"bases", base_under_cursor},
            {"", context_method},
        },
        {{.first = "method", .row = context_method},
         {.first = "model", .row = base_model, .may_lack = true}},
        {
            // ContextView.EveryBlockFedBackGivesItsRowsNumbers reads each block.
            {"{}: {}", [](const Said& s) { EXPECT_FALSE(slowdowns(s.figure, s.word(0)).empty()); }},
            {"The block in the picture:\n{}",
             [](const Said& s) {
                 EXPECT_NE(s.figure.report.find(": " + s.word(0) + "\n"), std::string::npos);
             }},
        },
        {{"context_show=bases", "target_length=4096"},
         {"context_show=bases", "original_length=64", "target_length=64"},
         {"context_show=bases", "rotary_dim=32", "base=500000", "scaling=yarn"},
         {"target_length=4096", "original_length=4096"},
         {"rotary_dim=2", "scaling=longrope", "longrope_short=0.5", "longrope_long=0.5"},
         {"model=phi-3-mini-128k", "target_length=131072"},
         {"model=gpt-j-6b", "scaling=ntk"},
         {"scaling=dynamic", "target_length=40000"},
         {"scaling=ntk", "target_length=40000"},
         {"scaling=longrope", "target_length=40000"},
         {"scaling=proportional", "target_length=40000"}},
        context_names()};
}

const RegisteredClaims kContextClaims{context_claims};

}  // namespace

}  // namespace ropescope::figures
