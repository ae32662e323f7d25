// The numbers in the figures, each against another way to the same number.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "app/figures/shared/text.h"
#include "app/figures/table/table.h"
#include "app/figures/view.h"
#include "core/base/error.h"
#include "tests/support/input_error.h"
#include "tests/unit/app/figures/figure_parts.h"

namespace ropescope::figures {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SpectrumFigure, CountsThePairsThatNeverFinishATurn) {
    // 2 pi 10000^(2i/128) > 4096 from i = 64 log(4096 / 2 pi) / log(10000) = 45.02 on.
    const plot::Figure figure = figure_of({}, "spectrum");
    EXPECT_THAT(figure.title, HasSubstr("18 of 64 pairs never finish a turn"));
    const auto points = marks_of<plot::Points>(panel_of(figure, "spectrum"));
    EXPECT_EQ(points.at(0).points.size(), 46U);
    EXPECT_EQ(points.at(1).points.size(), 18U);
    EXPECT_TRUE(points.at(1).ring) << "not by colour alone";
    Scene scene;
    scene.context_length = 100000;
    EXPECT_THAT(figure_of(scene, "spectrum").title, HasSubstr("Every pair turns at least once"));
    scene.context_length = 3;
    EXPECT_THAT(figure_of(scene, "spectrum").title, HasSubstr("No pair ever finishes a turn"));
    scene.context_length = 4096;
    scene.spectrum_quantity = SpectrumQuantity::inv_freq;
    EXPECT_EQ(figure_of(scene, "spectrum").title, figure.title);
}

TEST(SpectrumFigure, GivesTheSpectrum) {
    const plot::DataTable data = figure_of({}, "spectrum").data;
    for (std::size_t i = 0; i < 64; ++i) {
        const double theta = std::exp(-static_cast<double>(i) / 64 * std::log(10000.0));
        // exp and log of magnitude below 10: 10 ulp and some.
        EXPECT_NEAR(reals(data, "inv_freq_rad")[i] / theta, 1, 1e-14);
        EXPECT_NEAR(reals(data, "wavelength_positions")[i] * theta, 2 * std::numbers::pi, 1e-13);
        EXPECT_NEAR(reals(data, "turns_in_context")[i], 4096 * theta / (2 * std::numbers::pi),
                    1e-10);
    }
}

TEST(SpectrumFigure, SaysWhichChannelsPassThrough) {
    Scene scene;
    scene.rotary_dim = 32;
    scene.pairs = {0};
    EXPECT_THAT(figure_of(scene, "spectrum").subtitle,
                HasSubstr("Channels 32 to 127 pass through"));
    EXPECT_THAT(figure_of({}, "spectrum").subtitle, Not(HasSubstr("pass through")));
}

TEST(TableFigure, CellsAreTheTable) {
    Scene scene;
    scene.first_position = 4000;
    scene.position_count = 40;
    const Spectrum spectrum = make_spectrum(rope_spec(scene));
    for (const auto quantity : {TableQuantity::cos, TableQuantity::sin, TableQuantity::angle}) {
        scene.table_quantity = quantity;
        const TableGrid grid = make_table_grid(scene, spectrum, *engine()->tensor_ops(), false);
        ASSERT_EQ(grid.columns, 40);
        for (int pair = 0; pair < 64; ++pair) {
            const double theta = std::pow(10000.0, -pair / 64.0);
            const double angle = 4017 * theta;
            const double expected = quantity_value(grid.quantity, std::cos(angle), std::sin(angle));
            // The angle of a point that is off by 1e-7 in both coordinates.
            EXPECT_NEAR(static_cast<double>(grid.at(pair, 17)), expected, 4e-7) << pair;
        }
    }
}

