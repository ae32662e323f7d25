// What the view precision says.
#include "core/analysis/precision.h"

#include <cmath>

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

void precision_pair(const Under& u) {
    const RopeSpec spec = unscaled_rope_spec(u.scene);
    u.describes_pair(spec);
    const auto errors = chain_error(precision_chain(u.scene.precision_chain), make_spectrum(spec),
                                    u.whole("position"));
    u.is("error", errors[u.whole("pair")]);
}

/// Every chain at the position under the cursor; its table has samples of other positions.
void precision_errors(const Under& u) {
    const Spectrum spectrum = make_spectrum(unscaled_rope_spec(u.scene));
    for (const PrecisionChain& chain : precision_chains()) {
        u.is(chain.title, std::ranges::max(chain_error(chain, spectrum, u.whole("position"))));
    }
}

void precision_violations(const Under& u) {
    const PrecisionChain& chain = precision_chain(u.scene.precision_chain);
    u.is(chain.title,
         relative_violation(chain, make_spectrum(unscaled_rope_spec(u.scene)), u.scene.head_dim,
                            u.scene.query_position, u.scene.key_position, u.whole("both moved by"))
             .worst);
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
        },
        {
            {"by_pair", precision_pair},
            {"error", precision_errors},
            {"", precision_violations},
        }};
}

}  // namespace ropescope::figures
