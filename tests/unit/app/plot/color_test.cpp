#include "app/plot/color.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/base/error.h"

namespace ropescope::plot {
namespace {

const Theme* const kColorThemes[] = {&dark_theme(), &light_theme(), &projector_theme()};
constexpr Role kSurfaces[] = {Role::background, Role::panel, Role::raised, Role::selected};

TEST(Theme, TextIsLegibleOnEverySurface) {
    // WCAG 2 AA for text. `faint` is decoration and stays out.
    for (const Theme* theme : kColorThemes) {
        for (const Role surface : kSurfaces) {
            for (const Role text : {Role::text, Role::dim}) {
                EXPECT_GE(contrast_ratio((*theme)[text], (*theme)[surface]), 4.5)
                    << theme->name << ", role " << static_cast<int>(text) << " on "
                    << static_cast<int>(surface);
            }
        }
    }
}

TEST(Theme, ColouredWordsAreMadeLegible) {
    for (const Theme* theme : kColorThemes) {
        for (const Role surface : kSurfaces) {
            for (const Role role :
                 {Role::accent, Role::query, Role::key, Role::cos_part, Role::sin_part, Role::wrong,
                  Role::right, Role::faint, Role::grid}) {
                const Color ink = legible((*theme)[role], (*theme)[surface], (*theme)[Role::text]);
                EXPECT_GE(contrast_ratio(ink, (*theme)[surface]), 4.5) << theme->name;
            }
        }
    }
    // What is legible already stays as it is.
    EXPECT_EQ(
        legible(dark_theme()[Role::query], dark_theme()[Role::panel], dark_theme()[Role::text]),
        dark_theme()[Role::query]);
}

TEST(Theme, RightIsToldFromWrongByItsLightnessToo) {
    // Readers who see no red and green still see which of two colours is the lighter one.
    for (const Theme* theme : kColorThemes) {
        EXPECT_GE(contrast_ratio((*theme)[Role::right], (*theme)[Role::wrong]), 2) << theme->name;
    }
}

TEST(Theme, EveryMeaningHasAColourOfItsOwn) {
    constexpr Role kMeanings[] = {Role::query, Role::key,   Role::cos_part, Role::sin_part,
                                  Role::wrong, Role::right, Role::first,    Role::second,
                                  Role::third, Role::text,  Role::dim};
    for (const Theme* theme : kColorThemes) {
        for (const Role one : kMeanings) {
            for (const Role other : kMeanings) {
                EXPECT_TRUE(one == other || (*theme)[one] != (*theme)[other]) << theme->name;
            }
        }
    }
}

TEST(Theme, IsFoundByName) {
    EXPECT_EQ(theme_by_name("projector").body_px, 15 * 1.35);
    EXPECT_THROW(theme_by_name("pink"), InputError);
}

TEST(ContrastRatio, HasItsKnownEnds) {
    EXPECT_NEAR(contrast_ratio(rgb(0x000000), rgb(0xffffff)), 21, 1e-9);
    EXPECT_EQ(contrast_ratio(rgb(0x808080), rgb(0x808080)), 1);
}

void expect_near(Color color, double r, double g, double b) {
    // Half a step of rounding, and a straight line over five rows of the table.
    EXPECT_NEAR(color.r, 255 * r, 1.5);
    EXPECT_NEAR(color.g, 255 * g, 1.5);
    EXPECT_NEAR(color.b, 255 * b, 1.5);
}

TEST(ColorMap, ViridisFollowsThePublishedTable) {
    // Rows of github.com/BIDS/colormap that the program's own table leaves out.
    expect_near(sample(ColorMap::viridis, 12 / 255.0), 0.280267, 0.073417, 0.397163);
    expect_near(sample(ColorMap::viridis, 34 / 255.0), 0.277134, 0.185228, 0.489898);
    expect_near(sample(ColorMap::viridis, 102 / 255.0), 0.163625, 0.471133, 0.558148);
    expect_near(sample(ColorMap::viridis, 187 / 255.0), 0.327796, 0.773980, 0.406640);
    expect_near(sample(ColorMap::viridis, 238 / 255.0), 0.824940, 0.884720, 0.106217);
    expect_near(sample(ColorMap::viridis, 243 / 255.0), 0.876168, 0.891125, 0.095250);
}

TEST(ColorMap, DivergesFromTheThemesPanel) {
    for (const Theme* theme : kColorThemes) {
        const Color zero = (*theme)[Role::panel];
        EXPECT_EQ(sample(ColorMap::diverging, 0.5, *theme), zero);
        EXPECT_EQ(sample(ColorMap::diverging, 0, *theme), theme->map_low);
        EXPECT_EQ(sample(ColorMap::diverging, 1, *theme), theme->map_high);
        // Each arm leaves zero steadily.
        for (const double sign : {-1.0, 1.0}) {
            double before = 0;
            for (int i = 1; i <= 8; ++i) {
                const double now =
                    contrast_ratio(sample(ColorMap::diverging, 0.5 + sign * i / 16, *theme), zero);
                EXPECT_GT(now, before) << theme->name << " step " << i;
                before = now;
            }
        }
    }
}

TEST(ColorMap, AgreementGoesFromRightToDim) {
    for (const Theme* theme : kColorThemes) {
        EXPECT_EQ(sample(ColorMap::agreement, 0, *theme), (*theme)[Role::right]);
        EXPECT_EQ(sample(ColorMap::agreement, 0.5, *theme), (*theme)[Role::panel]);
        EXPECT_EQ(sample(ColorMap::agreement, 1, *theme), (*theme)[Role::dim]);
    }
}

TEST(ColorMap, ClampsAndMarksNan) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const ColorMap map : {ColorMap::viridis, ColorMap::diverging, ColorMap::agreement}) {
        EXPECT_EQ(sample(map, -3), sample(map, 0));
        EXPECT_EQ(sample(map, 9), sample(map, 1));
        EXPECT_EQ(sample(map, nan), light_theme()[Role::faint]);
    }
}

}  // namespace
}  // namespace ropescope::plot
