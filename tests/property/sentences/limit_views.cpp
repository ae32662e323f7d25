// What the views precision, absolute and checks say.
#include <cctype>
#include <cmath>
#include <cstring>

#include "core/analysis/precision.h"
#include "core/checks/check_run.h"
#include "tests/property/sentences/claims.h"

namespace ropescope::figures {
namespace {

/// The largest error of a chain at a position.
double error_at(const Scene& scene, const PrecisionChain& chain, Index position) {
    return std::ranges::max(chain_error(chain, make_spectrum(unscaled_rope_spec(scene)), position));
}

const PrecisionChain& chain_titled(const std::string& title) {
    return *std::ranges::find(precision_chains(), title, &PrecisionChain::title);
}

void first_off(const Said& s) {
    const PrecisionChain& chain = chain_titled(s.word(0));
    const auto at = static_cast<Index>(std::llround(s.value(1)));
    EXPECT_EQ(chain.id, s.scene.precision_chain);
    EXPECT_GE(error_at(s.scene, chain, at), s.value(0));
    for (Index before = std::max<Index>(1, at - 200); before < at; ++before) {
        EXPECT_LT(error_at(s.scene, chain, before), s.value(0)) << before;
    }
}

double largest_sampled(const Said& s) {
    return std::ranges::max(s.where("chain", s.scene.precision_chain, "sampled_largest_error"));
}

void off_at_or_before(const Said& s) {
    const auto position = s.where("chain", s.scene.precision_chain, "position"),
               error = s.where("chain", s.scene.precision_chain, "sampled_largest_error");
    for (std::size_t step = 0; step < position.size(); ++step) {
        if (error[step] >= s.value(0)) {
            EXPECT_EQ(position[step], s.value(1));
            return;
        }
    }
    ADD_FAILURE() << "the error is not reached";
}

void off_by_less(const Said& s) {
    EXPECT_LT(largest_sampled(s), s.value(0));
    EXPECT_EQ(s.value(1), s.column("position").back());
    s.number(2, largest_sampled(s));
}

constexpr Index kSomePositions[] = {1, 3, 100, 257, 1000, 4097, 65535, 131071, 1000003};

/// A table of fp16 or bf16 is off by half a unit of a number below 1, anywhere.
void table_costs_the_same_everywhere(const Scene& scene) {
    for (const Index position : kSomePositions) {
        EXPECT_LE(error_at(scene, precision_chain("bf16_table"), position), 0x1p-9 * 1.0001);
        EXPECT_LE(error_at(scene, precision_chain("fp16_table"), position), 0x1p-12 * 1.0001);
    }
    for (const char* chain : {"bf16_inv_freq", "bf16_positions"}) {
        EXPECT_GT(error_at(scene, precision_chain(chain), 1000003),
                  10 * error_at(scene, precision_chain(chain), 3));
    }
}

/// Frequencies in bf16 keep scores relative as well as fp32 angles do; positions lose the order.
void bf16_frequencies_stay_relative(const Scene& scene) {
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(scene));
    for (const Index shift : {100, 4097, 65535}) {
        const auto worst = [&](const char* chain) {
            return relative_violation(precision_chain(chain), spectrum, scene.head_dim, 12, 5,
                                      shift)
                .worst;
        };
        EXPECT_LE(worst("bf16_inv_freq"), 10 * worst("fp32_angle"));
    }
    EXPECT_EQ(rounded_to(NumberFormat::bf16, 257), rounded_to(NumberFormat::bf16, 256));
    EXPECT_NE(rounded_to(NumberFormat::bf16, 255), rounded_to(NumberFormat::bf16, 256));
}

double unit_of(NumberFormat format) {
    switch (format) {
        case NumberFormat::exact:
            return 0;
        case NumberFormat::fp64:
            return 0x1p-53;
        case NumberFormat::fp32:
            return 0x1p-24;
        case NumberFormat::fp16:
            return 0x1p-11;
        case NumberFormat::bf16:
            break;
    }
    return 0x1p-8;
}

/// The formula below the figure, for every chain; 1 % for what is of second order, and the doubles
/// in which chains are computed.
void formula_bounds_every_chain(const Scene& scene) {
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(scene));
    for (const PrecisionChain& chain : precision_chains()) {
        for (const Index position : kSomePositions) {
            const std::vector<double> errors = chain_error(chain, spectrum, position);
            for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
                const double angle = to_double(position) * spectrum.inv_freq_rad[pair];
                const double products = chain.running_product ? 2 * to_double(pair) : 0;
                const double bound = angle * (unit_of(chain.position) + unit_of(chain.inv_freq) +
                                              (1 + products) * unit_of(chain.angle)) +
                                     unit_of(chain.evaluated) + unit_of(chain.stored);
                EXPECT_LE(errors[pair], 1.01 * bound + 1e-14 + 0x1p-24 * angle * 1e-8)
                    << chain.id << " pair " << pair << " position " << position;
            }
        }
    }
}

