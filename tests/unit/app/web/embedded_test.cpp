// Figures in frames of other pages: whatever the width, each panel that is shown has its name, the
// names of its axes and at least two numbers at each of them, and no word of them is cut.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "app/figures/view.h"
#include "app/lessons/main_panels.h"
#include "app/plot/draw_figure.h"
#include "app/plot/svg_painter.h"
#include "core/engine/engine.h"
#include "tests/support/recording_painter.h"

namespace ropescope {
namespace {

using plot::Rect;
using test::RecordingPainter;

/// What the slider below the figure takes of a frame's height.
constexpr double kSlider = 90;
constexpr double kLetters = 12;  ///< CSS pixels, of the smallest ones

/// Remembers what is drawn, in letters as wide as those of the fonts.
struct LetterPainter : RecordingPainter {
    plot::SvgPainter letters{{1, 1}, "", "", plot::Letters::text};
    std::map<std::tuple<std::string, plot::Face, double>, plot::Pixel> sizes;

    plot::Pixel text_size(std::string_view text, const plot::TextStyle& style) override {
        const auto [size, is_new] =
            sizes.try_emplace({std::string(text), style.face, style.size_px});
        if (is_new) {
            size->second = letters.text_size(text, style);
        }
        return size->second;
    }
};

/// Words without spaces and without the signs of markup, as they are found in what was drawn.
std::string bare(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool opens =
            (text[i] == '^' || text[i] == '_') && text.substr(i + 1).starts_with('{');
        if (text[i] != ' ' && text[i] != '}' && !opens) {
            out += text[i];
        }
        i += opens ? 1 : 0;
    }
    return out;
}

std::string drawn_in(const RecordingPainter& painter, Rect frame) {
    std::string out;
    for (const RecordingPainter::Text& text : painter.texts) {
        out += test::overlap(text.place, frame) ? bare(text.text) : "";
    }
    return out;
}

bool has(const std::string& drawn, std::string_view words) {
    return drawn.find(bare(words)) != std::string::npos;
}

/// Numbers at the left of the plot, or below it.
Index numbers_at(const RecordingPainter& painter, const plot::PlacedPanel& placed, bool upright) {
    const Rect plot = placed.plot, frame = placed.frame;
    const double bottom = plot.y + plot.height;
    return std::ranges::count_if(painter.texts, [&](const RecordingPainter::Text& text) {
        const bool is_number = text.style.face == plot::Face::mono &&
                               text.style.size_px >= kLetters && test::overlap(text.place, frame);
        const bool left = text.place.x + text.place.width <= plot.x &&
                          text.place.y + text.place.height > plot.y && text.place.y < bottom;
        const bool below = text.place.y >= bottom && text.place.y < bottom + 12;
        return is_number && (upright ? left : below);
    });
}

struct Frame {
    std::string where;
    Rect area;
    bool in_frame = true;
};

void expect_whole(const plot::Figure& figure, const plot::Theme& theme, const Frame& frame,
                  LetterPainter& painter) {
    painter.texts.clear();
    const plot::DrawnFigure drawn = plot::draw_figure(figure, frame.area, theme, 1, painter);
    ASSERT_FALSE(drawn.panels.empty());
    EXPECT_TRUE(has(drawn_in(painter, frame.area), figure.title))
        << frame.where << " cuts " << figure.title;
    for (const plot::PlacedPanel& placed : drawn.panels) {
        const plot::Panel& panel = *placed.panel;
        const std::string words = drawn_in(painter, placed.frame);
        const std::string where = frame.where + ", panel " + panel.id;
        EXPECT_TRUE(has(words, panel.title)) << where << " cuts " << panel.title;
        for (const bool upright : {false, true}) {
            const plot::Axis& axis = upright ? panel.y : panel.x;
            if (axis.visible) {
                EXPECT_TRUE(has(words, axis.label)) << where << " cuts " << axis.label;
                EXPECT_GE(numbers_at(painter, placed, upright), 2)
                    << where << ": numbers at " << axis.label;
            }
        }
    }
}

TEST(EmbeddedFrames, KeepTheNamesOfPanelsAndAxesAndTheNumbersOfAxes) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    plot::Theme theme = plot::light_theme();
    theme.least_px = kLetters;
    LetterPainter painter;
    for (const figures::View& view : figures::views()) {
        Scene scene;
        scene.view = view.id;
        const plot::Figure figure = figures::make_figure(scene, *engine);
        for (const double width : {320, 330, 360, 519, 700, 701, 900, 1000, 1280}) {
            for (const double height : {400, 500, 600, 720}) {
                const Rect area{0, 0, width, height - kSlider};
                const plot::Figure shown = lessons::fitting_figure(
                    figure, nullptr, {.area = area, .theme = theme, .metrics = painter});
                expect_whole(shown, theme,
                             {fmt::format("{} at {}x{}", view.id, width, height), area}, painter);
            }
        }
    }
}

}  // namespace
}  // namespace ropescope
