// Words in figures against the room that there is for them.
#include <gtest/gtest.h>

#include "app/figures/shared/text.h"
#include "app/figures/view.h"
#include "app/plot/draw_figure.h"
#include "app/scene/settings.h"
#include "tests/support/recording_painter.h"

namespace ropescope::plot {
namespace {

using test::overlap;
using test::RecordingPainter;

RecordingPainter drawn(const Figure& figure, Rect area) {
    RecordingPainter painter;
    draw_figure(figure, area, dark_theme(), 1, painter);
    return painter;
}

Figure labelled(Label label) {
    Figure figure;
    figure.panels.push_back(
        {.id = "panel", .x = {.max = 10, .visible = false}, .y = {.max = 10, .visible = false}});
    figure.panels.front().marks.emplace_back(std::move(label));
    return figure;
}

const RecordingPainter::Text* find(const RecordingPainter& painter, std::string_view text) {
    for (const RecordingPainter::Text& drawn : painter.texts) {
        if (drawn.text == text) {
            return &drawn;
        }
    }
    return nullptr;
}

TEST(LabelRoom, ALabelShrinksBeforeItIsLeftOut) {
    const Figure figure =
        labelled({.at = {5, 5}, .text = "word", .whole = true, .height = 0.5, .smallest = 0.7});
    const RecordingPainter large = drawn(figure, {0, 0, 800, 800});
    const RecordingPainter middle = drawn(figure, {0, 0, 800, 300});
    ASSERT_NE(find(large, "word"), nullptr);
    ASSERT_NE(find(middle, "word"), nullptr);
    EXPECT_LT(find(middle, "word")->style.size_px, find(large, "word")->style.size_px);
    EXPECT_EQ(find(drawn(figure, {0, 0, 800, 150}), "word"), nullptr);
}

TEST(LabelRoom, AwayIsInPixelsWhateverTheSize) {
    for (const double width : {400.0, 1600.0}) {
        const auto left = [&](double away) {
            return find(drawn(labelled({.at = {5, 5}, .text = "word", .away_px = away}),
                              {0, 0, width, 500}),
                        "word")
                ->place;
        };
        EXPECT_DOUBLE_EQ(left(9).x - left(0).x, 9);
        EXPECT_DOUBLE_EQ(left(0).y - left(9).y, 9);
    }
}

TEST(PlaneRoom, CornersOfPlanesAgreeAndNothingOverlapsThem) {
    Scene scene;
    scene.pairs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const Figure figure = figures::make_figure(scene, *make_cpu_engine(1));
    for (const Rect area : {Rect{0, 0, 1074, 680}, Rect{0, 0, 700, 590}, Rect{0, 0, 500, 490}}) {
        const RecordingPainter painter = drawn(figure, area);
        int names = 0, wavelengths = 0;
        for (const RecordingPainter::Text& text : painter.texts) {
            names += text.text.starts_with("pair ") ? 1 : 0;
            wavelengths += text.text.starts_with("λ") ? 1 : 0;
            for (const RecordingPainter::Text& other : painter.texts) {
                EXPECT_TRUE(&text == &other || !overlap(text.place, other.place))
                    << text.text << " and " << other.text << " at " << area.width;
            }
        }
        EXPECT_EQ(names, 16);
        EXPECT_TRUE(wavelengths == 0 || wavelengths == 16) << wavelengths;
    }
}

TEST(SpectrumRoom, AnEmptyBandHasNoName) {
    const auto named = [](const char* base) {
        const Figure figure =
            figures::make_figure(apply_settings({}, {"view=spectrum", std::string("base=") + base}),
                                 *make_cpu_engine(1));
        const auto* label = std::get_if<Label>(&figure.panels.front().marks.at(1));
        return label == nullptr ? "" : label->text;
    };
    EXPECT_EQ(named("1e-300"), "");
    EXPECT_EQ(named("10000"), "never a full turn");
}

TEST(SmallText, IsNeverZeroForWhatIsNot) {
    EXPECT_EQ(figures::small_text(-7e-6, 2), "−7×10⁻⁶");
    EXPECT_EQ(figures::small_text(0.00123456, 2), "0.0012");
    EXPECT_EQ(figures::small_text(-7, 2), "−7.00");
    EXPECT_EQ(figures::small_text(0, 2), "0.00");
}

}  // namespace
}  // namespace ropescope::plot