void three_terms_change(const Scene& scene) {
    const plot::Figure figure = whole_figure(scene, "absolute");
    const auto spread = [&](const char* column) {
        const auto values = column_of(figure, column);
        return std::ranges::max(values) - std::ranges::min(values);
    };
    EXPECT_LT(spread("content_content"), 1e-12);
    EXPECT_LT(spread("rope"), 1e-12);
    for (const char* term :
         {"content_position", "position_content", "position_position", "additive_sum"}) {
        EXPECT_GT(spread(term), 1e-6) << term;
    }
}

/// Shift 0: ones on the diagonal. Any shift: columns of length 1 at right angles.
void shift_map_is_a_rotation(const Scene& preset) {
    for (const std::int64_t shift : {0, 16}) {
        Scene scene = preset;
        scene.shift = shift;
        const plot::Figure figure = whole_figure(scene, "absolute");
        for (const plot::Panel& panel : figure.panels) {
            if (panel.id != "shift") {
                continue;
            }
            const auto& map = std::get<plot::HeatMap>(panel.marks.front());
            for (Index a = 0; a < map.columns; ++a) {
                for (Index b = 0; b < map.columns; ++b) {
                    double product = 0;
                    for (Index row = 0; row < map.rows; ++row) {
                        product += double{map.values[row * map.columns + a]} *
                                   map.values[row * map.columns + b];
                    }
                    EXPECT_NEAR(product, a == b ? 1 : 0, 1e-6);  // fp32 values
                    // Row 0 of the matrix is the last of the map.
                    const float entry = map.values[(map.rows - 1 - b) * map.columns + a];
                    if (shift == 0) {
                        EXPECT_EQ(entry, a == b ? 1.0F : 0.0F);
                    }
                }
            }
        }
    }
}

double statuses(const Said& s, const std::string& status) {
    return to_double(std::ranges::count(s.words("status"), status));
}

/// The letters of a text: markup leaves them as they are, but for the names of Greek ones.
std::string letters(std::string text) {
    for (const char* greek : {"theta", "delta", "phi", "pi", "sqrt", "sum"}) {
        for (std::size_t at = text.find(greek); at != text.npos; at = text.find(greek)) {
            text.erase(at, std::strlen(greek));
        }
    }
    std::erase_if(text, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) == 0; });
    return text;
}

/// A check says it: its own words, which the run judges.
void said_by_a_check(const Said& s) {
    const std::string said = letters(s.word(0));
    const auto says = [&](const std::string& text) {
        return letters(text).find(said) != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(all_checks(), [&](const Check& check) {
        return says(check.title) || says(check.statement) || says(check.source) || says(check.id);
    })) << s.word(0);
}

}  // namespace

ViewClaims precision_claims() {
    return {
        "precision",
        {
            {"*: cos and sin are first off by # at position #", first_off},
            {"*: cos and sin are off by # at position # or earlier", off_at_or_before},
            {"*: cos and sin are off by less than # up to position #; largest seen #", off_by_less},
            {"*: no error of # seen up to position #; largest seen #", off_by_less},
            {"Sampled positions to #, each rounding as hardware does it",
             [](const Said& s) { s.number(0, s.column("position").back()); }},
            {"Scores: m = #, n = #, moved together",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.query_position), to_double(s.scene.key_position)});
             }},
            {"fp# *", names_only},
            {"bf# *", names_only},
            {"fp#", names_only},
            {"error by pair: *", names_only},
            {"largest error of cos and sin, sampled", names_only},
            {"largest change of a score at one distance, sampled, over |q| |k|", names_only},
            {"position, or shift of both positions (tokens)", names_only},
            {"position, 2^{x}", names_only},
            {"log_{10} of the error", names_only},
        },
        {
            {"A line is one way to compute the table, with each rounding as hardware does it",
             formula_bounds_every_chain},
            {"Below: whether a score still depends on the distance alone", nothing_to_compare},
            {"A 16-bit table costs the same at every position; 16-bit frequencies or positions get "
             "worse with distance",
             table_costs_the_same_everywhere},
            {"Frequencies in bf16 are wrong, but scores still depend on the distance; in bf16, "
             "position 257 is the same number as 256",
             bf16_frequencies_stay_relative},
        }};
}

