// What the view precision says.
#include "core/analysis/precision.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/analysis/random_scores.h"
#include "tests/property/sentences/readouts.h"

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
    EXPECT_LT(s.rounded(2), s.value(0));
    EXPECT_EQ(s.value(2), largest_sampled(s));
}

void error_at_the_query(const Said& s) {
    EXPECT_EQ(s.value(0), to_double(s.scene.query_position));
    EXPECT_EQ(s.value(1),
              error_at(s.scene, precision_chain(s.scene.precision_chain), s.scene.query_position));
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
    EXPECT_EQ(round_to(NumberFormat::bf16, 257), round_to(NumberFormat::bf16, 256));
    EXPECT_NE(round_to(NumberFormat::bf16, 255), round_to(NumberFormat::bf16, 256));
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

void precision_pair(const Under& u) {
    const RopeSpec spec = unscaled_rope_spec(u.scene);
    u.describes_pair(spec);
    const auto errors = chain_error(precision_chain(u.scene.precision_chain), make_spectrum(spec),
                                    u.whole("position"));
    u.is("error", errors[u.whole("pair")]);
}

/// The chains that have a line: three of them, or all. The selected one is among them.
std::vector<PrecisionChain> listed_chains(const Under& u) {
    std::vector<PrecisionChain> listed;
    for (const PrecisionChain& chain : precision_chains()) {
        if (u.has(chain.title)) {
            listed.push_back(chain);
        }
    }
    const bool all = u.scene.precision_lines == PrecisionLines::all;
    EXPECT_EQ(listed.size(), all ? precision_chains().size() : 3U);
    EXPECT_EQ(std::ranges::count(listed, u.scene.precision_chain, &PrecisionChain::id), 1);
    return listed;
}

/// Every chain at the position under the cursor; its table has samples of other positions.
void precision_errors(const Under& u) {
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
    for (const PrecisionChain& chain : listed_chains(u)) {
        u.is(chain.title, std::ranges::max(chain_error(chain, spectrum, u.whole("position"))));
    }
}

void precision_violations(const Under& u) {
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
    for (const PrecisionChain& chain : listed_chains(u)) {
        u.is(chain.title,
             relative_violation(chain, spectrum, u.scene.head_dim, u.scene.query_position,
                                u.scene.key_position, u.whole("both moved by"))
                 .worst);
    }
}

/// The last rows of a chain in the figure's table.
double last_of(const Said& s, const std::string& chain, const char* column) {
    return s.where("chain", chain, column).back();
}

/// The first row of a chain whose error reaches the level; -1 if none does.
double first_row(const Said& s, const std::string& chain, double level) {
    const auto error = s.where("chain", chain, "sampled_largest_error"),
               position = s.where("chain", chain, "position");
    const auto found = std::ranges::find_if(error, [&](double e) { return e >= level; });
    return found == error.end() ? -1 : position[static_cast<std::size_t>(found - error.begin())];
}

void chain_row(const Under& u) {
    const std::string& id = u.text("chain");
    const Said s = u.said();
    u.is("error, last step", last_of(s, id, "sampled_largest_error"));
    u.is("score changes by", last_of(s, id, "sampled_violation_worst"));
    EXPECT_NE(u.figure.report.find(precision_chain(id).where), std::string::npos);
    for (const auto& [name, level] : std::vector<std::pair<std::string, double>>{
             {"first off by 1e-4", 1e-4}, {"by 0.01", 1e-2}, {"by 1", 1.0}}) {
        const double row = first_row(s, id, level);
        if (const auto at = test::match("#", u.text(name))) {
            const auto position = static_cast<Index>(std::llround(at->numbers[0].value));
            EXPECT_GE(error_at(u.scene, precision_chain(id), position), level);
            EXPECT_TRUE(row < 0 || at->numbers[0].value <= row);
        } else if (const auto most = test::match("at most #", u.text(name))) {
            EXPECT_EQ(most->numbers[0].value, row);
        } else {
            EXPECT_TRUE(u.text(name) == "nowhere" || u.text(name) == "not seen");
            EXPECT_EQ(row, -1) << name;
        }
    }
}

Hold curve_row(const char* column) {
    return [column](const Under& u) {
        for (const PrecisionChain& chain : precision_chains()) {
            u.is(
                chain.id,
                u.in_table(column, {{"position", u.value("position")}}, "chain", chain.id).value());
        }
    };
}

std::vector<std::string> names_of_chains() {
    std::vector<std::string> names = {"position, 2^{x}"};
    for (const PrecisionChain& chain : precision_chains()) {
        names.push_back(chain.title);
    }
    return names;
}

ViewClaims precision_claims() {
    return {
        "precision",
        {
            {"{}: cos and sin are first off by {} at position {}", first_off},
            {"{}: cos and sin are off by {} at position {} or earlier", off_at_or_before},
            {"{}: cos and sin are off by less than {} up to position {}; largest seen {}",
             off_by_less},
            {"{}: no error of {} seen up to position {}; largest seen {}", off_by_less},
            {"at m = {}: {}", error_at_the_query},
            {"Sampled positions to {}, each rounding as hardware does it. Scores: m = {}, n = {}, "
             "moved together",
             [](const Said& s) {
                 s.numbers({s.column("position").back(), to_double(s.scene.query_position),
                            to_double(s.scene.key_position)});
             }},
            {"error by pair: {}",
             [](const Said& s) { EXPECT_EQ(chain_titled(s.word(0)).id, s.scene.precision_chain); }},
        },
        {
            {"A line is one way to compute the table, with each rounding as hardware does it",
             formula_bounds_every_chain},
            {"A 16-bit table costs the same at every position; 16-bit frequencies or positions get "
             "worse with distance",
             table_costs_the_same_everywhere},
            {"Frequencies in bf16 are wrong, but scores still depend on the distance; in bf16, "
             "position 257 is the same number as 256",
             bf16_frequencies_stay_relative},
        },
        {
            {"by_pair", precision_pair},
            {"error", precision_errors},
            {"", precision_violations},
        },
        {{.first = "chain", .row = chain_row},
         {.first = "position", .row = curve_row("sampled_largest_error")},
         {.first = "position", .row = curve_row("sampled_violation_worst"), .skipped = 1},
         {.first = "position", .row = curve_row("sampled_violation_typical"), .skipped = 2}},
        {
            {"How each chain computes, and where it goes wrong up to position {}",
             [](const Said& s) { s.number(0, s.column("position").back()); }},
            {"Change of q_m · k_n (m = {}, n = {}) when both move there, over |q| |k|, worst q and "
             "k",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.query_position), to_double(s.scene.key_position)});
             }},
            {"The same for random q and k, root mean square",
             [](const Said& s) {
                 const auto worst = s.column("sampled_violation_worst"),
                            typical = s.column("sampled_violation_typical");
                 for (std::size_t row = 0; row < worst.size(); ++row) {
                     EXPECT_LE(typical[row], worst[row] * (1 + 1e-9));
                 }
             }},
            {"At most {} of each step {} sampled, for {}; the error between them can be larger. "
             "First positions marked \"at most\" are sampled too",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), s.value(0) == 1 ? "is" : "are");
                 EXPECT_LE(s.value(1), s.pairs());
             }},
        },
        {{"precision_chain=fp64"}, {"precision_chain=fp32_table", "head_dim=16"}},
        names_of_chains()};
}

const RegisteredClaims kPrecisionClaims{precision_claims};

}  // namespace

}  // namespace ropescope::figures
