// What the view spectrum says.
#include <cmath>

#include "core/scaling/method.h"
#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

/// Pairs that do not finish a turn, by the table.
double unfinished(const plot::Figure& figure) {
    return count_of(column_of(figure, "turns_in_context"), [](double turns) { return turns < 1; });
}

bool shows_wavelengths(const Said& s) {
    return s.scene.spectrum_quantity == SpectrumQuantity::wavelength;
}

void points_lie_on_a_line(const Scene& preset) {
    Scene scene = preset;
    scene.scaling = "default";
    const auto lengths = column_of(whole_figure(scene, "spectrum"), "wavelength_positions");
    EXPECT_NEAR(lengths.front(), 2 * M_PI, 1e-9);
    EXPECT_LT(lengths.back(), 2 * M_PI * scene.base);
    const double step = std::pow(scene.base, 2.0 / to_double(scene.rotary_dim));
    for (std::size_t i = 1; i < lengths.size(); ++i) {
        EXPECT_NEAR(lengths[i] / lengths[i - 1] / step, 1, 1e-9);
    }
}

void base_leaves_more_unfinished(const Scene& scene) {
    EXPECT_GE(unfinished(whole_figure(with_larger_base(scene), "spectrum")),
              unfinished(whole_figure(scene, "spectrum")));
}

void context_lets_more_finish(Scene scene) {
    const double before = unfinished(whole_figure(scene, "spectrum"));
    scene.context_length *= 8;
    const double after = unfinished(whole_figure(scene, "spectrum"));
    EXPECT_TRUE(after < before || before == 0) << after << " of " << before;
}

void spectrum_point(const Under& u) {
    u.describes_pair(u.said().spec());
    const std::vector<Under::Key> row = {{"pair", u.value("pair")}};
    u.is("θ", u.in_table("inv_freq_rad", row).value());
    u.is("wavelength", u.in_table("wavelength_positions", row).value());
    EXPECT_TRUE(u.readouts.back().name.starts_with("turns in "));
    u.is(u.readouts.back().name, u.in_table("turns_in_context", row).value());
}

/// A row of the report; pairs that never finish a turn say so at its end.
void spectrum_row(const Under& u) {
    const std::vector<Under::Key> row = {{"pair", u.value("pair")}};
    const double turns = u.in_table("turns_in_context", row).value();
    u.is("θ rad/position", u.in_table("inv_freq_rad", row).value());
    u.is("λ positions", u.in_table("wavelength_positions", row).value());
    u.is("turns in " + std::to_string(u.scene.context_length), turns);
    EXPECT_EQ(u.text("channels"),
              std::to_string(std::llround(u.in_table("first_channel", row).value())) + ", " +
                  std::to_string(std::llround(u.in_table("second_channel", row).value())));
    const auto says = [&](const std::string& words) {
        return std::ranges::find(u.readouts, words, &plot::Readout::value) != u.readouts.end();
    };
    // Cells without words end a row early, so that the last cells need not stand under their names.
    EXPECT_EQ(u.figure.report.find("never a full turn") != std::string::npos,
              unfinished(u.figure) > 0);
    EXPECT_TRUE(!says("selected") || u.value("pair") == to_double(u.scene.selected_pair));
}

ViewClaims spectrum_claims() {
    return {
        "spectrum",
        {
            {"{} of {} {} a turn within {}",
             [](const Said& s) {
                 s.numbers({unfinished(s.figure), s.pairs(), to_double(s.scene.context_length)});
                 EXPECT_EQ(s.word(0),
                           unfinished(s.figure) == 1 ? "never finishes" : "never finish");
             }},
            {"{} at least once within {}",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), 0);
                 EXPECT_EQ(s.word(0), s.pairs() == 1 ? "The only pair turns" : "Every pair turns");
                 s.number(0, to_double(s.scene.context_length));
             }},
            {"{} a turn within {}",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), s.pairs());
                 EXPECT_EQ(s.word(0), s.pairs() == 1 ? "The only pair never finishes"
                                                     : "No pair ever finishes");
                 s.number(0, to_double(s.scene.context_length));
             }},
            {"{} of each pair, base {}",
             [](const Said& s) {
                 EXPECT_EQ(s.word(0), shows_wavelengths(s) ? "Wavelength" : "Inverse frequency");
                 s.number(0, s.scene.base);
             }},
            {"Rings: less than one turn within the context",
             [](const Said& s) { EXPECT_GT(unfinished(s.figure), 0); }},
            {"never a full turn", [](const Said& s) { EXPECT_GT(unfinished(s.figure), 0); }},
            {"one turn in {} positions",
             [](const Said& s) { s.number(0, to_double(s.scene.context_length)); }},
            {"one turn in the trained {}",
             [](const Said& s) { s.number(0, to_double(s.scene.original_length)); }},
            {"slowed × {}", [](const Said& s) { s.number(0, extension_factor(s.spec().scaling)); }},
            {"pair {}: {} {}",
             [](const Said& s) {
                 const bool waves = shows_wavelengths(s);
                 EXPECT_EQ(s.word(0), waves ? "positions" : "rad/position");
                 const auto values = s.column(waves ? "wavelength_positions" : "inv_freq_rad");
                 s.number(0, to_double(s.scene.selected_pair));
                 s.number(1, values[static_cast<std::size_t>(s.scene.selected_pair)]);
             }},
            {"blended",
             [](const Said& s) {
                 EXPECT_GT(count_of(s.column("slowdown"),
                                    [&](double slower) {
                                        return slower > 1 &&
                                               slower < extension_factor(s.spec().scaling);
                                    }),
                           0);
             }},
        },
        {
            {"Without a scaling the points lie on a straight line from 2π to nearly 2π × base, for "
             "the scale is logarithmic",
             points_lie_on_a_line},
            {"Raise the base: the line gets steeper and more pairs never finish a turn",
             base_leaves_more_unfinished},
            {"Lengthen the context: the line \"one turn\" moves, and more pairs finish one",
             context_lets_more_finish},
        },
        {
            {"spectrum", spectrum_point},
        },
        {{.first = "pair", .row = spectrum_row}},
        {{"{} of {} pairs, evenly chosen; the CSV has all",
          [](const Said& s) {
              s.numbers({64, s.pairs()});
              EXPECT_EQ(to_double(std::ssize(s.column("pair"))), s.pairs());
          }}},
        {{"context_length=4"},
         {"head_dim=8", "context_length=5000"},
         {"spectrum_overlay=methods"},
         {"rotary_dim=2", "context_length=3"},
         {"rotary_dim=2", "context_length=4096"},
         {"spectrum_quantity=inv_freq"},
         {"scaling=yarn", "scaling_factor=8", "base=1000000"},
         {"scaling=llama3", "scaling_factor=8", "base=500000"}},
        {"Llama 3"}};
}

const RegisteredClaims kSpectrumClaims{spectrum_claims};

}  // namespace

}  // namespace ropescope::figures
