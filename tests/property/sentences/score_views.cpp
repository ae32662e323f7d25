// What the views scores, decay and layouts say.
#include <cmath>

#include "core/analysis/decay.h"
#include "core/systems/equivalence.h"
#include "tests/property/sentences/claims.h"

namespace ropescope::figures {
namespace {

/// The fewest pairs of the table that make half of the sum of magnitudes.
double carriers(const Said& s) {
    std::vector<double> shares = s.where("table", "pair", "value");
    double all = 0;
    for (double& share : shares) {
        share = std::abs(share);
        all += share;
    }
    std::ranges::sort(shares, std::greater<>());
    double sum = 0, count = 0;
    for (const double share : shares) {
        if (sum >= all / 2 * (1 - 1e-12)) {
            break;
        }
        sum += share;
        ++count;
    }
    return count;
}

std::function<void(const Said&)> terms(const char* table) {
    return [table](const Said& s) { s.number(0, rank_of(s.figure, table)); };
}

void carriers_and_effect(const Said& s) {
    s.numbers({carriers(s), s.pairs()});
    const bool separable = rank_of(s.figure, "singular_rope") == 1;
    EXPECT_EQ(s.places.words.back(),
              separable ? "is the same for every content" : "depends on the content");
}

Scene with_content_angle(Scene scene, std::int64_t degrees) {
    scene.content_angle_deg = degrees;
    return scene;
}

double largest_sine_part(const plot::Figure& figure) {
    double largest = 0;
    const auto table = words_of(figure, "table");
    const auto sine = column_of(figure, "sin_part");
    for (std::size_t row = 0; row < table.size(); ++row) {
        largest = table[row] == "pair" ? std::max(largest, std::abs(sine[row])) : largest;
    }
    return largest;
}

void one_content_needs_one_term(const Scene& preset) {
    const plot::Figure figure = whole_figure(with_content_angle(preset, 0), "scores");
    EXPECT_EQ(largest_sine_part(figure), 0);
    EXPECT_EQ(rank_of(figure, "singular_rope"), 1);
}

void more_contents_need_more_terms(const Scene& preset) {
    const plot::Figure figure = whole_figure(with_content_angle(preset, 60), "scores");
    EXPECT_GT(largest_sine_part(figure), 0);
    EXPECT_GT(rank_of(figure, "singular_rope"), 1);
}

void cosine_is_even(const Scene& preset) {
    const plot::Figure figure = whole_figure(preset, "scores");
    const auto table = words_of(figure, "table");
    const auto at = column_of(figure, "at"), even = column_of(figure, "cos_part"),
               odd = column_of(figure, "sin_part");
    const auto last = static_cast<std::size_t>(std::ranges::count(table, std::string("score")) - 1);
    for (std::size_t row = 0; row <= last; ++row) {
        EXPECT_EQ(at[row], -at[last - row]);
        EXPECT_EQ(even[row], even[last - row]);
        EXPECT_EQ(odd[row], -odd[last - row]);
    }
}

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
    if (s.word(0).starts_with("drawn")) {
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

void channels_of_a_pair(const Scene& scene) {
    for (Index pair = 0; pair < scene.rotary_dim / 2; ++pair) {
        const ChannelPair near = pair_channels(Layout::interleaved, scene.rotary_dim, pair),
                          far = pair_channels(Layout::half_split, scene.rotary_dim, pair);
        EXPECT_EQ(near.second - near.first, 1);
        EXPECT_EQ(far.second - far.first, scene.rotary_dim / 2);
    }
}

void strided_llama_keeps_neither(const Scene& scene) {
    const plot::Figure figure = whole_figure(scene, "layouts");
    const auto panel = words_of(figure, "panel"), series = words_of(figure, "series");
    const auto change = column_of(figure, "y");
    for (const char* property : {"norm", "shift"}) {
        double largest = 0;
        for (std::size_t row = 0; row < panel.size(); ++row) {
            const bool drawn = panel[row] == property && series[row] == "strided LLaMA";
            largest = drawn ? std::max(largest, change[row]) : largest;
        }
        EXPECT_GT(largest, 1e-2) << property;
    }
}

/// Of all systems, at one head_dim.
const EquivalenceMatrix& matrix_of_systems() {
    static const EquivalenceMatrix matrix =
        equivalence_matrix({.head_dims = {8}, .bases = {1e4}, .offsets = {0, 3}});
    return matrix;
}

void reordered_systems_are_equal(const Scene&) {
    for (const PairVerdict& pair : matrix_of_systems().pairs) {
        if (pair.verdict == Verdict::equal_after_permutation) {
            // Tables in bf16 differ from those in fp32 by a few of its units.
            EXPECT_LT(pair.permuted.largest_output, 0x1p-5) << pair.a->id << " " << pair.b->id;
            EXPECT_GT(pair.same_input.largest_output, 0x1p-5);
        }
    }
}

void one_does_not_rotate(const Scene&) {
    const EquivalenceMatrix& matrix = matrix_of_systems();
    for (std::size_t a = 0; a < matrix.systems.size(); ++a) {
        for (std::size_t b = 0; b < matrix.systems.size(); ++b) {
            if (matrix.at(a, b).verdict == Verdict::not_a_rotation) {
                EXPECT_FALSE(matrix.rotation_tests[a].is_rotation() &&
                             matrix.rotation_tests[b].is_rotation());
            }
        }
    }
}

/// The verdict on the two systems, computed here from the two alone.
std::function<void(const Said&)> verdict_is(Verdict wanted) {
    return [wanted](const Said& s) {
        const std::vector<System> two = {find_system(s.scene.system_a),
                                         find_system(s.scene.system_b)};
        const EquivalenceMatrix matrix =
            equivalence_matrix({.head_dims = {std::min<std::int64_t>(s.scene.head_dim, 128)},
                                .bases = {s.scene.base},
                                .offsets = {s.scene.query_position}},
                               two);
        EXPECT_EQ(matrix.pairs[1].verdict, wanted);
    };
}

double largest_difference(const Said& s, const std::string& with) {
    const auto a = s.where("series", "a", "y"), b = s.where("series", with, "y");
    const auto panels_a = s.words("panel");
    double largest = 0;
    // The outputs come before the curves of the same names.
    const auto channels = static_cast<std::size_t>(std::min<std::int64_t>(s.scene.head_dim, 128));
    for (std::size_t c = 0; c < std::min({channels, a.size(), b.size()}); ++c) {
        largest = std::max(largest, std::abs(b[c] - a[c]));
    }
    return largest;
}

}  // namespace

ViewClaims scores_claims() {
    return {
        "scores",
        {
            {"The only pair carries the score: a cosine part and a sine part of the distance",
             [](const Said& s) { EXPECT_EQ(s.pairs(), 1); }},
            {"# of # pair* make half of Σ |share|; the effect of distance *", carriers_and_effect},
            {"# of # pair* makes half of Σ |share|; the effect of distance *",
             [](const Said& s) {
                 carriers_and_effect(s);
                 EXPECT_EQ(s.value(0), 1);
             }},
            {"# of # make half of Σ |share|",
             [](const Said& s) {
                 s.numbers({carriers(s), s.pairs()});
             }},
            {"# of # makes half of Σ |share|",
             [](const Said& s) {
                 s.numbers({1, s.pairs()});
             }},
            {"At n − m = #: score # = cos part # + J sin part #",
             [](const Said& s) {
                 const auto sum = [&](const char* column) {
                     double total = 0;
                     for (const double share : s.where("table", "pair", column)) {
                         total += share;
                     }
                     return total;
                 };
                 s.numbers({to_double(s.scene.key_position - s.scene.query_position), sum("value"),
                            sum("cos_part"), sum("sin_part")});
             }},
            {"pair by pair at n − m = #",
             [](const Said& s) {
                 s.number(0, to_double(s.scene.key_position - s.scene.query_position));
             }},
            {"# × #", names_only},
            {"RoPE: # term*", terms("singular_rope")},
            {"q·k + bias: # term*", terms("singular_plus_bias")},
            {"q·k × bias: # term*", terms("singular_times_bias")},
            {"score against distance n − m", names_only},
            {"over the largest", names_only},
        },
        {
            {"Every pair adds q·k times the cosine of its turn, which is the same for a key before "
             "and after the query, and q·Jk times the sine, which tells the two apart",
             cosine_is_even},
            {"Content angle 0: the sine part is zero, and one term is enough",
             one_content_needs_one_term},
            {"Raise it: sine parts appear, and a table needs more terms",
             more_contents_need_more_terms},
            {"Lower right: how many terms (content × distance) a table of scores needs",
             nothing_to_compare},
            {"Click the curve to move the key, a pair to follow it", nothing_to_compare},
        }};
}

ViewClaims decay_claims() {
    return {
        "decay",
        {
            {"Decay is a trend, not a law: the bound rises on # of # *step*",
             [](const Said& s) { counted_rises(s, "upper_bound"); }},
            {"The bound is # at every distance*",
             [](const Said& s) {
                 for (const double bound : s.column("upper_bound")) {
                     s.number(0, bound);
                 }
             }},
            {"The bound never rises up to distance #",
             [](const Said& s) {
                 EXPECT_EQ(rises(s, "upper_bound"), 0);
                 s.number(0, to_double(s.scene.decay_range));
             }},
            {"rises on # of # *step*", counted_rises_of_either},
            {"Distances to #, # pair*",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.decay_range), s.pairs()});
             }},
            {"Bottom: k = q, and # random q, k within #°",
             [](const Said& s) { s.number(1, to_double(s.scene.content_angle_deg)); }},
            {"the bound; k = q", names_only},
            {"upper bound (1/P) Σ |S_{j}|", names_only},
            {"constant",
             [](const Said& s) {
                 EXPECT_TRUE(rises(s, "upper_bound") == 0 || rises(s, "cosine_sum") == 0);
             }},
            {"it rises", names_only},
            {"random q, k: mean, 5 to 95 %",
             [](const Said& s) {
                 const auto low = s.column("random_low_5_percent"),
                            high = s.column("random_high_5_percent");
                 for (std::size_t row = 0; row < low.size(); ++row) {
                     EXPECT_FALSE(low[row] > high[row]);
                 }
             }},
            {"distance |n − m| (positions)*", names_only},
            {"lowest # at #",
             [](const Said& s) {
                 s.numbers({std::ranges::min(s.column("upper_bound"))});
                 const auto at = s.column("distance_positions");
                 EXPECT_TRUE(std::ranges::find(at, s.value(1)) != at.end());
             }},
            {"below zero at #",
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
            {"Lengthen the range to your model's context, with a logarithmic axis: a mark shows "
             "where the sum of cosines first falls below zero, if it does",
             nothing_to_compare},
            {"Content angle 180: the mean of random q and k is zero at every distance",
             unrelated_content_has_mean_zero},
        }};
}

