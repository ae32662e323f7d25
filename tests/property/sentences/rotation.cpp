// What the view rotation says.
#include <cmath>
#include <optional>

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

double delta_of(const Scene& scene) {
    return to_double(scene.key_position - scene.query_position);
}

/// The curve of the score is the same with both positions one further on, or one back at the end.
void score_stays_when_both_move(const Said& s) {
    Scene moved = s.scene;
    const auto [first, last] = std::minmax({moved.query_position, moved.key_position});
    const Index by = last < kMaxPosition ? 1 : first > 0 ? -1 : 0;
    moved.query_position += by;
    moved.key_position += by;
    const plot::Figure other = whole_figure(moved, "rotation");
    EXPECT_EQ(s.column("x").back(), column_of(other, "x").back());
    EXPECT_EQ(s.column("y").back(), column_of(other, "y").back());
    const Said after{moved, other, s.places};
    EXPECT_EQ(s.where("series", "score", "y"), after.where("series", "score", "y"));
}

/// Expects a number of one of the pairs that have a plane.
std::function<void(const Said&)> of_shown_pairs(double (*value)(const Said&, Index pair)) {
    return [value](const Said& s) {
        std::vector<double> all;
        for (const Index pair : s.scene.pairs) {
            all.push_back(value(s, pair));
        }
        s.one_of(0, all);
    };
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
        if (series[row] == "score" && x[row] == delta_of(scene)) {
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
        const double unit = point->numbers[0].half_unit + 0x1p-23;  // as printed, of fp32 arrows
        EXPECT_NEAR(std::hypot(point->numbers[0].value, point->numbers[1].value), 1,
                    std::sqrt(2.0) * unit + unit * unit);
        const std::string id = "pair." + std::to_string(pair);
        const auto panels = words_of(u.figure, "panel"), all = words_of(u.figure, "series");
        const auto x = column_of(u.figure, "x"), y = column_of(u.figure, "y");
        bool found = false;
        for (std::size_t row = 0; row < panels.size(); ++row) {
            if (panels[row] == id && all[row] == series) {
                found = true;
                EXPECT_NEAR(point->numbers[0].value, x[row], unit);
                EXPECT_NEAR(point->numbers[1].value, y[row], unit);
            }
        }
        EXPECT_TRUE(found) << id << " has no " << series;
    };
    drawn("q at m", "q");
    drawn("k at n", "k");
    // q at m is q before, turned by m theta.
    const auto before = test::match("( #, # )", u.text("q before")),
               after = test::match("( #, # )", u.text("q at m"));
    ASSERT_TRUE(before);
    const double turn =
        reduced_angle_rad(u.scene.query_position, u.said().spectrum().inv_freq_rad[pair]);
    const double x = before->numbers[0].value, y = before->numbers[1].value;
    const double unit = before->numbers[0].half_unit;  // of the result once, of x and y each
    EXPECT_NEAR(after->numbers[0].value, std::cos(turn) * x - std::sin(turn) * y, 2.5 * unit);
    EXPECT_NEAR(after->numbers[1].value, std::sin(turn) * x + std::cos(turn) * y, 2.5 * unit);
    // The part is the cosine of the angle, over the number of pairs; a cosine changes by less than
    // its angle.
    const test::Printed angle = u.number("angle q to k"), part = u.number("its part of the score");
    EXPECT_NEAR(part.value, std::cos(angle.value) / u.said().pairs(),
                part.half_unit + angle.half_unit / u.said().pairs());
}

/// The selected pair's part of the score at a distance, by the arrows of its plane; empty if the
/// figure does not draw it.
std::optional<double> part_at(const Under& u, double distance) {
    const std::string id = "pair." + std::to_string(u.scene.selected_pair);
    const auto panels = words_of(u.figure, "panel"), series = words_of(u.figure, "series");
    const auto x = column_of(u.figure, "x"), y = column_of(u.figure, "y");
    double between = 0;
    bool drawn = false;
    for (std::size_t row = 0; row < panels.size(); ++row) {
        const double sign = series[row] == "k" ? 1 : series[row] == "q" ? -1 : 0;
        if (panels[row] == id && sign != 0) {
            drawn = true;
            between += sign * std::atan2(y[row], x[row]);
        }
    }
    if (!drawn) {
        return std::nullopt;
    }
    const double more = distance - to_double(u.scene.key_position - u.scene.query_position);
    const double speed = u.said().spectrum().inv_freq_rad[u.scene.selected_pair];
    return std::cos(between + std::remainder(more * speed, 2 * M_PI)) / u.said().pairs();
}

void rotation_score(const Under& u) {
    u.is_if_listed("score", u.in_table("y", {{"x", u.value("distance n − m")}}, "series", "score"));
    // The logit is pairs / sqrt(head_dim) times the mean, and both were rounded for printing.
    const test::Printed logit = u.number("q·k / √head_dim"), mean = u.number("score");
    const double times = u.said().pairs() / std::sqrt(to_double(u.scene.head_dim));
    EXPECT_NEAR(logit.value, times * mean.value, logit.half_unit + times * mean.half_unit);
    u.is_if_listed("part of pair " + std::to_string(u.scene.selected_pair),
                   part_at(u, u.value("distance n − m")), "part of the selected pair");
}

