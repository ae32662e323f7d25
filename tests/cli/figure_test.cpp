#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Runs `figure` into a file of that name and expects it to print these words; returns the file's
/// bytes.
std::string figure(const TempFolder& folder, const std::string& name,
                   std::vector<std::string> arguments, const std::string& words = "") {
    const std::filesystem::path path = folder / name;
    arguments.insert(arguments.begin(), "figure");
    arguments.insert(arguments.end(), {"-o", path.string()});
    const RunResult run = run_ropescope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, words) << name;
    return std::filesystem::exists(path) ? read_file(path) : "";
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
    const RunResult run = run_ropescope(arguments);
    EXPECT_EQ(run.exit_code, 2) << part;
    EXPECT_THAT(run.err, StartsWith("ropescope: "));
    EXPECT_THAT(run.err, HasSubstr(part));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
}

TEST(Figure, WritesTheFormatThatTheNameSays) {
    const TempFolder folder;
    for (const char* view : {"rotation", "spectrum", "table", "layouts"}) {
        EXPECT_THAT(figure(folder, "a.png", {view}), StartsWith("\x89PNG\r\n"));
        EXPECT_THAT(figure(folder, "a.svg", {view}), HasSubstr("<svg"));
        EXPECT_THAT(figure(folder, "a.PDF", {view}), StartsWith("%PDF-"));
        EXPECT_THAT(figure(folder, "a.csv", {view}), HasSubstr(","));
        EXPECT_THAT(figure(folder, "a.txt", {view}), HasSubstr("\n\n"));
    }
}

TEST(Figure, FollowsTheScene) {
    const TempFolder folder;
    const std::string csv =
        figure(folder, "s.csv", {"spectrum", "--set", "rotary_dim=64", "--set", "base=500000"});
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 32) << "a header and 32 pairs";
    EXPECT_EQ(figure(folder, "b.csv",
                     {"--set", "view=spectrum", "--set", "rotary_dim=64", "--set", "base=500000"}),
              csv)
        << "the scene can name the view";
}

TEST(Figure, IsReproducible) {
    const TempFolder folder;
    for (const char* name : {"a.png", "a.svg", "a.pdf", "a.csv"}) {
        const std::string first = figure(folder, name, {"rotation"});
        EXPECT_TRUE(first == figure(folder, name, {"rotation"})) << name;
    }
}

TEST(Figure, TakesSizeScaleAndTheme) {
    const TempFolder folder;
    const std::string left_out =
        "figure: at 300x200 there is no room for the panel score, the line below the title; a "
        "larger --size shows it, or --panel score that panel alone\n";
    const std::string png =
        figure(folder, "a.png", {"rotation", "--size", "300x200", "--scale", "2"}, left_out);
    ASSERT_GT(png.size(), 24U);
    // IHDR: width and height, big-endian, from byte 16.
    EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x02\x58\0\0\x01\x90", 8));
    EXPECT_FALSE(png == figure(folder, "b.png",
                               {"rotation", "--size", "300x200", "--scale", "2", "--theme", "dark"},
                               left_out));
}

TEST(Figure, SaysWhatASmallPictureLeavesOutAndNotWhatANumberHasNoRoomFor) {
    const TempFolder folder;
    const std::vector<std::string> small = {"spectrum", "--size", "40x30mm"};
    const std::string left_out =
        "figure: at 40x30mm there is no room for the end of the title, the line below "
        "the title, the axis labels of spectrum; a larger --size shows it\n";
    EXPECT_THAT(figure(folder, "a.SVG", small, left_out), HasSubstr("<svg"));
    EXPECT_THAT(figure(folder, "a.csv", small), HasSubstr(","));
    EXPECT_THAT(figure(folder, "a.txt", small), HasSubstr("\n\n"));
}

TEST(Figure, NeedsNoFontsOfTheSystem) {
    const TempFolder folder;
    write_file_whole(folder / "fonts.conf", "<fontconfig></fontconfig>");
    for (const char* name : {"a.png", "a.svg", "a.pdf"}) {
        const std::string usual = figure(folder, name, {"rotation"});
        const RunResult run =
            run_ropescope({"figure", "rotation", "-o", folder / name},
                          {.environment = {{"FONTCONFIG_FILE", folder / "fonts.conf"}}});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_TRUE(read_file(folder / name) == usual) << name;
    }
}

TEST(Figure, RefusesWhatItCannotDraw) {
    const TempFolder folder;
    const std::string png = (folder / "a.png").string();
    expect_refused({"figure", "rotation", "-o", "a.jpg"}, "png, .svg, .pdf, .csv or .txt");
    expect_refused({"figure", "rotation", "-o", "picture"}, "picture does not say its format");
    expect_refused({"figure", "rotation", "-o", "picture.tikz"}, "LaTeX includes a .pdf");
    expect_refused({"figure", "rotatoin", "-o", png}, "did you mean 'rotation'?");
    expect_refused({"figure", "rotation"}, "--output");
    expect_refused({"figure", "rotation", "-o", png, "--size", "300"}, "WIDTHxHEIGHT");
    expect_refused({"figure", "rotation", "-o", png, "--size", "90000x10"}, "size: 90000x10");
    expect_refused({"figure", "rotation", "-o", png, "--scale", "nan"}, "scale");
    expect_refused({"figure", "rotation", "-o", png, "--theme", "pink"},
                   "dark, light or projector");
    expect_refused({"figure", "rotation", "-o", png, "--set", "base=-1"}, "base");
    expect_refused({"figure", "rotation", "-o", (folder / "no" / "a.png").string()}, "no/a.png");
    EXPECT_FALSE(std::filesystem::exists(png)) << "nothing is written when something is wrong";
}

}  // namespace
}  // namespace ropescope::test
