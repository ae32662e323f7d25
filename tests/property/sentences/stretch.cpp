// What the view stretch says.
#include <cmath>
#include <fmt/format.h>

#include "app/figures/shared/describe.h"
#include "core/demo/demo_scores.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

constexpr const char* kTypes[] = {"default", "linear", "ntk", "yarn", "llama3"};

/// The type of the method that people call so.
std::string type_named(const std::string& name) {
    for (const char* type : kTypes) {
        if (name == scaling_name(type)) {
            return type;
        }
    }
    ADD_FAILURE() << name << " is not a method of this view";
    return name;
}

double length_of(const Scene& scene) {
    return std::stod(scene.stretch_length);
}

double factor_of(const Scene& scene) {
    return length_of(scene) / 128;
}

/// Columns of the figure's table in the rows of a method and a length.
std::vector<double> rows_of(const plot::Figure& figure, const std::string& type, double length,
                            const std::string& column) {
    const auto types = words_of(figure, "method");
    const auto lengths = column_of(figure, "length_tokens"), all = column_of(figure, column);
    std::vector<double> found;
    for (std::size_t row = 0; row < types.size(); ++row) {
        if (types[row] == type && lengths[row] == length) {
            found.push_back(all[row]);
        }
    }
    return found;
}

double share_of(const plot::Figure& figure, const std::string& type, double length) {
    return rows_of(figure, type, length, "share_percent").at(0);
}

/// Right answers over hidden pieces, in percent.
double counted_share(const plot::Figure& figure, const std::string& type, double length) {
    return 100 * rows_of(figure, type, length, "right").at(0) /
           rows_of(figure, type, length, "hidden").at(0);
}

/// Twice the standard error of the unscaled share, in points.
double two_errors(const plot::Figure& figure, double length) {
    const double share = counted_share(figure, "default", length) / 100;
    return 200 *
           std::sqrt(share * (1 - share) / rows_of(figure, "default", length, "hidden").at(0));
}

void stretched_title(const Said& s) {
    const double length = length_of(s.scene);
    s.number(0, length);
    s.number(1, counted_share(s.figure, "default", length));
    const std::string best = type_named(s.word(0));
    s.number(2, counted_share(s.figure, best, length));
    for (const char* type : {"linear", "ntk", "yarn", "llama3"}) {
        EXPECT_LE(counted_share(s.figure, type, length), counted_share(s.figure, best, length));
    }
    EXPECT_GT(s.value(2), s.value(1) + two_errors(s.figure, length));
}

void no_better_title(const Said& s) {
    const double length = length_of(s.scene), plain = counted_share(s.figure, "default", length);
    s.numbers({length, plain});
    for (const char* type : {"linear", "ntk", "yarn", "llama3"}) {
        EXPECT_LE(counted_share(s.figure, type, length), plain + two_errors(s.figure, length));
    }
}

/// The pairs that a method slows, and those that meet new angles, by the wavelengths of the table.
std::pair<double, double> slower_and_unseen(const plot::Figure& figure, const std::string& type,
                                            double length) {
    const auto trained = rows_of(figure, "default", 128, "wavelength_positions");
    const auto stretched = rows_of(figure, type, length, "wavelength_positions");
    double slower = 0, unseen = 0;
    for (std::size_t pair = 0; pair < trained.size(); ++pair) {
        slower += stretched[pair] > trained[pair] * (1 + 1e-9) ? 1 : 0;
        const double shown = 128 / trained[pair], reached = length / stretched[pair];
        unseen += shown < 1 && reached > shown * (1 + 1e-9) ? 1 : 0;
    }
    return {slower, unseen};
}

void method_row(const Under& u) {
    const std::string type = type_named(u.text("method"));
    const double length = length_of(u.scene);
    u.is("% right", counted_share(u.figure, type, length));
    u.is("to trained", counted_share(u.figure, type, length) - counted_share(u.figure, type, 128));
    const auto [slower, unseen] = slower_and_unseen(u.figure, type, length);
    u.is("slower pairs", slower);
    u.is("new angles", unseen);
}

void method_readout(const Under& u) {
    method_row(u);
    const bool stretched = type_named(u.text("method")) != "default" && factor_of(u.scene) != 1;
    EXPECT_EQ(u.text("settings") == "as trained", !stretched);
}

void accuracy_readout(const Under& u) {
    for (const char* type : kTypes) {
        const std::string name = scaling_name(type);
        u.is(name, counted_share(u.figure, type, u.value("tokens")));
        u.is_drawn(name, u.value("tokens"));
    }
}

void turns_readout(const Under& u) {
    const auto pair = static_cast<std::size_t>(u.whole("pair"));
    u.is("turns in training",
         128 / rows_of(u.figure, "default", 128, "wavelength_positions").at(pair));
    for (const char* type : kTypes) {
        const auto wavelengths =
            rows_of(u.figure, type, length_of(u.scene), "wavelength_positions");
        u.is(scaling_name(type), length_of(u.scene) / wavelengths.at(pair));
        EXPECT_NEAR(rows_of(u.figure, type, length_of(u.scene), "turns_in_text").at(pair),
                    length_of(u.scene) / wavelengths.at(pair), 1e-12 * length_of(u.scene));
    }
}

