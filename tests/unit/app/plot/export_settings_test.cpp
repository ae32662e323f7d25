// The settings of a picture: what the window offers and what the command takes are one list.
#include "app/plot/export_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "tests/support/input_error.h"

namespace ropescope::plot {
namespace {

using ::testing::HasSubstr;

std::string plain(std::string_view word) {
    return std::string(word);
}

/// What differs between options, in words.
std::string differing(const ExportOptions& a, const ExportOptions& b) {
    std::string text;
    const auto compare = [&](bool equal, const char* name) { text += equal ? "" : name; };
    compare(a.width_px == b.width_px && a.height_px == b.height_px, "size ");
    compare(a.scale == b.scale, "scale ");
    compare(a.theme.name == b.theme.name, "theme ");
    compare(a.font_pt == b.font_pt, "font ");
    compare(a.ground == b.ground, "ground ");
    compare(a.with_title == b.with_title, "title ");
    compare(a.letters == b.letters, "letters ");
    return text;
}

TEST(ExportSettings, AreUsualWhereNothingIsSaid) {
    for (const ExportSetting& setting : export_settings()) {
        if (!setting.usual.empty()) {
            const ExportValues usual = {{setting.option, setting.usual}};
            EXPECT_EQ(differing(with_values({}, usual), {}), "") << setting.option;
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
            EXPECT_NE(differing(with_values({}, values), {}), "")
                << setting.option << offered.value;
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
