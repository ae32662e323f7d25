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
        if (pair.verdict == Equivalence::equal_after_permutation) {
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
            if (matrix.at(a, b).verdict == Equivalence::not_a_rotation) {
                EXPECT_FALSE(matrix.rotation_tests[a].is_rotation() &&
                             matrix.rotation_tests[b].is_rotation());
            }
        }
    }
}

/// The two systems of the scene, compared alone.
EquivalenceMatrix matrix_of_scene(const Scene& scene) {
    const std::vector<System> two = {find_system(scene.system_a), find_system(scene.system_b)};
    return equivalence_matrix({.head_dims = {std::min<std::int64_t>(scene.head_dim, 128)},
                               .bases = {scene.base},
                               .offsets = {scene.query_position}},
                              two);
}

/// What a system makes of the vector that is drawn.
std::vector<double> outputs(const Said& s, const std::string& series) {
    const auto panels = s.words("panel"), all = s.words("series");
    const auto values = s.column("y");
    std::vector<double> found;
    for (std::size_t row = 0; row < panels.size(); ++row) {
        if (panels[row] == "outputs" && all[row] == series) {
            found.push_back(values[row]);
        }
    }
    return found;
}

double largest_difference(const Said& s, const std::string& with) {
    const auto a = outputs(s, "a"), b = outputs(s, with);
    double largest = 0;
    for (std::size_t c = 0; c < std::min(a.size(), b.size()); ++c) {
        largest = std::max(largest, std::abs(b[c] - a[c]));
    }
    return largest;
}

/// The verdict on the two systems, computed here from the two alone, and what they make of the
/// vector that is drawn.
std::function<void(const Said&)> verdict_is(Equivalence wanted) {
    return [wanted](const Said& s) {
        EXPECT_EQ(matrix_of_scene(s.scene).pairs[1].verdict, wanted);
        // Two tables in bf16, times the two channels of a pair of a normal vector; and two angles
        // in fp32, each off by half a unit of a number as large as the position.
        const double angles_rad = 2 * 0x1p-24 * std::abs(to_double(s.scene.query_position));
        const double rounding = (4 * 0x1p-9 + angles_rad) * 6;
        const std::string same = wanted == Equivalence::identical ? "b"
                                 : wanted == Equivalence::equal_after_permutation
                                     ? "b_after_permutation"
                                     : "";
        if (!same.empty() && !s.where("series", same, "y").empty()) {
            EXPECT_LT(largest_difference(s, same), rounding);
        }
    };
}

std::string unquoted(std::string title) {
    for (const char* quote : {"“", "”"}) {
        for (std::size_t at = title.find(quote); at != title.npos; at = title.find(quote)) {
            title.erase(at, std::string(quote).size());
        }
    }
    return title;
}

const System& system_titled(const std::string& title) {
    const auto found = std::ranges::find(all_systems(), unquoted(title), &System::title);
    if (found == all_systems().end()) {
        throw std::runtime_error("no system has the title " + title);
    }
    return *found;
}

/// Whether the system of this title keeps norms and scores at the scene's sizes.
bool rotates_here(const Said& s, const std::string& title) {
    const EquivalenceMatrix matrix = matrix_of_scene(s.scene);
    const std::size_t which = system_titled(title).id == s.scene.system_a ? 0 : 1;
    return matrix.rotation_tests[which].is_rotation();
}

void turns_by_batch(const Said& s) {
    EXPECT_TRUE(s.scene.system_a == "keras_as_written" || s.scene.system_b == "keras_as_written");
}

std::vector<std::string> names_of_systems() {
    std::vector<std::string> names = {"change of the norm, | |f(x)| / |x| − 1 |"};
    for (const System& system : all_systems()) {
        names.push_back(system.title);
    }
    return names;
}

void permutation_in_words(const Said& s) {
    const double half = to_double(s.scene.rotary_dim / 2);
    s.numbers({half});
    const auto slot = s.where("series", "half_split_slot", "y");
    for (std::size_t i = 0; i < slot.size(); ++i) {
        const double at = to_double(static_cast<Index>(i));
        EXPECT_EQ(slot[i], at >= 2 * half ? at : i % 2 == 0 ? at / 2 : (at - 1) / 2 + half);
    }
}

RopeSpec unscaled_interleaved(const Scene& scene) {
    return unscaled_rope_spec(scene);
}

