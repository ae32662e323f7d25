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

void scores_distance(const Under& u) {
    const std::vector<Under::Key> row = {{"at", u.value("distance n − m")}};
    u.is("score", u.in_table("value", row, "table", "score"));
    u.is("cos part", u.in_table("cos_part", row, "table", "score"));
    u.is("J sin part", u.in_table("sin_part", row, "table", "score"));
    EXPECT_NEAR(u.value("score"), u.value("cos part") + u.value("J sin part"), 1.5e-4);
}

void scores_pair(const Under& u) {
    u.describes_pair(u.said().spec());
    const std::vector<Under::Key> row = {{"at", u.value("pair")}};
    u.is("sum", u.in_table("value", row, "table", "pair"));
    u.is("cos part", u.in_table("cos_part", row, "table", "pair"));
    u.is("J sin part", u.in_table("sin_part", row, "table", "pair"));
}

void scores_terms(const Under& u) {
    u.is("RoPE's score", rank_of(u.figure, "singular_rope"));
    u.is("q·k × bias", rank_of(u.figure, "singular_times_bias"));
    u.is("q·k + bias", rank_of(u.figure, "singular_plus_bias"));
    EXPECT_LE(u.value("RoPE's score"), u.value("at most"));
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
        },
        {
            {"parts", scores_distance},
            {"shares", scores_pair},
            {"singular", scores_terms},
        },
        ReportTable{
            .first = "pair",
            .keys = {{"pair", "at"}},
            .values = {{"cos part", "cos_part"}, {"J sin part", "sin_part"}, {"sum", "value"}},
            .words_in = "table",
            .word = "pair"}};
}

}  // namespace ropescope::figures
