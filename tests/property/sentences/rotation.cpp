// What the view rotation says.
#include <cmath>

#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

/// Of the pairs that a rotation figure shows, from q to k.
std::vector<double> arcs(const plot::Figure& figure) {
    std::vector<double> angles;
    const auto series = words_of(figure, "series");
    const auto x = column_of(figure, "x"), y = column_of(figure, "y");
    double k = 0;
    for (std::size_t row = 0; row < series.size(); ++row) {
        if (series[row] == "k") {
            k = std::atan2(y[row], x[row]);
        } else if (series[row] == "q") {
            angles.push_back(k - std::atan2(y[row], x[row]));
        }
    }
    return angles;
}

/// The score drawn at the distance, by the table.
double score_at(const Said& s, double distance) {
    const auto at = s.where("series", "score", "x"), score = s.where("series", "score", "y");
    const auto found = std::ranges::find(at, distance);
    return found == at.end() ? NAN : score[static_cast<std::size_t>(found - at.begin())];
}

void slow_pairs_slow_down(const Scene& scene) {
    const Spectrum now = make_spectrum(rope_spec(scene)),
                   larger = make_spectrum(rope_spec(with_larger_base(scene)));
    EXPECT_LT(larger.inv_freq_rad.back(), now.inv_freq_rad.back());
}

/// With so few pairs that all of them are shown.
Scene all_pairs_shown(Scene scene) {
    scene.head_dim = scene.rotary_dim = 32;
    scene.pairs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    scene.selected_pair = 0;
    scene.scaling = "default";
    return scene;
}

void score_is_the_mean_of_cosines(const Scene& preset) {
    const Scene scene = all_pairs_shown(preset);
    const plot::Figure figure = whole_figure(scene, "rotation");
    double mean = 0;
    for (const double angle : arcs(figure)) {
        mean += std::cos(angle) / 16;
    }
    const auto series = words_of(figure, "series");
    const auto x = column_of(figure, "x"), y = column_of(figure, "y");
    for (std::size_t row = 0; row < series.size(); ++row) {
        if (series[row] == "score" &&
            x[row] == to_double(scene.key_position - scene.query_position)) {
            EXPECT_NEAR(y[row], mean, 1e-6);  // arrows are fp32
        }
    }
}

void arcs_stay_when_both_move(const Scene& preset) {
    Scene scene = all_pairs_shown(preset);
    const plot::Figure before = whole_figure(scene, "rotation");
    scene.query_position += 5;
    scene.key_position += 5;
    const plot::Figure after = whole_figure(scene, "rotation");
    const std::vector<double> a = arcs(before), b = arcs(after);
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(std::remainder(a[i] - b[i], 2 * M_PI), 0, 1e-5);  // fp32 arrows
    }
    EXPECT_NE(column_of(before, "x"), column_of(after, "x"));
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

}  // namespace

ViewClaims rotation_claims() {
    const auto speeds = [](double wanted) {
        return [wanted](const Said& s) {
            const double found = different(s.spectrum().inv_freq_rad);
            EXPECT_EQ(found, wanted < 0 ? s.pairs() : wanted);
        };
    };
    return {
        "rotation",
        {
            {"The pair turns with the position; only the distance n − m is left in the score",
             [](const Said& s) { EXPECT_EQ(s.pairs(), 1); }},
            {"All pairs turn at one speed; only the distance n − m is left in the score",
             speeds(1)},
            {"Each pair turns at its own speed; only the distance n − m is left in the score",
             speeds(-1)},
            {"The pairs turn at # speeds; only the distance n − m is left in the score",
             [](const Said& s) { s.number(0, different(s.spectrum().inv_freq_rad)); }},
            {"query at position m = #, key at position n = #, *",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.query_position), to_double(s.scene.key_position)});
                 const double shown = to_double(std::ssize(s.scene.pairs));
                 const auto part = test::match("# of # pairs", s.word(0));
                 if (part) {
                     EXPECT_TRUE(part->numbers[0].shows(shown));
                     EXPECT_TRUE(part->numbers[1].shows(s.pairs()));
                 } else {
                     EXPECT_EQ(shown, s.pairs()) << "all of them";
                 }
             }},
            {"Dots: earlier positions", names_only},
            {"mean cosine between q and k, # pairs", [](const Said& s) { s.number(0, s.pairs()); }},
            {"mean cosine between q and k, # pair", [](const Said& s) { s.numbers({1}); }},
            {"sampled every # positions",
             [](const Said& s) {
                 const auto at = s.where("series", "score", "x");
                 s.number(0, at[1] - at[0]);
             }},
            {"n − m = # → #",
             [](const Said& s) {
                 const double delta = to_double(s.scene.key_position - s.scene.query_position);
                 s.number(0, delta);
                 if (const double score = score_at(s, delta); std::isfinite(score)) {
                     s.number(1, score);
                 }
             }},
            {"pair #", names_only},
            {"λ #", names_only},
            {"θ #", names_only},
            {"(n−m)θ #", names_only},
            {"score against distance n − m", names_only},
        },
        {
            {"Two channels of a head make a plane", nothing_to_compare},
            {"A position turns q and k in it by position × θ: the first pairs turn fast, the last "
             "slowly",
             first_pairs_are_fast},
            {"The arc between q and k is the angle of their contents plus (n − m)θ; the score is "
             "the mean of its cosine over all pairs",
             score_is_the_mean_of_cosines},
            {"Move both positions together (Shift + ← →): the arrows turn, every arc and the score "
             "stay",
             arcs_stay_when_both_move},
            {"Move one: the arcs of the fast pairs change most", first_pairs_are_fast},
            {"Raise the base: the slow pairs turn more slowly", slow_pairs_slow_down},
            {"Click a plane to follow its pair, the curve to move the key", nothing_to_compare},
        },
        {
            {"", rotation_pair},
            {"score", rotation_score},
        }};
}

}  // namespace ropescope::figures
