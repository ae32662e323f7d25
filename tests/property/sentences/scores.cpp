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

std::function<void(const Said&)> terms(const char* table) {
    return [table](const Said& s) { s.number(0, rank_of(s.figure, table)); };
}

void carriers_and_effect(const Said& s) {
    s.numbers({carriers(s), s.pairs()});
    const bool separable = rank_of(s.figure, "singular_rope") == 1;
    EXPECT_EQ(s.places.words.back(),
              separable ? "is the same for every content" : "depends on the content");
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
    u.is_if_listed("J sin part", u.in_table("sin_part", row, "table", "score"));
    const test::Printed score = u.number("score"), even = u.number("cos part"),
                        odd = u.number("J sin part");
    EXPECT_NEAR(score.value, even.value + odd.value,
                score.half_unit + even.half_unit + odd.half_unit);
    const Index pair = u.scene.selected_pair;
    const std::string name = "pair " + std::to_string(pair);
    u.is_if_listed(name + ": cos part", selected_part(u, "cos_part", true), "selected pair: cos");
    u.is_if_listed(name + ": J sin part", selected_part(u, "sin_part", false),
                   "selected pair: sin");
}

void scores_pair(const Under& u) {
    u.describes_pair(u.said().spec());
    const std::vector<Under::Key> row = {{"at", u.value("pair")}};
    u.is("sum", u.in_table("value", row, "table", "pair").value());
    u.is("cos part", u.in_table("cos_part", row, "table", "pair").value());
    u.is("J sin part", u.in_table("sin_part", row, "table", "pair").value());
}

void scores_terms(const Under& u) {
    u.is("RoPE's score", rank_of(u.figure, "singular_rope"));
    u.is("q·k × bias", rank_of(u.figure, "singular_times_bias"));
    u.is("q·k + bias", rank_of(u.figure, "singular_plus_bias"));
    EXPECT_LE(u.value("RoPE's score"), u.value("at most"));
}

/// Distance, score, cos part and J sin part are the sums over the pairs of the table.
void states_its_parts(const Said& s) {
    const auto sum = [&](const char* column) {
        double total = 0;
        for (const double share : s.where("table", "pair", column)) {
            total += share;
        }
        return total;
    };
    s.numbers({to_double(s.scene.key_position - s.scene.query_position), sum("value"),
               sum("cos_part"), sum("sin_part")});
}

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
                 states_its_parts(s);
                 // The sum holds for the numbers as they are printed, to the last digit.
                 EXPECT_NEAR(s.value(1), s.value(2) + s.value(3),
                             s.places.numbers[2].half_unit / 100);
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
            {"mean cosine between q and k", names_only},
            {"q of “*” (#), k of “*” (#): layer #, head # of *",
             [](const Said& s) {
                 EXPECT_TRUE(takes_content_of_encoder(s.scene));
                 EXPECT_LE(s.value(0), to_double(s.scene.content_query));
                 EXPECT_LE(s.value(1), to_double(s.scene.content_key));
                 EXPECT_LE(s.value(2), to_double(s.scene.attention_layer));
                 EXPECT_LE(s.value(3), to_double(s.scene.attention_head));
             }},
            {"terms that a table of scores needs", names_only},
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
            {"\"Terms\" shows how many products of content and distance a table of scores needs",
             nothing_to_compare},
            {"Click the curve to move the key, a pair to follow it", nothing_to_compare},
            {"Take q and k of two tokens from the encoder, to see which pairs a trained model uses",
             nothing_to_compare},
        },
        {
            {"parts", scores_distance},
            {"shares", scores_pair},
            {"singular", scores_terms},
        },
        {ReportTable{
            .first = "pair",
            .keys = {{"pair", "at"}},
            .values = {{"cos part", "cos_part"}, {"J sin part", "sin_part"}, {"sum", "value"}},
            .words_in = "table",
            .word = "pair"}},
        {
            {"At n − m = # the mean cosine is #: cos part #, J sin part #",
             [](const Said& s) { states_its_parts(s); }},
            {"# of # pair* make* half of the sum of the magnitudes of all shares: *",
             [](const Said& s) {
                 s.numbers({carriers(s), s.pairs()});
                 EXPECT_EQ(s.word(0), s.pairs() == 1 ? "" : "s");
                 EXPECT_EQ(s.word(1), s.value(0) == 1 ? "s" : "");
             }},
            {"Non-separability: of the table of # contents by # distances, # % of the sum of "
             "squares lies beyond the first singular value",
             [](const Said& s) {
                 const auto values = s.where("table", "singular_rope", "value");
                 double all = 0;
                 for (const double value : values) {
                     all += value * value;
                 }
                 const double first = values.front() * values.front();
                 // Three digits of it are printed, without zeros at the end; and the rounding of
                 // the sum of squares.
                 EXPECT_NEAR(s.value(2), 100 * (1 - first / all),
                             0.00501 * s.value(2) + 100 * 64 * 0x1p-53);
             }},
            {"Singular values above 1e-10 of the largest: #; of q·k times a bias of the distance "
             "#, of q·k plus a bias #",
             [](const Said& s) {
                 s.numbers({rank_of(s.figure, "singular_rope"),
                            rank_of(s.figure, "singular_times_bias"),
                            rank_of(s.figure, "singular_plus_bias")});
             }},
            {"each over the largest of its table", names_only},
        },
        {},
        {{"rotary_dim=2"},
         {"rotary_dim=4", "head_dim=4"},
         {"content_angle_deg=0"},
         {"content_source=encoder", "query_position=3", "key_position=2"}}};
}

const RegisteredClaims kScoresClaims{scores_claims};

}  // namespace

}  // namespace ropescope::figures
