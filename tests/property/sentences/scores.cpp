// What the view scores says.
#include <cmath>

#include "tests/property/sentences/readouts.h"

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

void says_carriers(const Said& s) {
    s.numbers({carriers(s), s.pairs()});
    EXPECT_EQ(s.word(0), carriers(s) == 1 ? "makes" : "make");
}

void carriers_and_effect(const Said& s) {
    says_carriers(s);
    const bool separable = rank_of(s.figure, "singular_rope") == 1;
    EXPECT_EQ(s.word(1), separable ? "is the same for every" : "depends on the");
}

double distance_of(const Scene& scene) {
    return to_double(scene.key_position - scene.query_position);
}

/// Score, cos part and sin part are the sums over the pairs of the table.
double sum_of(const Said& s, const char* column) {
    double total = 0;
    for (const double share : s.where("table", "pair", column)) {
        total += share;
    }
    return total;
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

/// The part of the selected pair at the distance under the cursor: its part at n - m times the
/// ratio of the two cosines or sines. Empty if that at n - m is too small to divide by.
std::optional<double> selected_part(const Under& u, const char* column, bool cosine) {
    const double speed = u.said().spectrum().inv_freq_rad[u.scene.selected_pair];
    const auto turned = [&](double distance) {
        const double angle = reduced_angle_rad(std::llround(distance), speed);
        return cosine ? std::cos(angle) : std::sin(angle);
    };
    const double now = turned(to_double(u.scene.key_position - u.scene.query_position));
    if (std::abs(now) < 0.1) {
        return std::nullopt;
    }
    const double part =
        u.in_table(column, {{"at", to_double(u.scene.selected_pair)}}, "table", "pair").value();
    return part * turned(u.value("distance n − m")) / now;
}

void scores_distance(const Under& u) {
    const std::vector<Under::Key> row = {{"at", u.value("distance n − m")}};
    u.is_if_listed("score", u.in_table("value", row, "table", "score"));
    u.is_if_listed("cos part", u.in_table("cos_part", row, "table", "score"));
    u.is_if_listed("sin part", u.in_table("sin_part", row, "table", "score"));
    const test::Printed score = u.number("score"), even = u.number("cos part"),
                        odd = u.number("sin part");
    EXPECT_NEAR(score.value, even.value + odd.value,
                score.half_unit + even.half_unit + odd.half_unit);
    const Index pair = u.scene.selected_pair;
    const std::string name = "pair " + std::to_string(pair);
    u.is_if_listed(name + ": cos part", selected_part(u, "cos_part", true), "selected pair: cos");
    u.is_if_listed(name + ": sin part", selected_part(u, "sin_part", false), "selected pair: sin");
}

void scores_pair(const Under& u) {
    u.describes_pair(u.said().spec());
    const std::vector<Under::Key> row = {{"at", u.value("pair")}};
    u.is("sum", u.in_table("value", row, "table", "pair").value());
    u.is("cos part", u.in_table("cos_part", row, "table", "pair").value());
    u.is("sin part", u.in_table("sin_part", row, "table", "pair").value());
}

void scores_terms(const Under& u) {
    u.is("RoPE's score", rank_of(u.figure, "singular_rope"));
    u.is("q·k × bias", rank_of(u.figure, "singular_times_bias"));
    u.is("q·k + bias", rank_of(u.figure, "singular_plus_bias"));
    EXPECT_LE(u.value("RoPE's score"), u.value("at most"));
}

ViewClaims scores_claims() {
    return {
        "scores",
        {
            {"The only pair carries the score: a cosine part and a sine part of the distance",
             [](const Said& s) { EXPECT_EQ(s.pairs(), 1); }},
            {"{} of {} {} up half of the score, signs aside; the effect of distance {} content",
             carriers_and_effect},
            {"{} of {} {} up half, signs aside", says_carriers},
            {"At n − m = {}: {}", [](const Said& s) { s.number(0, distance_of(s.scene)); }},
            {"score {} = cos part {} + sin part {}",
             [](const Said& s) {
                 s.numbers({sum_of(s, "value"), sum_of(s, "cos_part"), sum_of(s, "sin_part")});
                 // The sum holds for the numbers as they are printed, to the last digit.
                 EXPECT_NEAR(s.rounded(0), s.rounded(1) + s.rounded(2),
                             s.places.numbers[0].half_unit / 100);
             }},
            {"pair by pair at n − m = {}",
             [](const Said& s) { s.number(0, distance_of(s.scene)); }},
            {"{} × {}",
             [](const Said& s) {
                 // A table has as many singular values as its shorter side is long.
                 EXPECT_EQ(std::min(s.value(0), s.value(1)),
                           to_double(std::ssize(s.where("table", "singular_rope", "value"))));
             }},
            {"{}: {}",
             [](const Said& s) {
                 s.number(0,
                          rank_of(s.figure, s.word(0) == "RoPE"         ? "singular_rope"
                                            : s.word(0) == "q·k + bias" ? "singular_plus_bias"
                                                                        : "singular_times_bias"));
             }},
            {"q of “{}” ({}), k of “{}” ({}): layer {}, head {} of {}",
             [](const Said& s) {
                 EXPECT_TRUE(takes_content_of_encoder(s.scene));
                 EXPECT_LE(s.value(0), to_double(s.scene.content_query));
                 EXPECT_LE(s.value(1), to_double(s.scene.content_key));
                 EXPECT_LE(s.value(2), to_double(s.scene.attention_layer));
                 EXPECT_LE(s.value(3), to_double(s.scene.attention_head));
             }},
        },
        {
            {"Every pair adds q·k times the cosine of its turn, which is the same for a key before "
             "and after the query, and q·Jk times the sine, which tells the two apart",
             cosine_is_even},
            {"Content angle 0: the sine part is zero, and one term is enough",
             one_content_needs_one_term},
            {"Raise it: sine parts appear, and a table needs more terms",
             more_contents_need_more_terms},
        },
        {
            {"parts", scores_distance},
            {"shares", scores_pair},
            {"singular", scores_terms},
        },
        {ReportTable{
            .first = "pair",
            .keys = {{"pair", "at"}},
            .values = {{"cos part", "cos_part"}, {"sin part", "sin_part"}, {"sum", "value"}},
            .words_in = "table",
            .word = "pair"}},
        {
            {"At n − m = {} the mean cosine is {}: cos part {}, sin part {}.\n{} of {} {} half "
             "of "
             "the sum of the magnitudes of all shares: {}{}",
             [](const Said& s) {
                 s.numbers({distance_of(s.scene), sum_of(s, "value"), sum_of(s, "cos_part"),
                            sum_of(s, "sin_part"), carriers(s), s.pairs()});
                 EXPECT_EQ(s.word(0), carriers(s) == 1 ? "makes" : "make");
             }},
            {"Non-separability: of the table of {} contents by {} distances, {} % of the sum of "
             "squares lies beyond the first singular value. Singular values above 1e-10 of the "
             "largest: {}; of q·k times a bias of the distance {}, of q·k plus a bias {}",
             [](const Said& s) {
                 const auto values = s.where("table", "singular_rope", "value");
                 double all = 0;
                 for (const double value : values) {
                     all += value * value;
                 }
                 const double first = values.front() * values.front();
                 // The rounding of the sum of squares of some thousand numbers.
                 EXPECT_NEAR(s.value(2), 100 * (1 - first / all), 100 * 64 * 0x1p-53);
                 s.number(3, rank_of(s.figure, "singular_rope"));
                 s.number(4, rank_of(s.figure, "singular_times_bias"));
                 s.number(5, rank_of(s.figure, "singular_plus_bias"));
             }},
        },
        {{"rotary_dim=2"},
         {"rotary_dim=4", "head_dim=4"},
         {"content_angle_deg=0"},
         {"content_source=encoder", "query_position=3", "key_position=2"}}};
}

const RegisteredClaims kScoresClaims{scores_claims};

}  // namespace

}  // namespace ropescope::figures
