#include <gtest/gtest.h>

#include "app/plot/number_text.h"
#include "app/plot/rich_text.h"
#include "tests/support/recording_painter.h"

namespace ropescope::plot {
namespace {

using test::RecordingPainter;
const TextStyle kStyle{Face::regular, 20, rgb(0)};

TEST(RichText, RaisesAndLowers) {
    RecordingPainter painter;
    const double width = draw_rich_text({10, 100}, "q_{m} = base^{-2i/d}!", kStyle, painter);
    ASSERT_EQ(painter.texts.size(), 5U);
    const RecordingPainter::Text* lowered = painter.find("m");
    const RecordingPainter::Text* raised = painter.find("-2i/d");
    ASSERT_TRUE(lowered != nullptr && raised != nullptr);
    EXPECT_LT(lowered->style.size_px, 20);
    EXPECT_GT(lowered->place.y, 100);
    EXPECT_LT(raised->place.y, 100);
    // Run after run, without gap or overlap.
    double x = 10;
    for (const RecordingPainter::Text& run : painter.texts) {
        EXPECT_NEAR(run.place.x, x, 1e-9) << run.text;
        x += run.place.width;
    }
    EXPECT_NEAR(width, x - 10, 1e-9);
    EXPECT_NEAR(rich_text_size("q_{m} = base^{-2i/d}!", kStyle, painter).x, width, 1e-9);
}

TEST(RichText, StacksRaisedOverLowered) {
    RecordingPainter painter;
    draw_rich_text({0, 0}, "q_{m}^{T} k", kStyle, painter);
    ASSERT_EQ(painter.texts.size(), 4U);
    EXPECT_EQ(painter.find("m")->place.x, painter.find("T")->place.x);
    EXPECT_GT(painter.find(" k")->place.x, painter.find("T")->place.x);
}

TEST(RichText, LeavesPlainTextAlone) {
    for (const char* plain : {"head_dim", "a^b", "open ^{brace", "x_", "^", "{}", "inv_freq_rad"}) {
        RecordingPainter painter;
        draw_rich_text({0, 0}, plain, kStyle, painter);
        ASSERT_EQ(painter.texts.size(), 1U) << plain;
        EXPECT_EQ(painter.texts[0].text, plain);
    }
    RecordingPainter painter;
    EXPECT_EQ(draw_rich_text({0, 0}, "", kStyle, painter), 0);
}

TEST(Fitted, EndsWithAnEllipsisWhereItMust) {
    RecordingPainter painter;
    EXPECT_EQ(fitted("abcdef", 12 * 6, kStyle, painter), "abcdef");
    EXPECT_EQ(fitted("abcdef", 12 * 5, kStyle, painter), "abcd…");
    EXPECT_EQ(fitted("αβγδεζ", 12 * 5, kStyle, painter), "αβγδ…");
    EXPECT_EQ(fitted("abcdef", 12, kStyle, painter), "");
    EXPECT_EQ(fitted("abcdef", -5, kStyle, painter), "");
}

TEST(Wrapped, BreaksAtSpacesAndCutsTheLastLine) {
    RecordingPainter painter;
    EXPECT_EQ(wrapped("one two three four", 12 * 9, 3, kStyle, painter),
              (std::vector<std::string>{"one two", "three", "four"}));
    EXPECT_EQ(wrapped("one two three four", 12 * 9, 2, kStyle, painter),
              (std::vector<std::string>{"one two", "three …"}));
    EXPECT_TRUE(wrapped("", 100, 2, kStyle, painter).empty());
}

/// At every width that has room for them, a number and its unit stand on one line, and so do a last
/// number and the word before it.
TEST(Wrapped, KeepsNumbersWithTheirUnitsAndALastOneWithItsWord) {
    using Lines = std::vector<std::string>;
    constexpr Index kManyLines = 20;
    RecordingPainter painter;
    const double letter = rich_text_size("x", kStyle, painter).x;
    const auto in = [&](std::string_view text, double letters) {
        return wrapped(text, letters * letter + 0.5, kManyLines, kStyle, painter);
    };
    EXPECT_EQ(in("puts person (69.7 %)", 18), (Lines{"puts person", "(69.7 %)"}));
    EXPECT_EQ(in("unscaled 40.3 % with YaRN", 13), (Lines{"unscaled", "40.3 % with", "YaRN"}));
    EXPECT_EQ(in("a layer takes 24 KiB, not 96", 16), (Lines{"a layer takes", "24 KiB, not 96"}));
    EXPECT_EQ(in("first off at position 9", 21), (Lines{"first off at", "position 9"}));
    EXPECT_EQ(in("first off at position 9.", 23), (Lines{"first off at", "position 9."}));
    EXPECT_EQ(in("40.3 % of", 4), (Lines{"40.3", "% of"})) << "a line has no room for both";
    EXPECT_EQ(in("take 9 of them", 6), (Lines{"take 9", "of", "them"}))
        << "other numbers stand as words do";
    EXPECT_EQ(in("what % of all", 5), (Lines{"what", "% of", "all"})) << "no number before it";
    const std::string title = "In texts of 1024 tokens: 27.6 % right, 40.3 % with YaRN at 9";
    for (int letters = 6; letters <= std::ssize(title); ++letters) {
        for (const std::string& line : in(title, letters)) {
            EXPECT_FALSE(line.starts_with('%')) << letters << ": " << line;
            EXPECT_NE(line, "9") << letters;
        }
    }
}

}  // namespace
}  // namespace ropescope::plot
