// What the view spectrum says.
#include <cmath>

#include "tests/property/sentences/readouts.h"

namespace ropescope::figures {
namespace {

/// Pairs that do not finish a turn, by the table.
double unfinished(const plot::Figure& figure) {
    return count_of(column_of(figure, "turns_in_context"), [](double turns) { return turns < 1; });
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
    EXPECT_TRUE(u.in_table("inv_freq_rad", row));
    u.is("θ", u.in_table("inv_freq_rad", row));
    u.is("wavelength", u.in_table("wavelength_positions", row));
    EXPECT_TRUE(u.readouts.back().name.starts_with("turns in "));
    u.is(u.readouts.back().name, u.in_table("turns_in_context", row));
}

}  // namespace

ViewClaims spectrum_claims() {
    return {
        "spectrum",
        {
            {"# of # pairs never finish a turn within # positions",
             [](const Said& s) {
                 s.numbers({unfinished(s.figure), s.pairs(), to_double(s.scene.context_length)});
             }},
            {"1 of # pairs never finishes a turn within # positions",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), 1);
                 s.numbers({s.pairs(), to_double(s.scene.context_length)});
             }},
            {"* at least once within # position*",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), 0);
                 s.number(0, to_double(s.scene.context_length));
             }},
            {"No pair ever finishes a turn within # position*",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), s.pairs());
                 s.number(0, to_double(s.scene.context_length));
             }},
            {"The only pair never finishes a turn within # position*",
             [](const Said& s) {
                 EXPECT_EQ(unfinished(s.figure), 1);
                 EXPECT_EQ(s.pairs(), 1);
             }},
            {"* of each pair, base #", [](const Said& s) { s.number(0, s.scene.base); }},
            {"Rings: less than one turn within the context",
             [](const Said& s) { EXPECT_GT(unfinished(s.figure), 0); }},
            {"never a full turn", [](const Said& s) { EXPECT_GT(unfinished(s.figure), 0); }},
            {"one turn in # positions",
             [](const Said& s) { s.number(0, to_double(s.scene.context_length)); }},
            {"one turn in the trained #",
             [](const Said& s) { s.number(0, to_double(s.scene.original_length)); }},
            {"slowed × #", [](const Said& s) { s.number(0, extension_factor(s.spec().scaling)); }},
            {"pair #: # *",
             [](const Said& s) {
                 const bool waves = s.scene.spectrum_quantity == SpectrumQuantity::wavelength;
                 EXPECT_EQ(s.word(0), waves ? "positions" : "rad/position");
                 const auto values = s.column(waves ? "wavelength_positions" : "inv_freq_rad");
                 s.number(0, to_double(s.scene.selected_pair));
                 s.number(1, values[static_cast<std::size_t>(s.scene.selected_pair)]);
             }},
            {"llama3", names_only},
            {"inverse frequency θ (rad per position)", names_only},
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
            {"One point for each pair: how many positions one turn takes", nothing_to_compare},
            {"Without a scaling the points lie on a straight line from 2π to nearly 2π × base, for "
             "the axis is logarithmic",
             points_lie_on_a_line},
            {"Rings are pairs that never finish a turn in this context", nothing_to_compare},
            {"With a scaling the dashed curve is the unscaled spectrum; shading shows which pairs "
             "YaRN and Llama 3 change",
             nothing_to_compare},
            {"Raise the base: the line gets steeper and more pairs never finish a turn",
             base_leaves_more_unfinished},
            {"Lengthen the context: the line \"one turn\" moves, and more pairs finish one",
             context_lets_more_finish},
            {"Choose a scaling, and the overlay \"methods\" to see what each would do",
             nothing_to_compare},
            {"Click a point to follow its pair in the other views", nothing_to_compare},
        },
        {
            {"spectrum", spectrum_point},
        },
        ReportTable{.first = "pair",
                    .keys = {{"pair", "pair"}},
                    .values = {{"θ rad/position", "inv_freq_rad"},
                               {"λ positions", "wavelength_positions"}}}};
}

}  // namespace ropescope::figures