/// A cell of the matrix, which the table lists.
void layouts_verdict(const Under& u) {
    const System &a = system_titled(u.text("first")), &b = system_titled(u.text("second"));
    const auto series = words_of(u.figure, "series"), verdict = words_of(u.figure, "verdict");
    const auto at = std::ranges::find(series, a.id + " ~ " + b.id) - series.begin();
    EXPECT_EQ(u.text("verdict"), verdict.at(static_cast<std::size_t>(at)));
    const double largest = u.value("largest difference");
    const double after = u.text("reordered") == "-" ? largest : u.value("reordered");
    // Up to two values of a table of bf16 times a vector of some units.
    constexpr double kRounding = 0x1p-4;
    if (u.text("verdict") == "identical") {
        EXPECT_LT(largest, kRounding);
    }
    EXPECT_EQ(u.text("reordered") != "-", u.text("verdict") == "equal after permutation");
    EXPECT_LE(after, largest);
    EXPECT_TRUE(u.text("reordered") == "-" || after < kRounding);
}

void layouts_walk(const Under& u) {
    const Index channel = u.whole("channel");
    const std::vector<Under::Key> row = {{"x", u.value("channel")}};
    u.is("goes to", u.in_table("y", row, "series", "half_split_slot").value());
    const std::vector<Under::Key> back = {{"y", u.value("channel")}};
    u.is("half-split takes", u.in_table("x", back, "series", "half_split_slot").value());
    EXPECT_EQ(u.text("pair, interleaved"),
              channel < u.scene.rotary_dim ? std::to_string(channel / 2) : "not rotated");
}

/// A row of the report: a channel of both systems.
void layouts_row(const Under& u) {
    for (const auto& [name, series] : std::vector<std::pair<std::string, std::string>>{
             {"a", "a"}, {"b", "b"}, {"b after P", "b_after_permutation"}}) {
        if (u.text(name) == "-") {
            EXPECT_TRUE(outputs(u.said(), series).empty()) << series;
        } else {
            u.is(name, outputs(u.said(), series).at(static_cast<std::size_t>(u.whole("channel"))));
        }
    }
}

/// A row of the report: a channel of the vector that walks.
void walk_row(const Under& u) {
    const std::vector<Under::Key> row = {{"x", u.value("channel")}};
    u.is("goes to", u.in_table("y", row, "series", "half_split_slot").value());
    u.is("value", u.in_table("y", row, "series", "value").value());
    u.is("walked", u.in_table("y", row, "series", "walked").value());
    u.is("slot now", u.in_table("y", row, "series", "slot_now").value());
}

void layouts_channel(const Under& u) {
    const std::vector<Under::Key> row = {{"x", u.value("channel")}};
    for (const plot::Readout& readout : u.readouts) {
        if (readout.name != "channel") {
            const std::string series = readout.name == "first"    ? "a"
                                       : readout.name == "second" ? "b"
                                                                  : "b_after_permutation";
            u.is_if_listed(readout.name, u.in_table("y", row, "series", series));
        }
    }
}