TEST(TableFigure, LongTablesAreMeansOverBlocks) {
    Scene scene;
    scene.first_position = 1003;
    scene.position_count = 5000;
    const Spectrum spectrum = make_spectrum(rope_spec(scene));
    for (const auto quantity : {TableQuantity::cos, TableQuantity::sin}) {
        scene.table_quantity = quantity;
        const TableGrid grid = make_table_grid(scene, spectrum, *engine()->tensor_ops(), false);
        ASSERT_EQ(grid.block, 16);
        ASSERT_EQ(grid.first, 992);
        ASSERT_GE(grid.first + grid.columns * grid.block, 6003);
        for (const int pair : {0, 1, 20, 63}) {
            const double theta = spectrum.inv_freq_rad[static_cast<std::size_t>(pair)];
            double mean = 0;
            for (int j = 0; j < 16; ++j) {
                const double angle = static_cast<double>(992 + 7 * 16 + j) * theta;
                mean += quantity_value(grid.quantity, std::cos(angle), std::sin(angle)) / 16;
            }
            // One table entry pair times a factor of at most 1, then one fp32 rounding.
            EXPECT_NEAR(static_cast<double>(grid.at(pair, 7)), mean, 3e-7) << pair;
        }
    }
    scene.table_quantity = TableQuantity::angle;
    const TableGrid angles = make_table_grid(scene, spectrum, *engine()->tensor_ops(), false);
    EXPECT_TRUE(std::isnan(angles.at(0, 7))) << "pair 0 turns 2.5 times within a cell";
    const double middle = (992 + 7 * 16 + 7.5) * spectrum.inv_freq_rad[40];
    EXPECT_NEAR(static_cast<double>(angles.at(40, 7)), std::remainder(middle, 2 * std::numbers::pi),
                1e-6);
}

TEST(TableFigure, OnePositionIsNamedAndDrawn) {
    Scene scene;
    scene.first_position = 12;
    scene.position_count = 1;
    const plot::Figure figure = figure_of(scene, "table");
    EXPECT_THAT(figure.subtitle, HasSubstr("at position 12,"));
    const auto points = marks_of<plot::Points>(panel_of(figure, "trace"));
    ASSERT_EQ(points.size(), 2U) << "the cell and the query's ring";
    EXPECT_EQ(points.at(0).points.at(0).x, 12);
}

TEST(TableFigure, StaysBounded) {
    Scene scene;
    scene.position_count = kMaxPosition + 1;
    for (const std::int64_t head_dim : {2, 128, 4096}) {
        scene.head_dim = scene.rotary_dim = head_dim;
        const TableGrid grid =
            make_table_grid(scene, make_spectrum(rope_spec(scene)), *engine()->tensor_ops(), false);
        EXPECT_LE(grid.columns, 513);
        EXPECT_LE(grid.columns * grid.pairs, (1 << 16) + grid.pairs);
        EXPECT_GE(grid.columns * grid.block, kMaxPosition + 1);
    }
}

TEST(Clicks, SelectPairsAndMovePositions) {
    const auto click = [](const char* view, const char* panel, plot::Point at) {
        return picture_of({}, view).scene_after_click({}, panel, at);
    };
    EXPECT_EQ(click("rotation", "pair.24", {0.3, 0.1}).selected_pair, 24);
    EXPECT_EQ(click("rotation", "score", {-9.7, 0.5}).key_position, 2);
    EXPECT_EQ(click("rotation", "score", {-60, 0.5}).key_position, 0) << "no position before 0";
    EXPECT_EQ(click("rotation", "elsewhere", {0, 0}), Scene{});
    EXPECT_EQ(click("spectrum", "spectrum", {30.4, 100}).selected_pair, 30);
    EXPECT_EQ(click("spectrum", "spectrum", {99, 100}).selected_pair, 63);
    EXPECT_EQ(click("table", "table", {17, 41.6}).selected_pair, 42);
    EXPECT_EQ(click("table", "trace", {17.2, 0}).query_position, 17);
}

