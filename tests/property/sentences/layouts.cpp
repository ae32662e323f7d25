// What the view layouts says.
#include "core/systems/equivalence.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

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

}  // namespace

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
        },
        {
            {"outputs", layouts_channel},
            {"difference", layouts_channel},
            {"", held_by_sentences},
        },
        ReportTable{.first = "channel",
                    .keys = {{"channel", "x"}},
                    .values = {{"a", "y"}},
                    .words_in = "series",
                    .word = "a"}};
}

}  // namespace ropescope::figures