/// A row of the report has the values of the cursor on the pair's plane.
void rotation_row(const Under& u) {
    const Index pair = u.whole("pair");
    const Spectrum spectrum = u.said().spectrum();
    const RopeSpec spec = u.said().spec();
    const ChannelPair channels = pair_channels(spec.layout, spec.rotary_dim, pair);
    EXPECT_EQ(u.text("channels"),
              std::to_string(channels.first) + ", " + std::to_string(channels.second));
    u.is("θ rad/position", spectrum.inv_freq_rad[pair]);
    u.is("λ positions", spectrum.wavelength_positions(pair));
    u.is("(n−m)θ rad",
         to_double(u.scene.key_position - u.scene.query_position) * spectrum.inv_freq_rad[pair]);
    const auto q = test::match("( #, # )", u.text("q at m")),
               k = test::match("( #, # )", u.text("k at n"));
    ASSERT_TRUE(q && k);
    const test::Printed angle = u.number("angle q to k"), part = u.number("part of score");
    // The cosine of the angle between two vectors of length 1 is their product; each of the four
    // numbers is off by at most half a unit.
    EXPECT_NEAR(
        std::cos(angle.value),
        q->numbers[0].value * k->numbers[0].value + q->numbers[1].value * k->numbers[1].value,
        4.1 * q->numbers[0].half_unit + angle.half_unit);
    EXPECT_NEAR(part.value, std::cos(angle.value) / u.said().pairs(),
                part.half_unit + angle.half_unit / u.said().pairs());
}

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
            {"The pair turns with the position", [](const Said& s) { EXPECT_EQ(s.pairs(), 1); }},
            {"All pairs turn at one speed", speeds(1)},
            {"Each pair turns at its own speed", speeds(-1)},
            {"The pairs turn at {} speeds",
             [](const Said& s) { s.number(0, different(s.spectrum().inv_freq_rad)); }},
            {"only the distance n − m is left in the score", score_stays_when_both_move},
            {"query at position m = {}, key at position n = {}, {}. Dots: earlier positions",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.query_position), to_double(s.scene.key_position)});
             }},
            {"the only pair", [](const Said& s) { EXPECT_EQ(s.pairs(), 1); }},
            {"all {} pairs",
             [](const Said& s) {
                 s.number(0, s.pairs());
                 EXPECT_EQ(to_double(std::ssize(s.scene.pairs)), s.pairs());
             }},
            {"{} of {}",
             [](const Said& s) {
                 s.numbers({to_double(std::ssize(s.scene.pairs)), s.pairs()});
             }},
            {"mean cosine between q and k, {}", [](const Said& s) { s.number(0, s.pairs()); }},
            {"sampled every {} positions",
             [](const Said& s) {
                 const auto at = s.where("series", "score", "x");
                 s.number(0, at[1] - at[0]);
             }},
            {"n − m = {} → {}",
             [](const Said& s) {
                 const double delta = delta_of(s.scene);
                 s.number(0, delta);
                 if (const double score = score_at(s, delta); std::isfinite(score)) {
                     s.number(1, score);
                 }
             }},
            {"pair {}", of_shown_pairs([](const Said&, Index pair) { return to_double(pair); })},
            {"λ {}", of_shown_pairs([](const Said& s, Index pair) {
                 return s.spectrum().wavelength_positions(pair);
             })},
            {"θ {}", of_shown_pairs([](const Said& s, Index pair) {
                 return s.spectrum().inv_freq_rad[pair];
             })},
            {"(n−m)θ {}", of_shown_pairs([](const Said& s, Index pair) {
                 return delta_of(s.scene) * s.spectrum().inv_freq_rad[pair];
             })},
        },
        {
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
        },
        {
            {"", rotation_pair},
            {"score", rotation_score},
        },
        {{.first = "pair", .row = rotation_row}},
        {
            {"query at m = {}, key at n = {}, distance n − m = {}",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.query_position), to_double(s.scene.key_position),
                            delta_of(s.scene)});
             }},
            {"score at this distance: {} (mean cosine between q and k over {}),\nwhich is {} as "
             "q_m "
             "· k_n / sqrt(head_dim)",
             [](const Said& s) {
                 s.number(1, s.pairs());
                 if (const double score = score_at(s, delta_of(s.scene)); std::isfinite(score)) {
                     s.number(0, score);
                     s.number(2, score * s.pairs() / std::sqrt(to_double(s.scene.head_dim)));
                 }
             }},
        },
        {{"rotary_dim=2"},
         {"base=1"},
         {"scaling=proportional", "partial_rotary_factor=0.5"},
         {"distance_range=65536"}}};
}

const RegisteredClaims kRotationClaims{rotation_claims};

}  // namespace

}  // namespace ropescope::figures
