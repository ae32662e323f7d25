// What the view decay says.
#include "core/analysis/decay.h"

#include <cmath>

#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

/// Both curves at every distance, by running through them.
struct EveryDistance {
    DecayCurves curves;
    double tolerance;

    explicit EveryDistance(const Scene& scene) {
        const Spectrum spectrum = make_spectrum(rope_spec(scene));
        curves = decay_run(spectrum, 0, scene.decay_range + 1);
        tolerance = decay_tolerance(spectrum);
    }
};

/// Steps on which a column of the figure rises from row to row.
double rises(const Said& s, const std::string& column) {
    const auto values = s.column(column);
    const double tolerance = decay_tolerance(s.spectrum());
    double count = 0;
    for (std::size_t row = 1; row < values.size(); ++row) {
        count += values[row] > values[row - 1] + tolerance ? 1 : 0;
    }
    return count;
}

/// The count of a sentence about "steps" is that of every distance, of "drawn steps" that of the
/// rows.
void counted_rises(const Said& s, const std::string& column) {
    const double steps = to_double(std::ssize(s.column(column)) - 1);
    if (s.places.words.back().starts_with("drawn")) {
        s.numbers({rises(s, column), steps});
    } else if (steps == to_double(s.scene.decay_range)) {
        s.numbers({rises(s, column), steps});
    } else {
        const EveryDistance every(s.scene);
        const Rises found =
            find_rises(column == "upper_bound" ? every.curves.upper_bound : every.curves.cosine_sum,
                       every.tolerance);
        s.numbers({to_double(found.rising), to_double(s.scene.decay_range)});
    }
}

/// What the report says of a curve that rises.
void reported_rises(const Said& s, const std::string& column) {
    counted_rises(s, column);
    const double rising = s.value(0), steps = s.value(1);
    const double percent = 100 * rising / steps;
    EXPECT_DOUBLE_EQ(s.value(2), percent);
    const auto distance = s.column("distance_positions"), curve = s.column(column);
    const EveryDistance every(s.scene);
    const auto& all = column == "upper_bound" ? every.curves.upper_bound : every.curves.cosine_sum;
    const auto at = [&](std::size_t place) {
        return all[static_cast<std::size_t>(std::llround(s.value(place)))];
    };
    // "first after distance 3": up to there nothing rises, and the next value is higher.
    const auto first =
        static_cast<std::size_t>(std::ranges::find(distance, s.value(3)) - distance.begin());
    const bool drawn = s.places.words.back().starts_with("drawn");
    double running = 0;
    double lowest = all[0], regain = 0;
    for (std::size_t i = 1; i < (drawn ? curve.size() : all.size()); ++i) {
        const double before = drawn ? curve[i - 1] : all[i - 1], now = drawn ? curve[i] : all[i];
        const double where = drawn ? distance[i - 1] : to_double(static_cast<Index>(i) - 1);
        if (running == 0 && now > before + every.tolerance) {
            EXPECT_EQ(where, s.value(3)) << "the first rise";
            running = 1;
        }
        lowest = std::min(lowest, now);
        regain = std::max(regain, now - lowest);
    }
    EXPECT_EQ(running, 1);
    EXPECT_LE(first, distance.size());
    // Distances from each other's value by less than the tolerance count as the same.
    EXPECT_NEAR(s.value(4), lowest, s.places.numbers[4].half_unit + every.tolerance);
    EXPECT_NEAR(at(5), lowest, s.places.numbers[4].half_unit + every.tolerance);
    EXPECT_NEAR(s.value(7), regain, s.places.numbers[7].half_unit + every.tolerance);
}

/// How many draws the subtitle states.
double draws_of(const plot::Text& subtitle) {
    return subtitle.sentences.front().values[2].exact.value();
}

void counted_rises_of_either(const Said& s) {
    const double steps = to_double(std::ssize(s.column("upper_bound")) - 1);
    if (!s.word(0).starts_with("drawn") && steps != to_double(s.scene.decay_range)) {
        return;  // the title is compared, and the panel has the same words
    }
    const bool bound = s.places.numbers[0].shows(rises(s, "upper_bound"));
    const bool cosine = s.places.numbers[0].shows(rises(s, "cosine_sum"));
    EXPECT_TRUE(bound || cosine);
}

void fall_is_slower(const Scene& preset) {
    Scene scene = preset;
    scene.decay_range = 256;
    const Scene larger = with_larger_base(scene);
    const EveryDistance now(scene), then(larger);
    const auto mean = [](const std::vector<double>& values) {
        double sum = 0;
        for (const double value : values) {
            sum += value;
        }
        return sum;
    };
    EXPECT_GT(mean(then.curves.upper_bound), mean(now.curves.upper_bound));
    EXPECT_GT(mean(then.curves.cosine_sum), mean(now.curves.cosine_sum));
}

void bound_falls_and_rises(const Scene& preset) {
    const EveryDistance every(preset);
    const Rises found = find_rises(every.curves.upper_bound, every.tolerance);
    EXPECT_GT(found.rising, 0);
    EXPECT_LT(found.lowest, every.curves.upper_bound.front());
}

