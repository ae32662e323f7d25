#include <gtest/gtest.h>

#include "app/plot/render_figure.h"
#include "core/base/error.h"
#include "tests/image/compare.h"
#include "tests/image/figures.h"
#include "tests/support/wild_marks.h"

namespace ropescope::test {
namespace {

using plot::ImageFormat;

std::string png(const plot::Figure& figure, const plot::Theme& theme, double scale = 1,
                double width = 480, double height = 360) {
    return plot::render_figure(figure, ImageFormat::png, {width, height, scale, theme});
}

TEST(FigureImage, LinesLight) {
    EXPECT_TRUE(matches_baseline(png(lines_figure(), plot::light_theme()), "lines-light"));
}

TEST(FigureImage, LinesTwiceAsSharp) {
    EXPECT_TRUE(
        matches_baseline(png(lines_figure(), plot::dark_theme(), 2, 400, 300), "lines-dark-2x"));
}

TEST(FigureImage, PlanesDark) {
    EXPECT_TRUE(matches_baseline(png(planes_figure(), plot::dark_theme()), "planes-dark"));
}

TEST(FigureImage, PlanesForTheProjector) {
    EXPECT_TRUE(
        matches_baseline(png(planes_figure(), plot::projector_theme()), "planes-projector"));
}

TEST(FigureImage, HeatMapsInBothColours) {
    EXPECT_TRUE(matches_baseline(png(heat_figure(), plot::light_theme()), "heat-light"));
    EXPECT_TRUE(matches_baseline(png(heat_figure(), plot::dark_theme()), "heat-dark"));
}

TEST(FigureImage, Thumbnails) {
    EXPECT_TRUE(
        matches_baseline(png(planes_figure(), plot::light_theme(), 1, 200, 150), "planes-tiny"));
    EXPECT_TRUE(
        matches_baseline(png(lines_figure(), plot::light_theme(), 1, 200, 150), "lines-tiny"));
}

TEST(FigureImage, ALineMovedByTwoPixelsFails) {
    // The comparison's own test: 31 pairs over about 300 px, so 0.2 of a pair is 2 px.
    const Picture as_it_is = decode_png(png(lines_figure(), plot::light_theme()));
    const Picture moved = decode_png(png(lines_figure(0.2), plot::light_theme()));
    const Difference difference = compare(moved, as_it_is);
    EXPECT_FALSE(difference.passes());
    EXPECT_GT(difference.different, 100);
    EXPECT_TRUE(compare(as_it_is, as_it_is).passes());
}

TEST(FigureImage, ToleranceIsWhatItSays) {
    Picture grey{200, 100, std::vector<plot::Color>(20000, plot::rgb(0x808080))};
    Picture other = grey;
    for (plot::Color& color : other.pixels) {
        color.g = static_cast<std::uint8_t>(color.g + 3);
    }
    EXPECT_TRUE(compare(other, grey).passes()) << "3/255 everywhere";
    other = grey;
    other.pixels[0] = other.pixels[777] = plot::rgb(0xff0000);
    EXPECT_TRUE(compare(other, grey).passes()) << "2 of 20000 pixels";
    other.pixels[1] = plot::rgb(0x808084);
    EXPECT_FALSE(compare(other, grey).passes()) << "a third one by 4/255";
    EXPECT_FALSE(compare({100, 200, grey.pixels}, grey).passes()) << "another shape";
}

TEST(FigureImage, EveryFormatIsReproducible) {
    for (const ImageFormat format : {ImageFormat::png, ImageFormat::svg, ImageFormat::pdf}) {
        for (const auto& figure :
             {lines_figure(), planes_figure(), heat_figure(), heat_figure(500)}) {
            const plot::ExportOptions options{.width_px = 480, .height_px = 360};
            const std::string first = plot::render_figure(figure, format, options);
            EXPECT_TRUE(first == plot::render_figure(figure, format, options))
                << figure.view << ", format " << static_cast<int>(format);
        }
    }
}

TEST(FigureImage, WildFiguresAreDrawnInEveryFormat) {
    plot::Figure figure{.title = "wild"};
    figure.panels.push_back({.id = "wild", .color_bar = true, .marks = wild_marks()});
    for (const ImageFormat format : {ImageFormat::png, ImageFormat::svg, ImageFormat::pdf}) {
        for (const int width : {16, 200, 800}) {
            const plot::ExportOptions options{.width_px = 1.0 * width,
                                              .height_px = width / 2 + 16.0};
            EXPECT_FALSE(plot::render_figure(figure, format, options).empty());
        }
    }
}

TEST(FigureImage, ScaleMultipliesThePixels) {
    const Picture picture = decode_png(png(planes_figure(), plot::dark_theme(), 1.5, 200, 150));
    EXPECT_EQ(picture.width, 300);
    EXPECT_EQ(picture.height, 225);
}

TEST(FigureImage, ImpossibleSizesAreRefused) {
    for (const plot::ExportOptions& options :
         {plot::ExportOptions{.width_px = 0}, plot::ExportOptions{.height_px = -4},
          plot::ExportOptions{.width_px = 20000}, plot::ExportOptions{.scale = 100},
          plot::ExportOptions{.scale = 0}}) {
        EXPECT_THROW(plot::render_figure(planes_figure(), ImageFormat::png, options), InputError);
    }
}

}  // namespace
}  // namespace ropescope::test
