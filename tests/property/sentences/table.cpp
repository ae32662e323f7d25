// What the view table says.
#include <cmath>
#include <set>

#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

/// Values are drawn times the attention factor, angles are not.
void table_axes(const Said& s) {
    EXPECT_EQ(s.word(0), s.scene.table_quantity == TableQuantity::cos ? "cos" : "sin");
    EXPECT_NE(s.scene.table_quantity, TableQuantity::angle);
    if (s.places.numbers.empty()) {
        EXPECT_EQ(s.spectrum().attention_factor, 1.0);
    } else {
        s.number(0, s.spectrum().attention_factor);
    }
}

bool shows_angles(const Said& s) {
    return s.scene.table_quantity == TableQuantity::angle;
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
            {"The only pair is a wave {} positions long",
             [](const Said& s) { s.number(0, s.spectrum().wavelength_positions(0)); }},
            {"{}: {} of {} {} a turn within {}",
             [finished](const Said& s) {
                 s.numbers({finished(s), s.pairs(), to_double(s.scene.position_count)});
                 EXPECT_EQ(s.word(1), finished(s) == 1 ? "finishes" : "finish");
             }},
            {"Waves of {} lengths",
             [](const Said& s) { s.number(0, different(s.spectrum().inv_freq_rad)); }},
            {"Every pair is a wave of its own length",
             [](const Said& s) { EXPECT_EQ(different(s.spectrum().inv_freq_rad), s.pairs()); }},
            {"Every pair is the same wave",
             [](const Said& s) { EXPECT_EQ(different(s.spectrum().inv_freq_rad), 1); }},
            {"at position {}",
             [](const Said& s) {
                 EXPECT_EQ(s.scene.position_count, 1);
                 s.number(0, to_double(s.scene.first_position));
             }},
            {"at positions {} to {}",
             [](const Said& s) {
                 s.numbers({to_double(s.scene.first_position),
                            to_double(s.scene.first_position + s.scene.position_count - 1)});
             }},
            {", from the fp32 cache", [](const Said& s) { EXPECT_TRUE(shows_angles(s)); }},
            {", fp32 as a cache holds it", [](const Said& s) { EXPECT_FALSE(shows_angles(s)); }},
            {"; a cell is the mean of {} positions{}",
             [](const Said& s) {
                 s.number(0, s.column("positions_averaged").front());
                 EXPECT_EQ(s.word(0).empty(), !shows_angles(s));
             }},
            {"Below: pair {}",
             [](const Said& s) { s.number(0, to_double(s.scene.selected_pair)); }},
            {"pair {}", [](const Said& s) { s.number(0, to_double(s.scene.selected_pair)); }},
            {"pair {}, {} of {} positions each{}",
             [](const Said& s) {
                 s.numbers(
                     {to_double(s.scene.selected_pair), s.column("positions_averaged").front()});
                 EXPECT_EQ(s.word(0), shows_angles(s) ? "angle of the mean" : "mean");
                 const double length = s.spectrum().wavelength_positions(s.scene.selected_pair);
                 EXPECT_EQ(s.word(1) == ": turns average out",
                           length < s.column("positions_averaged").front());
             }},
            {"λ {}",
             [](const Said& s) {
                 s.number(0, s.spectrum().wavelength_positions(s.scene.selected_pair));
             }},
            {"stands still",
             [](const Said& s) {
                 EXPECT_EQ(s.spectrum().inv_freq_rad[s.scene.selected_pair], 0.0);
             }},
            {"m = {} → {}",
             [](const Said& s) {
                 s.number(0, to_double(s.scene.query_position));
                 const double angle = reduced_angle_rad(
                     s.scene.query_position, s.spectrum().inv_freq_rad[s.scene.selected_pair]);
                 const double gain = s.spectrum().attention_factor;
                 if (shows_angles(s)) {
                     // Half a turn has two names.
                     EXPECT_LE(std::abs(std::remainder(s.value(1) - angle, 2 * M_PI)),
                               s.places.numbers[1].half_unit);
                 } else {
                     s.number(1, gain * (s.scene.table_quantity == TableQuantity::cos
                                             ? std::cos(angle)
                                             : std::sin(angle)));
                 }
             }},
            {"{} {}(position × θ)", table_axes},
            {"{}(position × θ)", table_axes},
            {"mean of",
             [](const Said& s) { EXPECT_GT(s.column("positions_averaged").front(), 1); }},
            {"position × θ, reduced to −π .. π (rad)",
             [](const Said& s) { EXPECT_TRUE(shows_angles(s)); }},
        },
        {
            {"The fast pairs at the bottom are short waves; the slow ones at the top change little "
             "from column to column",
             slow_rows_change_little},
            {"Each position has its own column of values", each_position_has_its_own_column},
            {"Raise the base: all waves but the first get longer", waves_get_longer},
            {"Show more positions: fast waves average out, slow ones come into sight",
             first_pairs_are_fast},
        },
        {
            {"table", table_cell},
            {"trace", table_cell},
        },
        {{.first = "position", .row = table_row}},
        {},
        {{"scaling=proportional", "partial_rotary_factor=0.5", "selected_pair=63"},
         {"rotary_dim=2"},
         {"base=1"},
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
