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

std::string plain(std::string_view word) {
    return std::string(word);
}

/// All that options decide: the picture as an SVG, also a narrow one, which has smaller letters if
/// nothing is said, and the pixels of a PNG.
std::string drawn(const ExportOptions& options) {
    Figure figure;
    figure.title = "a title";
    figure.panels.push_back({.id = "one"});
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

}  // namespace
}  // namespace ropescope::plot