/// The mean of random content is one share of the sum of cosines, at every distance.
void mean_is_a_share(Scene scene, double share, double deviations) {
    scene.decay_range = 32;
    const plot::Figure figure = whole_figure(scene, "decay");
    const auto mean = column_of(figure, "random_mean"), sum = column_of(figure, "cosine_sum");
    const double draws = 2048;
    for (std::size_t row = 0; row < mean.size(); ++row) {
        if (std::isfinite(mean[row])) {
            // The variance of a draw is at most the number of pairs.
            EXPECT_NEAR(mean[row], share * sum[row],
                        deviations * std::sqrt(to_double(scene.rotary_dim) / 2 / draws));
        }
    }
}

void mean_is_a_fixed_share(const Scene& preset) {
    const double angle = to_double(preset.content_angle_deg) / 180 * M_PI;
    mean_is_a_share(preset, std::sin(angle) / angle, 6);
}

void unrelated_content_has_mean_zero(const Scene& preset) {
    mean_is_a_share(with_content_angle(preset, 180), 0, 6);
}

/// What the encoder shows at a distance, where its text reaches.
void is_measured(const Under& u, const std::vector<Under::Key>& row) {
    const auto cosine = u.in_table("measured_mean_cosine", row);
    if (cosine && std::isfinite(*cosine)) {
        u.is("measured mean cosine", *cosine);
        u.is("measured probability", u.in_table("measured_probability", row).value());
    }
}

void decay_distance(const Under& u) {
    const Spectrum spectrum = u.said().spectrum();
    const Index distance = u.whole("distance");
    const DecayPoint here = decay_at(spectrum, distance), next = decay_at(spectrum, distance + 1);
    const std::vector<Under::Key> row = {{"distance_positions", u.value("distance")}};
    u.is("upper bound", here.upper_bound);
    u.is("sum of cosines", here.cosine_sum);
    u.is_if_listed("upper bound", u.in_table("upper_bound", row));
    u.is_if_listed("sum of cosines", u.in_table("cosine_sum", row));
    u.is("of the bound at 0", 100 * here.upper_bound / decay_at(spectrum, 0).upper_bound);
    // The score of a pair is cos(c + delta theta) with c uniform within +-a.
    const double a = to_double(u.scene.content_angle_deg) / 180 * M_PI;
    const auto share = [](double x) { return x == 0 ? 1 : std::sin(x) / x; };
    double variance = 0;
    for (const double speed : spectrum.inv_freq_rad) {
        const double angle = reduced_angle_rad(distance, speed);
        const double mean = std::cos(angle) * share(a);
        variance += (1 + std::cos(2 * angle) * share(2 * a)) / 2 - mean * mean;
    }
    u.is("random q, k: mean", share(a) * here.cosine_sum);
    const test::Printed deviation = u.number("standard deviation");
    // The variance is a difference of numbers up to the number of pairs.
    const double rounding = 16 * 0x1p-53 * to_double(spectrum.pairs());
    EXPECT_NEAR(deviation.value, std::sqrt(std::max(0.0, variance)),
                deviation.half_unit + std::sqrt(rounding));
    if (takes_content_of_encoder(u.scene)) {
        is_measured(u, row);
    }
    u.is("bound, next step", next.upper_bound - here.upper_bound);
    u.is("cosines, next step", next.cosine_sum - here.cosine_sum);
}

/// "The bound" or "The sum of cosines (q = k)".
std::string column_of_curve(const Said& s) {
    return s.word(0) == "The bound" ? "upper_bound" : "cosine_sum";
}

/// All steps are counted, or those that are drawn.
void never_rises(const Said& s) {
    if (!s.word(1).starts_with("drawn")) {
        EXPECT_EQ(rises(s, column_of_curve(s)), 0);
        s.number(0, to_double(s.scene.decay_range));
    } else {
        EXPECT_LT(s.value(0), to_double(s.scene.decay_range));
    }
}