ViewClaims layouts_claims() {
    const auto differs = [](const Said& s) { s.two_digits(0, largest_difference(s, "b")); };
    return {
        "layouts",
        {
            {"* and * compute the same up to rounding", verdict_is(Verdict::identical)},
            {"* and * agree once channels are reordered",
             verdict_is(Verdict::equal_after_permutation)},
            {"* and * both rotate, but differently", verdict_is(Verdict::different)},
            {"* rotates, * does not", verdict_is(Verdict::not_a_rotation)},
            {"Neither * nor * rotates, and they differ", verdict_is(Verdict::not_a_rotation)},
            {"* beside itself: select another system to compare",
             [](const Said& s) { EXPECT_EQ(s.scene.system_a, s.scene.system_b); }},
            {"*: in a batch its scores carry no position",
             [](const Said& s) {
                 EXPECT_TRUE(s.scene.system_a == "keras_as_written" ||
                             s.scene.system_b == "keras_as_written");
             }},
            {"It turns by batch index; the vector at the right is a batch of one", names_only},
            {"These two: head_dim #*, base *, position #",
             [](const Said& s) {
                 s.number(0, to_double(std::min<std::int64_t>(s.scene.head_dim, 128)));
                 EXPECT_EQ(s.word(0) == " (the widest compared)", s.scene.head_dim > 128);
                 s.number(1, to_double(s.scene.query_position));
             }},
            {"All: head_dim #, #, base # or the one written in, positions #, #, #", names_only},
            {"largest #", differs},
            {"largest #, with P #",
             [differs](const Said& s) {
                 differs(s);
                 s.two_digits(1, largest_difference(s, "b_after_permutation"));
             }},
            {"one vector at position #",
             [](const Said& s) { s.number(0, to_double(s.scene.query_position)); }},
            {"Two layouts, one vector in two orders: the score stays #",
             [](const Said& s) {
                 const auto curve = s.where("series", "interleaved", "y"),
                            other = s.where("series", "half split", "y");
                 ASSERT_EQ(curve.size(), other.size());
                 for (std::size_t i = 0; i < curve.size(); ++i) {
                     // fp32 products of two vectors that are hardly longer than head_dim.
                     EXPECT_NEAR(curve[i], other[i], 1e-5 * to_double(s.scene.head_dim));
                 }
             }},
            {"With one pair both layouts are the same",
             [](const Said& s) { EXPECT_EQ(s.scene.rotary_dim, 2); }},
            {"The score changes by # on the way, which is more than rounding",
             [](const Said&) { FAIL(); }},
            {"R_{m} q, m = #, walks pair by pair to half split: # % of the way",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.query_position), 100 * s.scene.walk});
             }},
            {"Score with k at n = #; head_dim #, base #",
             [](const Said& s) {
                 s.numbers(
                     {to_double(s.scene.key_position), to_double(s.scene.head_dim), s.scene.base});
             }},
            {"Score with k at n = #; head_dim #, # rotary, base #",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.key_position), to_double(s.scene.head_dim),
                            to_double(s.scene.rotary_dim), s.scene.base});
             }},
            {"P: channel 2i goes to i, channel 2i + 1 to i + # (i < #)*",
             [](const Said& s) {
                 const double half = to_double(s.scene.rotary_dim / 2);
                 s.numbers({half, half});
                 const auto slot = s.where("series", "half_split_slot", "y");
                 for (std::size_t i = 0; i < static_cast<std::size_t>(half); ++i) {
                     EXPECT_EQ(slot[2 * i], to_double(static_cast<Index>(i)));
                     EXPECT_EQ(slot[2 * i + 1], to_double(static_cast<Index>(i)) + half);
                 }
             }},
            {"P: nothing moves: one pair is (0, 1) in both layouts",
             [](const Said& s) { EXPECT_EQ(s.scene.rotary_dim, 2); }},
            {"back: i goes to 2i, i + # to 2i + 1",
             [](const Said& s) { s.number(0, to_double(s.scene.rotary_dim / 2)); }},
            {"back: the same", [](const Said& s) { EXPECT_EQ(s.scene.rotary_dim, 2); }},
            {"pair #: channels #, # go to #, #",
             [](const Said& s) {
                 const double pair = to_double(s.scene.selected_pair);
                 s.numbers({pair, 2 * pair, 2 * pair + 1, pair,
                            pair + to_double(s.scene.rotary_dim / 2)});
             }},
            {"rotation: P R_{m} q against R'_{m} P q: largest difference #",
             [](const Said& s) { EXPECT_LT(s.value(0), 1e-5); }},
            {"score: # interleaved, # half split: difference #",
             [](const Said& s) {
                 EXPECT_NEAR(std::abs(s.value(0) - s.value(1)), s.value(2), 2e-6);
             }},
            {"without P: half split on the order of interleaved: #", names_only},
            {"# of # pairs",
             [](const Said& s) {
                 s.numbers(
                     {to_double(std::ssize(s.scene.pairs)), to_double(s.scene.rotary_dim / 2)});
             }},
            {"# pairs named, 1 of # drawn",
             [](const Said& s) { s.number(0, to_double(std::ssize(s.scene.pairs))); }},
            {"does not run: *", names_only},
            {"x_{#}", names_only},
            {"#", names_only},
            {"#, #", names_only},
            {"=", names_only},
            {"≠", names_only},
            {"half split", names_only},
            {"not rotated", names_only},
            {"= same  P permuted  ≠ other  × no rotation", names_only},
            {"every system against every other", names_only},
            {"difference b − a, channel by channel", names_only},
            {"channels that pair*", names_only},
            {"change of the norm, | |f(x)| / |x| − 1 |", names_only},
            {"change of the score when both move", names_only},
            {"the permutation P, and what it leaves alone", names_only},
            {"*",
             [](const Said& s) {
                 const auto titled = [&](const System& system) {
                     return system.title == s.word(0);
                 };
                 EXPECT_TRUE(std::ranges::any_of(all_systems(), titled)) << s.word(0);
             }},
        },
        {
            {"Upper left: the channels of a pair, side by side or half of the rotated channels "
             "apart, and the permutation between",
             channels_of_a_pair},
            {"Below: do two systems (docs/sources.md) compute the same? Right: the selected two; "
             "whether they keep a vector's norm and a score's dependence on distance alone",
             nothing_to_compare},
            {"Dashed: the strided LLaMA, which keeps neither", strided_llama_keeps_neither},
            {"Choose \"walk\" to see the vector alone, P in words, and the score in both layouts",
             nothing_to_compare},
            {"Press Space: the vector walks to the other layout, then back; click it for its "
             "numbers",
             nothing_to_compare},
            {"A cell or the arrow keys open two systems", nothing_to_compare},
            {"P: they are equal once channels are reordered", reordered_systems_are_equal},
            {"×: at least one of them does not rotate", one_does_not_rotate},
        }};
}

}  // namespace ropescope::figures