plot::Figure at_length(const char* length) {
    Scene scene;
    scene.stretch_length = length;
    return whole_figure(scene, "stretch");
}

void linear_fails(const Scene& /*preset*/) {
    for (const char* length : {"256", "512", "1024"}) {
        const plot::Figure figure = at_length(length);
        const auto [slower, unseen] = slower_and_unseen(figure, "linear", std::stod(length));
        EXPECT_EQ(slower, 16);
        EXPECT_EQ(unseen, 0);
        for (const char* type : {"default", "ntk", "yarn", "llama3"}) {
            EXPECT_LT(share_of(figure, "linear", std::stod(length)),
                      0.5 * share_of(figure, type, std::stod(length)));
        }
    }
}

void twice_needs_no_scaling(const Scene& /*preset*/) {
    const plot::Figure figure = at_length("256");
    EXPECT_GE(share_of(figure, "default", 256), share_of(figure, "default", 128));
}

void yarn_loses_least(const Scene& /*preset*/) {
    const plot::Figure figure = at_length("1024");
    for (const char* type : {"default", "linear", "ntk", "llama3"}) {
        EXPECT_LT(share_of(figure, type, 1024), share_of(figure, "yarn", 1024));
    }
}

ViewClaims stretch_claims() {
    using demo::demo_scores;
    return {
        "stretch",
        {
            {"In texts of {} tokens, as in training: {} % right",
             [](const Said& s) {
                 EXPECT_EQ(length_of(s.scene), 128);
                 s.numbers({128, counted_share(s.figure, "default", 128)});
             }},
            {"In texts of {} tokens: {} % right unscaled, {} % with {}", stretched_title},
            {"In texts of {} tokens: {} % right unscaled, and no method is better by two standard "
             "errors",
             no_better_title},
            {"A model trained on {} tokens names hidden pieces, {} in all. Factor {} = {} / {}",
             [](const Said& s) {
                 s.numbers({128, rows_of(s.figure, "default", 128, "hidden").at(0),
                            factor_of(s.scene), length_of(s.scene), 128});
             }},
            {"turns within {} tokens", [](const Said& s) { s.number(0, length_of(s.scene)); }},
            {"factor {}", [](const Said& s) { s.number(0, factor_of(s.scene)); }},
            {", so base {}",
             [](const Said& s) {
                 s.number(0, std::round(1e4 * std::pow(factor_of(s.scene), 32.0 / 30.0)));
             }},
            {"from {}, β {} and {}, cos/sin × {}",
             [](const Said& s) {
                 s.numbers({128, 32, 1, 0.1 * std::log(factor_of(s.scene)) + 1});
             }},
            {"from {}, low {}, high {}",
             [](const Said& s) {
                 s.numbers({128, 1, 4});
             }},
        },
        {
            {"Linear scaling meets no new angle and still fails: it slows every pair, the fast "
             "ones too",
             linear_fails},
            {"Twice the trained length needs no scaling", twice_needs_no_scaling},
            {"At eight times, YaRN loses least", yarn_loses_least},
        },
        {{"accuracy", accuracy_readout}, {"turns", turns_readout}, {"methods", method_readout}},
        {{.first = "method", .row = method_row}},
        {
            {"head_dim {}, rotary_dim {}, base {}, {}",
             [](const Said& s) {
                 s.numbers({32, 32, 1e4});
             }},
            {"to trained: points more or fewer than in texts of {} tokens. A share has a standard "
             "error of at most {} points",
             [](const Said& s) {
                 s.number(0, 128);
                 const double of = rows_of(s.figure, "default", 128, "hidden").at(0);
                 EXPECT_GE(s.rounded(1), 100 * std::sqrt(0.25 / of));
                 EXPECT_LE(s.rounded(1), 101.0 * std::sqrt(0.25 / of));
             }},
            {"For comparison, in texts of {} tokens: with RoPE switched off {} % are right, and a "
             "model trained without positions names {} %",
             [](const Said& s) {
                 const demo::TextScores& scores = demo_scores().held_out;
                 s.numbers({128, 100 * scores.of(demo::RopeChange::off).share(),
                            100 * scores.no_position.share()});
             }},
            {"{}: {}",
             [](const Said& s) {
                 const double factor =
                     rows_of(s.figure, s.word(0), length_of(s.scene), "attention_factor").at(0);
                 EXPECT_TRUE(
                     s.word(1).ends_with("; attention factor " + fmt::format("{:.6g}", factor)));
             }},
            {"{}{}; attention factor {}{}",
             [](const Said& s) { s.one_of(0, s.column("attention_factor")); }},
        },
        {{"stretch_length=128"}, {"stretch_length=256"}, {"stretch_length=512"}},
        {"Llama 3"}};
}

const RegisteredClaims kStretchClaims{stretch_claims};

}  // namespace

}  // namespace ropescope::figures
