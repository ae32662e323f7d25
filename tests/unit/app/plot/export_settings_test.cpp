// The settings of a picture: what the window offers and what the command takes are one list.
#include "app/plot/export_settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "app/plot/picture_layout.h"
#include "tests/support/input_error.h"

namespace ropescope::plot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string plain(std::string_view word) {
    return std::string(word);
}

/// All that options decide: the picture as an SVG, also a narrow one, which has smaller letters if
/// nothing is said, and the pixels of a PNG.
std::string drawn(const ExportOptions& options) {
    Figure figure;
    figure.title = "a title";
    figure.legend = {{"a line", Role::key}};
    figure.panels.push_back(
        {.id = "one",
         .marks = {Line{.points = {{0, 0}, {1, 1}}, .role = Role::key, .label = "a line"},
                   Points{.points = {{0.5, 0.5}}, .ring = true, .of_selection = true}}});
    ExportOptions narrow = options;
    narrow.width_px /= 4;
    return fmt::format("{} {} {}", options.scale, svg_of(figure, options), svg_of(figure, narrow));
}

TEST(ExportSettings, AreUsualWhereNothingIsSaid) {
    for (const ExportSetting& setting : export_settings()) {
        if (!setting.usual.empty()) {
            const ExportValues usual = {{setting.option, setting.usual}};
            EXPECT_EQ(drawn(with_values({}, usual)), drawn({})) << setting.option;
            EXPECT_EQ(said_in_a_command(usual, true, plain), "") << setting.option;
        }
    }
}

TEST(ExportSettings, TakeWhatTheWindowOffersAndSayIt) {
    std::set<std::string> rows;
    for (const ExportSetting& setting : export_settings()) {
        EXPECT_TRUE(setting.row.empty() || rows.insert(setting.row).second) << setting.row;
        EXPECT_EQ(setting.row.empty(), setting.offered.empty()) << setting.option;
        for (const OfferedValue& offered : setting.offered) {
            if (offered.value.empty() || offered.value == setting.usual) {
                continue;
            }
            const ExportValues values = {{setting.option, offered.value}};
            EXPECT_NE(drawn(with_values({}, values)), drawn({})) << setting.option << offered.value;
            const std::string said =
                " " + setting.option + (setting.is_switch() ? "" : " " + offered.value);
            EXPECT_EQ(said_in_a_command(values, true, plain), said);
            EXPECT_EQ(said_in_a_command(values, false, plain), setting.of_png ? "" : said);
        }
    }
}

TEST(ExportSettings, RefuseWhatIsNoValue) {
    for (const ExportSetting& setting : export_settings()) {
        if (!setting.is_switch()) {
            EXPECT_THAT(test::input_error([&] {
                            with_values({}, {{setting.option, "soon"}});
                        }),
                        HasSubstr("'soon'"))
                << setting.option;
        }
    }
}

TEST(BareFigure, HasNoCardNoSelectionAndNoGround) {
    Figure figure;
    figure.panels.push_back({.id = "one", .selected = true});
    figure.panels.front().marks = {
        Points{.points = {{0.5, 0.5}}, .radius_px = 9, .of_selection = true}};
    const std::string usual = svg_of(figure, {});
    const std::string bare = svg_of(figure, with_values({}, {{"--bare", "yes"}}));
    EXPECT_THAT(usual, HasSubstr("<circle"));
    EXPECT_THAT(usual, HasSubstr("rx="));
    EXPECT_THAT(bare, Not(HasSubstr("<circle")));
    EXPECT_THAT(bare, Not(HasSubstr("rx=")));
    EXPECT_THAT(bare, Not(HasSubstr("width=\"1200\" height=\"800\" fill")));
}

TEST(BareFigure, IsAsLargeAsThePageThatWasAskedFor) {
    const ExportOptions options = with_values({}, {{"--size", "84x60mm"}});
    EXPECT_THAT(svg_of({}, options), HasSubstr("width=\"317.48\" height=\"226.77\""));
}

TEST(BrokenLines, AreOneElementOfAnSvg) {
    Figure figure;
    figure.panels.push_back({.id = "one"});
    figure.panels.front().marks = {
        Line{.points = {{0, 0}, {0.5, 0.9}, {1, 0.1}}, .dash = Dash::dash_dot}};
    const std::string svg = svg_of(figure, {});
    const std::size_t first = svg.find("<polyline");
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(svg.find("<polyline", first + 1), std::string::npos);
    EXPECT_THAT(svg, HasSubstr("stroke-dasharray=\"8,3.5,1.5,3.5\""));
}

}  // namespace
}  // namespace ropescope::plot