ViewClaims layouts_claims() {
    return {
        "layouts",
        {
            {"{} and {} compute the same up to rounding", verdict_is(Equivalence::identical)},
            {"{} and {} agree once channels are reordered",
             verdict_is(Equivalence::equal_after_permutation)},
            {"Neither {} nor {} runs at this base and position",
             [](const Said& s) {
                 EXPECT_TRUE(outputs(s, "a").empty() && outputs(s, "b").empty());
             }},
            {"{} does not run at this base and position",
             [](const Said& s) {
                 const bool a = outputs(s, "a").empty(), b = outputs(s, "b").empty();
                 EXPECT_NE(a, b);
                 EXPECT_EQ(system_titled(s.word(0)).id, a ? s.scene.system_a : s.scene.system_b);
             }},
            {"{} rotates, {} does not",
             [](const Said& s) {
                 verdict_is(Equivalence::not_a_rotation)(s);
                 EXPECT_TRUE(rotates_here(s, s.word(0)));
                 EXPECT_FALSE(rotates_here(s, s.word(1)));
             }},
            {"Neither {} nor {} rotates, and they differ",
             [](const Said& s) {
                 verdict_is(Equivalence::not_a_rotation)(s);
                 if (s.scene.query_position > 0) {  // at 0 some leave a vector as it is
                     EXPECT_GT(largest_difference(s, "b"), 1e-3);
                 }
             }},
            {"{} beside itself: select another system to compare",
             [](const Said& s) { EXPECT_EQ(s.scene.system_a, s.scene.system_b); }},
            {"{}: in a batch its scores carry no position", turns_by_batch},
            {"It turns by batch index; the vector shown is a batch of one", turns_by_batch},
            {"These two: head_dim {}{}, {}, position {}. All: head_dim {}, base {} or the one "
             "written in, positions {}",
             [](const Said& s) {
                 s.numbers({to_double(std::min<std::int64_t>(s.scene.head_dim, 128)),
                            to_double(s.scene.query_position)});
                 EXPECT_EQ(s.word(0) == " (the widest compared)", s.scene.head_dim > 128);
             }},
            {"base {}", [](const Said& s) { s.number(0, s.scene.base); }},
            {"base {} (written in)",
             [](const Said& s) {
                 const System &a = find_system(s.scene.system_a),
                              &b = find_system(s.scene.system_b);
                 EXPECT_NE(s.scene.base, s.value(0));
                 // Each of the two turns with it.
                 s.number(0, a.base(b.base(s.scene.base)));
                 s.number(0, b.base(a.base(s.scene.base)));
             }},
            {"largest {}",
             [](const Said& s) { EXPECT_NEAR(s.value(0), largest_difference(s, "b"), 1e-6); }},
            {"largest {}, with P {}",
             [](const Said& s) {
                 EXPECT_NEAR(s.value(0), largest_difference(s, "b"), 1e-6);
                 EXPECT_NEAR(s.value(1), largest_difference(s, "b_after_permutation"), 1e-6);
             }},
            {"one vector at position {}",
             [](const Said& s) { s.number(0, to_double(s.scene.query_position)); }},
            {"does not run: {}",
             [](const Said& s) {
                 EXPECT_TRUE(outputs(s, "a").empty() || outputs(s, "b").empty());
             }},
            {"Two layouts, one vector in two orders: the score stays {}",
             [](const Said& s) {
                 const auto curve = s.where("series", "interleaved", "y"),
                            other = s.where("series", "half-split", "y");
                 ASSERT_EQ(curve.size(), other.size());
                 for (std::size_t i = 0; i < curve.size(); ++i) {
                     // fp32 products of two vectors that are hardly longer than head_dim.
                     EXPECT_NEAR(curve[i], other[i], 1e-5 * to_double(s.scene.head_dim));
                 }
             }},
            {"With one pair both layouts are the same",
             [](const Said& s) { EXPECT_EQ(s.scene.rotary_dim, 2); }},
            {"The score changes by {} on the way, which is more than rounding", never_said},
            {"R_{{m}} q, m = {}, walks pair by pair to half-split: {} % of the way. Score with k "
             "at "
             "n = {}; {}",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.query_position), 100 * s.scene.walk,
                            to_double(s.scene.key_position)});
             }},
            {"head_dim {}{}{}base {}",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.head_dim), s.scene.base});
             }},
            {"{}{} rotary", [](const Said& s) { s.number(0, to_double(s.scene.rotary_dim)); }},
            {"2i goes to i, 2i + 1 to i + {}", permutation_in_words},
            {"; {} to {} are not rotated and stay",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.rotary_dim), to_double(s.scene.head_dim - 1)});
             }},
            {"nothing moves: one pair is (0, 1) in both layouts",
             [](const Said& s) { EXPECT_EQ(s.scene.rotary_dim, 2); }},
            {"i goes to 2i, i + {} to 2i + 1",
             [](const Said& s) { s.number(0, to_double(s.scene.rotary_dim / 2)); }},
            {"the same", [](const Said& s) { EXPECT_EQ(s.scene.rotary_dim, 2); }},
            {"channels {}, {} go to {}, {}",
             [](const Said& s) {
                 const double pair = to_double(s.scene.selected_pair);
                 s.numbers(
                     {2 * pair, 2 * pair + 1, pair, pair + to_double(s.scene.rotary_dim / 2)});
             }},
            {"P R_{{m}} q and R'_{{m}} P q differ by {}",
             [](const Said& s) { EXPECT_LT(s.value(0), 1e-5); }},
            {"{} interleaved, {} half-split, {} apart",
             [](const Said& s) { EXPECT_EQ(std::abs(s.value(0) - s.value(1)), s.value(2)); }},
            {"{} half-split, channels where they were",
             [](const Said& s) {
                 const double at = to_double(s.scene.key_position - s.scene.query_position);
                 const auto x = s.where("series", "without P", "x"),
                            y = s.where("series", "without P", "y");
                 if (const auto drawn = std::ranges::find(x, at); drawn != x.end()) {
                     // Both are sums of fp32 products.
                     EXPECT_NEAR(s.value(0), y[static_cast<std::size_t>(drawn - x.begin())],
                                 1e-5 * to_double(s.scene.head_dim));
                 }
             }},
            {"{} of {} pairs",
             [](const Said& s) {
                 s.numbers(
                     {to_double(std::ssize(s.scene.pairs)), to_double(s.scene.rotary_dim / 2)});
             }},
            {"{} named, 1 of {} drawn",
             [](const Said& s) { s.number(0, to_double(std::ssize(s.scene.pairs))); }},
            {"difference after reordering",
             [](const Said& s) {
                 EXPECT_FALSE(s.where("series", "b_after_permutation", "y").empty());
             }},
        },
        {
            {"The channels of a pair stand side by side, or half of the rotated channels apart, "
             "with a "
             "permutation between",
             channels_of_a_pair},
            {"Dashed: the strided LLaMA, which keeps neither", strided_llama_keeps_neither},
            {"P: they are equal once channels are reordered", reordered_systems_are_equal},
            {"×: at least one of them does not rotate", one_does_not_rotate},
        },
        {
            {"outputs", layouts_channel},
            {"difference", layouts_channel},
            {"matrix", layouts_verdict},
            {"norm", layouts_verdict},
            {"shift", layouts_verdict},
            {"walk", layouts_walk},
            {"", [](const Under& u) { u.describes_pair(unscaled_interleaved(u.scene)); }},
        },
        {{.first = "channel", .values = {{"b after P", ""}}, .row = layouts_row},
         {.first = "channel", .values = {{"goes to", ""}}, .row = walk_row}},
        {
            {"a: {}, {} ({})\nb: {}, {} ({})\nverdict: {}; {}",
             [](const Said& s) {
                 for (const auto& [place, id] :
                      {std::pair{0, s.scene.system_a}, {3, s.scene.system_b}}) {
                     const auto at = static_cast<std::size_t>(place);
                     EXPECT_EQ(s.word(at), id);
                     EXPECT_EQ(s.word(at + 1), find_system(id).title);
                     EXPECT_EQ(s.word(at + 2), find_system(id).source);
                 }
                 EXPECT_EQ(s.word(6), to_string(matrix_of_scene(s.scene).pairs[1].verdict));
             }},
            {"{} does not run here: {}",
             [](const Said& s) { EXPECT_TRUE(outputs(s, s.word(0)).empty()); }},
            {"P: {}",
             [](const Said& s) {
                 EXPECT_FALSE(s.where("series", "b_after_permutation", "y").empty());
             }},
            {"one vector (seed {}) of {} channels at position {}",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.content_seed),
                            to_double(std::min<std::int64_t>(s.scene.head_dim, 128)),
                            to_double(s.scene.query_position)});
             }},
            {"the permutation P from interleaved to half-split: {}\nback: {}\nlargest difference "
             "of "
             "P R_m q and R'_m P q at m = {}: {}\nscore with k at n = {}: interleaved {}, "
             "half-split {}, half-split without P {}\n\nthe walk at {}",
             [](const Said& s) {
                 s.number(0, to_double(s.scene.query_position));
                 EXPECT_LT(s.value(1), 1e-5);
                 s.number(2, to_double(s.scene.key_position));
                 EXPECT_NEAR(s.value(3), s.value(4), 1e-5 * to_double(s.scene.head_dim));
                 s.number(6, s.scene.walk);
             }},
            {"the first {} channels; the CSV has all {}",
             [](const Said& s) {
                 s.numbers({16, to_double(s.scene.head_dim)});
                 EXPECT_EQ(to_double(std::ssize(s.where("series", "walked", "y"))),
                           to_double(s.scene.head_dim));
             }},
        },
        {{"layouts_show=walk"},
         {"system_a=strided_llama_as_written", "system_b=d2l_sinusoidal"},
         {"system_a=meta_llama", "system_b=meta_llama"},
         {"head_dim=512", "pairs=3"},
         {"head_dim=512"},
         {"layouts_show=walk", "rotary_dim=2"},
         {"base=500000", "system_a=keras_as_written"},
         {"base=500000", "system_a=keras_intended", "system_b=meta_llama"},
         {"base=500000", "system_a=mistral", "system_b=hf_roformer"},
         {"base=500000", "system_a=notebook_fp32", "system_b=mistral"},
         {"head_dim=2", "system_a=meta_llama", "system_b=d2l_sinusoidal"},
         {"head_dim=2", "system_a=strided_llama_as_written", "system_b=notebook_bf16"},
         {"base=1e-300", "system_a=meta_llama", "system_b=mistral"},
         {"base=1e-300", "system_a=multiplicative_bias", "system_b=mistral"}},
        names_of_systems()};
}

const RegisteredClaims kLayoutsClaims{layouts_claims};

}  // namespace

}  // namespace ropescope::figures