TEST(Readouts, GiveTheValuesUnderTheCursor) {
    const auto value = [](const char* view, const char* panel, plot::Point at, const char* name) {
        for (const plot::Readout& readout : picture_of({}, view).readouts_at(panel, at)) {
            if (readout.name == name) {
                return std::string(readout.value);
            }
        }
        return std::string("missing");
    };
    EXPECT_EQ(value("rotation", "pair.8", {}, "θ"), "0.3162 rad/position");
    EXPECT_EQ(value("rotation", "pair.8", {}, "channels"), "8, 72");
    EXPECT_EQ(value("spectrum", "spectrum", {8.2, 1}, "wavelength"), "19.87 positions");
    EXPECT_EQ(value("table", "table", {3, 0}, "cos"), "−0.9900") << "cos 3";
    EXPECT_EQ(value("table", "table", {3, 0}, "position"), "3");
    EXPECT_TRUE(picture_of({}, "table").readouts_at("elsewhere", {}).empty());
}

TEST(FigureData, ColumnNamesAreStable) {
    EXPECT_THAT(names_of(figure_of({}, "rotation").data),
                ElementsAre("panel", "series", "position", "x", "y"));
    EXPECT_THAT(names_of(figure_of({}, "spectrum").data),
                ElementsAre("pair", "first_channel", "second_channel", "inv_freq_rad",
                            "wavelength_positions", "turns_in_context", "unscaled_inv_freq_rad",
                            "slowdown"));
    Scene scene;
    for (const auto& [quantity, column] : {std::pair{TableQuantity::cos, "cos"},
                                           {TableQuantity::sin, "sin"},
                                           {TableQuantity::angle, "angle_rad"}}) {
        scene.table_quantity = quantity;
        EXPECT_THAT(names_of(figure_of(scene, "table").data),
                    ElementsAre("position", "positions_averaged", "pair", column));
    }
}

TEST(FigureReport, CanBeReadInsteadOfThePicture) {
    const std::string report = figure_of({}, "rotation").report;
    EXPECT_THAT(report, HasSubstr("query at m = 12, key at n = 5, distance n − m = −7"));
    EXPECT_THAT(report, HasSubstr("head_dim 128, rotary_dim 128, base 10000, half_split"));
    EXPECT_THAT(report, HasSubstr("0.3162        19.87")) << "θ and λ of pair 8, aligned";
    EXPECT_THAT(figure_of({}, "spectrum").report, HasSubstr("never a full turn"));
    EXPECT_THAT(figure_of({}, "table").report, HasSubstr("position"));
}

TEST(Text, TablesAlignWhateverTheirCharacters) {
    EXPECT_EQ(text_table({"θ", "b"}, {{"−1", "22"}, {"+10", "3"}}), "  θ   b\n −1  22\n+10   3\n");
    EXPECT_EQ(signed_text(-0.0004, 3), "+0.000");
    EXPECT_EQ(signed_text(-0.479, 3), "−0.479");
    EXPECT_EQ(whole_text(-131072), "−131\u2009072");
    EXPECT_EQ(counted(1, "pair") + counted(2, "pair"), "1 pair2 pairs");
}

TEST(Views, AreFoundByIdOrNearMatchesNamed) {
    EXPECT_EQ(view_by_id("table").name, "Table");
    EXPECT_EQ(test::input_error([] { view_by_id("spectrun"); }),
              "view: 'spectrun' is unknown; did you mean 'spectrum'?");
    EXPECT_THAT(test::input_error([] { view_by_id("xyzzy"); }), HasSubstr("give one of rotation"));
}

TEST(Views, RefuseInconsistentScenes) {
    Scene scene;
    scene.head_dim = 64;
    EXPECT_THROW(make_figure(scene, *engine()), InputError);
    scene.rotary_dim = 64;
    EXPECT_THROW(make_figure(scene, *engine()), InputError) << "pairs 32 and 48 are gone";
}

}  // namespace
}  // namespace ropescope::figures
