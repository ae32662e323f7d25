// No words of insiders in what a view shows: ids that programs read, paths in the source tree,
// formulas in a title.
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/draw_figure.h"
#include "app/plot/figure.h"
#include "core/engine/engine.h"
#include "tests/support/recording_painter.h"
#include "tests/support/sentences.h"

namespace ropescope::figures {
namespace {

/// What is not written on the screen, and what is.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kInsiders = {{
    {"half_split", "half-split"},
    {"half split", "half-split"},
    {"|share|", "size of all parts"},
    {"table of scores needs", "terms in the scores"},
    {"J sin", "sin part"},
    {"docs/", "a page of the book by its title"},
    {"axes_", "the label of the control"},
    {"attention_", "the label of the control"},
}};

TEST(Words, OfInsidersStandOnNoScreen) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    for (const View& view : views()) {
        std::vector<std::string> texts = {view.name, view.question, view.what_you_see,
                                          view.what_to_try};
        if (!view.shows_check_run) {  // which shows the statements of checks, with their sources
            Scene scene;
            scene.view = view.id;
            const std::vector<plot::Text> drawn = test::shown_texts(make_figure(scene, *engine));
            texts.insert(texts.end(), drawn.begin(), drawn.end());
        }
        for (const std::string& text : texts) {
            for (const auto& [insider, instead] : kInsiders) {
                EXPECT_EQ(text.find(insider), std::string::npos)
                    << view.id << ": " << text << "\nwrite " << instead;
            }
        }
    }
}

/// The headings of Scores stand whole in a column of a paper and in a small window.
TEST(Words, HeadingsOfScoresStandWhole) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    Scene scene;
    scene.view = "scores";
    const plot::Figure figure = make_figure(scene, *engine);
    // 84x60mm with its smaller letters, and what a window of 800x500 leaves of itself.
    for (const auto& [size, type] : {std::pair{plot::Pixel{317, 227}, 0.75}, {{560, 360}, 1.0}}) {
        test::RecordingPainter painter;
        plot::draw_figure(figure, {0, 0, size.x, size.y}, plot::light_theme(), type, painter);
        for (const plot::Panel& panel : figure.panels) {
            EXPECT_NE(painter.find(panel.title), nullptr) << panel.title << " at " << size.x;
        }
    }
}

/// The findings below the panels of Diagnose, beside a title that says half-split.
TEST(Words, FindingsNameALayoutAsTheTitleDoes) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    bool named = false;
    for (const char* fault : {"none", "layout.interleaved"}) {
        Scene scene;
        scene.view = "diagnose";
        scene.dump_fault = fault;
        const plot::Figure figure = make_figure(scene, *engine);
        std::vector<plot::Text> texts = test::shown_texts(figure);
        for (const plot::Panel& panel : figure.panels) {
            for (const plot::Mark& mark : panel.marks) {
                if (const auto* facts = std::get_if<plot::Facts>(&mark)) {
                    for (const plot::Facts::Fact& fact : facts->rows) {
                        texts.push_back(fact.text);
                        named |= texts.back().find("half-split") != std::string::npos;
                    }
                }
            }
        }
        for (const std::string& text : texts) {
            EXPECT_EQ(text.find("half_split"), std::string::npos) << text;
        }
    }
    EXPECT_TRUE(named) << "a finding names the layout";
}

}  // namespace
}  // namespace ropescope::figures
