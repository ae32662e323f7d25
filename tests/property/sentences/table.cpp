// What the view table says.
#include <cmath>
#include <set>

#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

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

double cos_of(const Under& u, Index pair, Index position) {
    return std::cos(reduced_angle_rad(position, u.said().spectrum().inv_freq_rad[pair]));
}

void table_cell(const Under& u) {
    u.describes_pair(u.said().spec());
    const Index pair = u.whole("pair"), position = u.whole("position");
    const double gain = u.said().spectrum().attention_factor;
    u.is("cos", gain * cos_of(u, pair, position));
    const double turned = reduced_angle_rad(position, u.said().spectrum().inv_freq_rad[pair]);
    u.is("sin", gain * std::sin(turned));
    // Half a turn has two names, and the angle that is printed is that of a program in double.
    const test::Printed angle = u.number("angle");
    EXPECT_LE(std::abs(std::remainder(angle.value - turned, 2 * M_PI)), angle.half_unit * 1.001);
    EXPECT_LE(std::abs(angle.value), M_PI + angle.half_unit);
    const std::vector<Under::Key> row = {
        {"pair", u.value("pair")}, {"position", u.value("position")}, {"positions_averaged", 1}};
    const std::string shown = u.figure.data.columns.back().name;
    if (const auto cell = u.in_table(shown, row); cell && (shown == "cos" || shown == "sin")) {
        EXPECT_NEAR(u.value(shown), *cell, u.number(shown).half_unit + gain * 0x1p-24);  // of fp32
    }
}

/// A row of the report: a position, and a cell for each chosen pair.
void table_row(const Under& u) {
    const double gain = u.said().spectrum().attention_factor;
    for (const plot::Readout& cell : u.readouts) {
        const auto pair = test::match("pair #", cell.name);
        if (!pair) {
            continue;
        }
        const double angle = reduced_angle_rad(
            u.whole("position"),
            u.said().spectrum().inv_freq_rad[std::llround(pair->numbers[0].value)]);
        switch (u.scene.table_quantity) {
            case TableQuantity::cos:
                u.is(cell.name, gain * std::cos(angle));
                break;
            case TableQuantity::sin:
                u.is(cell.name, gain * std::sin(angle));
                break;
            case TableQuantity::angle:
                EXPECT_LE(std::abs(std::remainder(u.value(cell.name) - angle, 2 * M_PI)),
                          u.number(cell.name).half_unit * 1.001);
        }
    }
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
            {"stands still   m = # → #",
             [](const Said& s) {
                 EXPECT_EQ(s.spectrum().inv_freq_rad[s.scene.selected_pair], 0.0);
                 const bool of_cos = s.scene.table_quantity == TableQuantity::cos;
                 s.numbers({to_double(s.scene.query_position),
                            of_cos ? s.spectrum().attention_factor : 0.0});
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
            {"position × θ, reduced to −π ", names_only},
            {"π (rad)", names_only},
            {"mean of position × θ, reduced to −π ", names_only},
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
        },
        {
            {"table", table_cell},
            {"trace", table_cell},
        },
        {{.first = "position", .row = table_row}},
        {{"positions and pairs evenly chosen", names_only}},
        {},
        {{"scaling=proportional", "partial_rotary_factor=0.5", "selected_pair=63"},
         {"rotary_dim=2"},
         {"table_quantity=angle"},
         {"table_quantity=sin"},
         {"table_quantity=angle", "position_count=100000"},
         {"table_quantity=sin", "position_count=100000"},
         {"scaling=yarn", "scaling_factor=8", "position_count=100000"},
         {"scaling=yarn", "scaling_factor=8", "table_quantity=sin"},
         {"position_count=1"},
         {"position_count=7", "head_dim=128"}}};
}

const RegisteredClaims kTableClaims{table_claims};

}  // namespace

}  // namespace ropescope::figures
