// What the views rotation, spectrum and table say.
#include <cmath>
#include <set>

#include "tests/property/sentences/claims.h"

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

double different(const std::vector<double>& values) {
    return to_double(std::ssize(std::set<double>(values.begin(), values.end())));
}

void first_pairs_are_fast(const Scene& scene) {
    const Spectrum spectrum = make_spectrum(rope_spec(scene));
    EXPECT_TRUE(std::ranges::is_sorted(spectrum.inv_freq_rad, std::greater<>()));
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

/// Pairs that do not finish a turn, by the table.
double unfinished(const plot::Figure& figure) {
    return count_of(column_of(figure, "turns_in_context"), [](double turns) { return turns < 1; });
}

void points_lie_on_a_line(const Scene& preset) {
    Scene scene = preset;
    scene.scaling = "default";
    const auto lengths = column_of(whole_figure(scene, "spectrum"), "wavelength_positions");
    EXPECT_NEAR(lengths.front(), 2 * M_PI, 1e-9);
    EXPECT_LT(lengths.back(), 2 * M_PI * scene.base);
    const double step = std::pow(scene.base, 2.0 / to_double(scene.rotary_dim));
    for (std::size_t i = 1; i < lengths.size(); ++i) {
        EXPECT_NEAR(lengths[i] / lengths[i - 1] / step, 1, 1e-9);
    }
}

void base_leaves_more_unfinished(const Scene& scene) {
    EXPECT_GE(unfinished(whole_figure(with_larger_base(scene), "spectrum")),
              unfinished(whole_figure(scene, "spectrum")));
}

void context_lets_more_finish(Scene scene) {
    const double before = unfinished(whole_figure(scene, "spectrum"));
    scene.context_length *= 8;
    const double after = unfinished(whole_figure(scene, "spectrum"));
    EXPECT_TRUE(after < before || before == 0) << after << " of " << before;
}

void table_axes(const Said& s) {
    const double factor = s.places.numbers.empty() ? 1.0 : s.spectrum().attention_factor;
    if (!s.places.numbers.empty()) {
        s.number(0, factor);
    }
    if (s.scene.table_quantity != TableQuantity::angle) {
        EXPECT_TRUE(factor != 1.0 || s.spectrum().attention_factor == 1.0);
    }
}

void each_position_has_its_own_column(const Scene& scene) {
    const plot::Figure figure = whole_figure(scene, "table");
    const auto values = column_of(figure, "cos"), pair = column_of(figure, "pair");
    std::set<std::vector<double>> columns;
    const auto pairs = static_cast<std::size_t>(scene.rotary_dim / 2);
    for (std::size_t at = 0; at < values.size(); at += pairs) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at);
        EXPECT_TRUE(columns.insert({begin, begin + static_cast<std::ptrdiff_t>(pairs)}).second);
    }
}

void waves_get_longer(const Scene& scene) {
    const Spectrum now = make_spectrum(unscaled_rope_spec(scene)),
                   larger = make_spectrum(unscaled_rope_spec(with_larger_base(scene)));
    EXPECT_EQ(larger.inv_freq_rad.front(), now.inv_freq_rad.front());
    for (Index pair = 1; pair < now.pairs(); ++pair) {
        EXPECT_LT(larger.inv_freq_rad[pair], now.inv_freq_rad[pair]);
    }
}

/// Fast pairs at the bottom: neighbours in the slowest row differ less than in the fastest.
void slow_rows_change_little(const Scene& scene) {
    const plot::Figure figure = whole_figure(scene, "table");
    const auto values = column_of(figure, "cos");
    const auto pairs = static_cast<std::size_t>(scene.rotary_dim / 2);
    double fast = 0, slow = 0;
    for (std::size_t at = pairs; at < values.size(); at += pairs) {
        fast = std::max(fast, std::abs(values[at] - values[at - pairs]));
        slow = std::max(slow, std::abs(values[at + pairs - 1] - values[at - 1]));
    }
    EXPECT_LT(slow, fast);
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
        }};
}