ViewClaims decay_claims() {
    return {
        "decay",
        {
            {"Decay is a trend, not a law: the bound rises on {} of {} {}",
             [](const Said& s) { counted_rises(s, "upper_bound"); }},
            {"The bound is {} at every distance{}",
             [](const Said& s) {
                 for (const double bound : s.column("upper_bound")) {
                     s.number(0, bound);
                 }
                 EXPECT_EQ(s.word(0).empty(), different(s.spectrum().inv_freq_rad) > 1);
                 EXPECT_EQ(s.word(0) == ": there is one pair", s.pairs() == 1);
             }},
            {"The bound never rises up to distance {}",
             [](const Said& s) {
                 EXPECT_EQ(rises(s, "upper_bound"), 0);
                 s.number(0, to_double(s.scene.decay_range));
             }},
            {"rises on {} of {} {}", counted_rises_of_either},
            {"Distances to {}, {}. Top: RoFormer's bound. Bottom: k = q, and {} random q, k within "
             "{}°",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.decay_range), s.pairs()});
                 s.number(3, to_double(s.scene.content_angle_deg));
             }},
            {"constant",
             [](const Said& s) {
                 EXPECT_TRUE(rises(s, "upper_bound") == 0 || rises(s, "cosine_sum") == 0);
             }},
            {"Measured: {}", [](const Said& s) { EXPECT_TRUE(takes_content_of_encoder(s.scene)); }},
            {"layer {}, head {} of {}, {}",
             [](const Said& s) {
                 EXPECT_LE(s.value(0), to_double(s.scene.attention_layer));
                 EXPECT_LE(s.value(1), to_double(s.scene.attention_head));
                 // The axis ends where the text does, or at its shortest, 2.
                 EXPECT_GE(std::max(2.0, s.value(2) - 1), to_double(s.scene.decay_range));
             }},
            {"{} heads",
             [](const Said& s) {
                 const auto drawn =
                     std::ranges::find(s.figure.panels, "probability", &plot::Panel::id);
                 // One of them is drawn twice.
                 EXPECT_EQ(s.value(0), to_double(std::ssize(drawn->marks)) - 1);
             }},
            {", drawn every {}",
             [](const Said& s) {
                 const auto at = s.column("distance_positions");
                 double widest = 0;
                 for (std::size_t row = 1; row < at.size(); ++row) {
                     widest = std::max(widest, at[row] - at[row - 1]);
                 }
                 s.number(0, widest);
             }},
            {"lowest {} at {}",
             [](const Said& s) {
                 s.numbers({std::ranges::min(s.column("upper_bound"))});
                 const auto at = s.column("distance_positions");
                 EXPECT_TRUE(std::ranges::find(at, s.value(1)) != at.end());
             }},
            {"below zero at {}",
             [](const Said& s) {
                 const auto at = s.column("distance_positions"), sum = s.column("cosine_sum");
                 for (std::size_t row = 0; row < at.size(); ++row) {
                     EXPECT_EQ(sum[row] < 0 && at[row] <= s.value(0), at[row] == s.value(0))
                         << at[row];
                 }
             }},
        },
        {
            {"Top: the bound that \"long-term decay\" comes from: it falls as a trend and rises in "
             "between; the title counts the steps",
             bound_falls_and_rises},
            {"Bottom: the score of a key that equals the query, and of random q and k: their mean "
             "is a fixed share of it, and single draws vary widely",
             mean_is_a_fixed_share},
            {"Raise the base: the curves fall more slowly", fall_is_slower},
            {"Content angle 180: the mean of random q and k is zero at every distance",
             unrelated_content_has_mean_zero},
        },
        {
            {"probability",
             [](const Under& u) {
                 const double cosine = u.value("measured mean cosine");
                 EXPECT_TRUE(cosine >= -1 && cosine <= 1);
                 EXPECT_LE(u.value("measured probability"), 1);
             }},
            {"", decay_distance},
        },
        {ReportTable{.first = "distance",
                     .keys = {{"distance", "distance_positions"}},
                     .values = {{"upper bound", "upper_bound"},
                                {"sum of cosines", "cosine_sum"},
                                {"random mean", "random_mean"},
                                {"5 %", "random_low_5_percent"},
                                {"95 %", "random_high_5_percent"}}}},
        {
            {"{} is {} at every distance",
             [](const Said& s) {
                 for (const double value : s.column(column_of_curve(s))) {
                     s.number(0, value);
                 }
             }},
            {"{} never rises: it has {} {}", never_rises},
            {"{} rises on {} of {} {} ({} %), first after distance {}; lowest {} at {}; at {} it "
             "stands {} above an earlier, nearer value",
             [](const Said& s) { reported_rises(s, column_of_curve(s)); }},
            {"The sum of cosines is first negative at distance {}: there a key equal to the query "
             "scores below the mean of unrelated ones, which is zero",
             [](const Said& s) {
                 const EveryDistance every(s.scene);
                 s.number(0, to_double(first_below_zero(every.curves.cosine_sum)));
             }},
            {"The sum of cosines is never negative up to here",
             [](const Said& s) {
                 const EveryDistance every(s.scene);
                 EXPECT_GE(std::ranges::min(every.curves.cosine_sum), -every.tolerance);
             }},
            {"Random content within {} degrees: its mean is {} of the sum of cosines{}",
             [](const Said& s) {
                 const double a = to_double(s.scene.content_angle_deg) / 180 * M_PI;
                 s.numbers({to_double(s.scene.content_angle_deg), a == 0 ? 1 : std::sin(a) / a});
                 EXPECT_EQ(s.word(0).find("mean of zero") != std::string::npos,
                           s.scene.content_angle_deg == 180);
             }},
            {"The rows are evenly chosen. Random: {} draws of q and k, unit vectors in every pair",
             [](const Said& s) { EXPECT_EQ(s.value(0), draws_of(s.figure.subtitle)); }},
        },
        {{"rotary_dim=2", "decay_range=16"},
         {"base=1", "decay_range=16"},
         {"content_angle_deg=180"},
         {"decay_range=2"},
         {"rotary_dim=2", "decay_range=3"},
         {"content_source=encoder"}},
        {"random q, k: mean, 5 to 95 %", "upper bound (1/P) Σ |S_{j}|"}};
}

const RegisteredClaims kDecayClaims{decay_claims};

}  // namespace

}  // namespace ropescope::figures
