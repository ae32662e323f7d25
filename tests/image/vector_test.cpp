// SVG and PDF, read by other programs.
#include <fstream>
#include <gtest/gtest.h>

#include "app/plot/render_figure.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/image/compare.h"
#include "tests/image/figures.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using plot::ImageFormat;

std::string vector_file(const plot::Figure& figure, ImageFormat format) {
    return plot::render_figure(figure, format,
                               {.width_px = 480, .height_px = 360, .theme = plot::light_theme()});
}

/// Share of pixels that differ by more than a quarter of the range: another renderer antialiases
/// otherwise, but what is drawn lies at the same place.
double share_of_strangers(const Picture& a, const Picture& b) {
    std::size_t strangers = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        strangers += std::abs(a.pixels[i].g - b.pixels[i].g) > 64 ? 1U : 0U;
    }
    return static_cast<double>(strangers) / static_cast<double>(a.pixels.size());
}

TEST(VectorImage, SvgIsDrawnAlikeByAnotherRenderer) {
    const TempFolder folder;
    for (const auto& figure : {lines_figure(), planes_figure(), heat_figure()}) {
        const auto svg_path = folder / "figure.svg";
        const auto png_path = folder / "figure.png";
        write_file_whole(svg_path, vector_file(figure, ImageFormat::svg));
        const RunResult run =
            run_command({"rsvg-convert", svg_path.string(), "-o", png_path.string()});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const Picture drawn = decode_png(read_file(png_path));
        const Picture ours = decode_png(vector_file(figure, ImageFormat::png));
        ASSERT_EQ(drawn.width, 480);
        ASSERT_EQ(drawn.height, 360);
        EXPECT_LT(share_of_strangers(drawn, ours), 0.01) << figure.view;
    }
}

TEST(VectorImage, SvgLettersAreTextThatOthersRead) {
    plot::Figure figure = planes_figure();
    figure.title = "x < y & \"z\" > \x01";
    figure.subtitle = "What is drawn";
    const std::string svg = vector_file(figure, ImageFormat::svg);
    for (const char* part : {"<title>x &lt; y &amp; &quot;z&quot; &gt; \uFFFD</title>",
                             "<desc>What is drawn</desc>", ">pair 8</text>", ">λ 19.87</text>"}) {
        EXPECT_NE(svg.find(part), std::string::npos) << part << " in\n" << svg;
    }
}

TEST(VectorImage, SvgLettersAsOutlinesNeedNoFontAndLieAtTheSamePlaces) {
    const TempFolder folder;
    const plot::Figure figure = planes_figure();
    const std::string svg = plot::render_figure(
        figure, ImageFormat::svg,
        {.width_px = 480, .height_px = 360, .letters = plot::Letters::outlines});
    EXPECT_EQ(svg.find("<text"), std::string::npos);
    write_file_whole(folder / "figure.svg", svg);
    const RunResult run = run_command(
        {"rsvg-convert", (folder / "figure.svg").string(), "-o", (folder / "figure.png").string()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_LT(share_of_strangers(decode_png(read_file(folder / "figure.png")),
                                 decode_png(vector_file(figure, ImageFormat::png))),
              0.01);
}

TEST(VectorImage, AHeatMapOfAnSvgIsOneImage) {
    for (const int columns : {24, 500}) {
        const std::string svg = vector_file(heat_figure(columns), ImageFormat::svg);
        const auto count = [&](std::string_view part) {
            std::size_t found = 0;
            for (std::size_t at = svg.find(part); at != std::string::npos;
                 at = svg.find(part, at + 1)) {
                ++found;
            }
            return found;
        };
        // Maps and their colour bars; everything else of the figure is a few hundred elements.
        EXPECT_GE(count("<image"), 2U);
        EXPECT_LT(count("<rect"), 100U) << columns << " columns";
    }
}

TEST(VectorImage, PdfTextCanBeSearched) {
    const TempFolder folder;
    const auto path = folder / "figure.pdf";
    write_file_whole(path, vector_file(planes_figure(), ImageFormat::pdf));
    const RunResult run = run_command({"pdftotext", path.string(), "-"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    for (const char* text : {"Each pair turns at its own speed", "pair 8", "λ 19.87", "score"}) {
        EXPECT_NE(run.out.find(text), std::string::npos) << text << " in\n" << run.out;
    }
}

TEST(VectorImage, PdfSaysWhatItIs) {
    const TempFolder folder;
    const auto path = folder / "figure.pdf";
    write_file_whole(path, vector_file(planes_figure(), ImageFormat::pdf));
    const RunResult run = run_command({"pdfinfo", path.string()}, {.environment = {{"TZ", "UTC"}}});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("Each pair turns at its own speed"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("2000"), std::string::npos) << "the fixed date in\n" << run.out;
    EXPECT_NE(run.out.find("360 x 270 pts"), std::string::npos) << "480 x 360 px at 96 px an inch\n"
                                                                << run.out;
}

}  // namespace
}  // namespace ropescope::test