ViewClaims spectrum_claims() {
    return {
        "spectrum",
        {
            {"# of # pairs never finish a turn within # positions",
             [](const Said& s) {
                 s.numbers({unfinished(s.figure), s.pairs(), to_double(s.scene.context_length)});
             }},
            {"1 of # pairs never finishes a turn within # positions",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), 1);
                 s.numbers({s.pairs(), to_double(s.scene.context_length)});
             }},
            {"* at least once within # position*",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), 0);
                 s.number(0, to_double(s.scene.context_length));
             }},
            {"No pair ever finishes a turn within # position*",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), s.pairs());
                 s.number(0, to_double(s.scene.context_length));
             }},
            {"The only pair never finishes a turn within # position*",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), 1);
                 EXPECT_EQ(s.pairs(), 1);
             }},
            {"* of each pair, base #", [](const Said& s) { s.number(0, s.scene.base); }},
            {"Rings: less than one turn within the context",
             [](const Said& s) { EXPECT_GT(unfinished(s.figure), 0); }},
            {"never a full turn", [](const Said& s) { EXPECT_GT(unfinished(s.figure), 0); }},
            {"one turn in # positions",
             [](const Said& s) { s.number(0, to_double(s.scene.context_length)); }},
            {"one turn in the trained #",
             [](const Said& s) { s.number(0, to_double(s.scene.original_length)); }},
            {"slowed × #", [](const Said& s) { s.number(0, extension_factor(s.spec().scaling)); }},
            {"pair #: # *",
             [](const Said& s) {
                 const bool waves = s.scene.spectrum_quantity == SpectrumQuantity::wavelength;
                 EXPECT_EQ(s.word(0), waves ? "positions" : "rad/position");
                 const auto values = s.column(waves ? "wavelength_positions" : "inv_freq_rad");
                 s.number(0, to_double(s.scene.selected_pair));
                 s.number(1, values[static_cast<std::size_t>(s.scene.selected_pair)]);
             }},
            {"llama3", names_only},
            {"inverse frequency θ (rad per position)", names_only},
            {"blended",
             [](const Said& s) {
                 EXPECT_GT(count_of(s.column("slowdown"),
                                    [&](double slower) {
                                        return slower > 1 &&
                                               slower < extension_factor(s.spec().scaling);
                                    }),
                           0);
             }},
        },
        {
            {"One point for each pair: how many positions one turn takes", nothing_to_compare},
            {"Without a scaling the points lie on a straight line from 2π to nearly 2π × base, for "
             "the axis is logarithmic",
             points_lie_on_a_line},
            {"Rings are pairs that never finish a turn in this context", nothing_to_compare},
            {"With a scaling the dashed curve is the unscaled spectrum; shading shows which pairs "
             "YaRN and Llama 3 change",
             nothing_to_compare},
            {"Raise the base: the line gets steeper and more pairs never finish a turn",
             base_leaves_more_unfinished},
            {"Lengthen the context: the line \"one turn\" moves, and more pairs finish one",
             context_lets_more_finish},
            {"Choose a scaling, and the overlay \"methods\" to see what each would do",
             nothing_to_compare},
            {"Click a point to follow its pair in the other views", nothing_to_compare},
        }};
}

ViewClaims table_claims() {
    const auto finished = [](const Said& s) {
        double count = 0;
        for (const double speed : s.spectrum().inv_freq_rad) {
            count += 2 * M_PI / speed <= to_double(s.scene.position_count) ? 1 : 0;
        }
        return count;
    };
    return {
        "table",
        {
            {"The only pair is a wave # positions long",
             [](const Said& s) { s.number(0, s.spectrum().wavelength_positions(0)); }},
            {"*: # of # finish a turn within # position*",
             [finished](const Said& s) {
                 s.numbers({finished(s), s.pairs(), to_double(s.scene.position_count)});
                 const double lengths = different(s.spectrum().inv_freq_rad);
                 if (const auto some = test::match("Waves of # lengths", s.word(0))) {
                     EXPECT_TRUE(some->numbers[0].shows(lengths));
                 } else {
                     const bool own = s.word(0) == "Every pair is a wave of its own length";
                     EXPECT_TRUE(own || s.word(0) == "Every pair is the same wave") << s.word(0);
                     EXPECT_EQ(lengths, own ? s.pairs() : 1);
                 }
             }},
            {"*: # of # finishes a turn within # position*",
             [finished](const Said& s) {
                 s.numbers({1, s.pairs(), to_double(s.scene.position_count)});
                 EXPECT_EQ(finished(s), 1);
             }},
            {"* at position #, *",
             [](const Said& s) {
                 EXPECT_EQ(s.scene.position_count, 1);
                 s.number(0, to_double(s.scene.first_position));
             }},
            {"* at positions # to #, *",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.first_position),
                            to_double(s.scene.first_position + s.scene.position_count - 1)});
             }},
            {"* at positions # to #; a cell is the mean of # positions*",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.first_position),
                            to_double(s.scene.first_position + s.scene.position_count - 1),
                            s.column("positions_averaged").front()});
             }},
            {"Below: pair #", [](const Said& s) { s.number(0, to_double(s.scene.selected_pair)); }},
            {"pair #", [](const Said& s) { s.number(0, to_double(s.scene.selected_pair)); }},
            {"pair #, * of # positions each*",
             [](const Said& s) {
                 s.numbers(
                     {to_double(s.scene.selected_pair), s.column("positions_averaged").front()});
                 const double length = s.spectrum().wavelength_positions(s.scene.selected_pair);
                 EXPECT_EQ(s.word(1) == ": turns average out",
                           length < s.column("positions_averaged").front());
             }},
            {"λ #",
             [](const Said& s) {
                 s.number(0, s.spectrum().wavelength_positions(s.scene.selected_pair));
             }},
            {"λ #   m = # → #",
             [](const Said& s) {
                 s.numbers({s.spectrum().wavelength_positions(s.scene.selected_pair),
                            to_double(s.scene.query_position)});
             }},
            {"# *(position × θ)", table_axes},
            {"cos(position × θ)", table_axes},
            {"sin(position × θ)", table_axes},
            {"mean of # *(position × θ)", table_axes},
            {"mean of *(position × θ)", table_axes},
            {"position × θ, reduced to −π .. π (rad)", table_axes},
            {"mean of position × θ, reduced to −π .. π (rad)", table_axes},
        },
        {
            {"The table that implementations compute once and keep: one column per position, one "
             "row per pair",
             nothing_to_compare},
            {"The fast pairs at the bottom are short waves; the slow ones at the top change little "
             "from column to column",
             slow_rows_change_little},
            {"Each position has its own column of values", each_position_has_its_own_column},
            {"Raise the base: all waves but the first get longer", waves_get_longer},
            {"Show more positions: fast waves average out, slow ones come into sight",
             first_pairs_are_fast},
            {"Start far out: the waves go on as before, but their angles are large, and low "
             "precision shows",
             nothing_to_compare},
            {"Click a row to follow it", nothing_to_compare},
        }};
}

}  // namespace ropescope::figures