ViewClaims absolute_claims() {
    return {
        "absolute",
        {
            {"Added positions leave four terms in a score, RoPE one",
             [](const Said& s) { EXPECT_EQ(std::ssize(s.column("rope")), 1); }},
            {"Same distance, different scores: added positions give # to #, RoPE always #",
             [](const Said& s) {
                 const auto sum = s.column("additive_sum"), rope = s.column("rope");
                 s.numbers({std::ranges::min(sum), std::ranges::max(sum)});
                 for (const double score : rope) {
                     EXPECT_NEAR(score, s.value(2), 0.005 + 1e-9);
                 }
             }},
            {"# channel*; W_{q} and W_{k} are fixed random orthogonal maps",
             [](const Said& s) { s.number(0, to_double(s.scene.rotary_dim)); }},
            {"A score is computed every # positions",
             [](const Said& s) {
                 const auto m = s.column("query_position");
                 s.number(0, m[1] - m[0]);
             }},
            {"shift map M_{#}", [](const Said& s) { s.number(0, to_double(s.scene.shift)); }},
            {"channels 0 to #", names_only},
            {"p_{m+s} = M_{s} p_{m}, every m", names_only},
            {"score at one distance, slid along the sequence", names_only},
            {"n − m = #",
             [](const Said& s) {
                 s.number(0, to_double(s.scene.key_position - s.scene.query_position));
             }},
        },
        {
            {"One linear map moves every position by s, and that map is a rotation",
             shift_map_is_a_rotation},
            {"But added vectors leave four terms in a score, and three of them change along the "
             "sequence",
             three_terms_change},
            {"Shift 0 is the identity; raise it and the blocks turn", shift_map_is_a_rotation},
            {"Move query and key apart: the sum of the terms goes up and down with m, and RoPE's "
             "line stays level",
             three_terms_change},
            {"Change the seed to compare other contents", nothing_to_compare},
        }};
}

ViewClaims checks_claims() {
    const auto listed_all = [](const Said& s) {
        return s.scene.check_family == "all" && s.scene.check_filter == "*" &&
               s.scene.check_status == ListedStatus::all;
    };
    return {
        "checks",
        {
            {"All # statements hold, each within the bound derived for it",
             [listed_all](const Said& s) {
                 if (listed_all(s)) {
                     s.number(0, statuses(s, "passed"));
                     EXPECT_EQ(statuses(s, "failed"), 0);
                     const auto measured = s.column("measured"), bound = s.column("bound");
                     for (std::size_t row = 0; row < measured.size(); ++row) {
                         EXPECT_FALSE(measured[row] > bound[row]);
                     }
                 }
             }},
            {"Computed just now; # note* without a measurement",
             [listed_all](const Said& s) {
                 if (listed_all(s)) {
                     s.number(0, statuses(s, "note"));
                 }
             }},
            {"Computed just now; # skipped, # note* without a measurement",
             [listed_all](const Said& s) {
                 if (listed_all(s)) {
                     s.numbers({statuses(s, "skipped"), statuses(s, "note")});
                 }
             }},
            {"Bars: measured / bound from 10^{#}, log scale", names_only},
            {"Nothing to list: *", [](const Said& s) { EXPECT_TRUE(s.words("id").empty()); }},
            {"# of # checks",
             [](const Said& s) { s.number(0, to_double(std::ssize(s.words("id")))); }},
            {"page # of #", names_only},
            {"all checks", names_only},
            {"# ≤ #", names_only},
            {"# ≤  #", names_only},
            {"# ≤ *#", names_only},
            {"exact", names_only},
            {"states", names_only},
            {"measured ≤ bound", names_only},
            {"in short: *", said_by_a_check},
            {"claim: *", said_by_a_check},
            {"states: *", said_by_a_check},
            {"correct: *", said_by_a_check},
            {"found: *", names_only},
            {"measured: *", names_only},
            {"source: *", said_by_a_check},
            {": Click here to list all", names_only},
            {": none of the # check* that match* '*' has check_family * and check_status *",
             [](const Said& s) { EXPECT_TRUE(s.words("id").empty()); }},
            {"# of #", names_only},
            {"*", said_by_a_check},
        },
        {
            {"Each line is a statement, computed just now: the largest error found, and the bound "
             "that rounding allows; \"exact\" means no error",
             nothing_to_compare},
            {"A claim comes from one of the five texts in docs/sources.md; the numbers must lead "
             "to our verdict on it",
             nothing_to_compare},
            {"Move with ↑ ↓, PgUp, PgDn or the wheel; Enter or a second click opens the figure "
             "that shows the statement, and undo brings you back",
             nothing_to_compare},
            {"List one family, or the checks that contain a word: norm, Keras", nothing_to_compare},
            {"Ctrl + K computes all of them again", nothing_to_compare},
        }};
}

}  // namespace ropescope::figures
