// Plots answer the mouse: the wheel, dragging, double clicks, clicks on names, values at the mouse.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include "app/gui/state/actions.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {
namespace {

/// A person who looks at a view whose figure has axes.
class AtAPlot : public testing::Test {
  protected:
    static Scene in_view(const char* view) {
        Scene scene;
        scene.view = view;
        return scene;
    }
    void SetUp() override {
        ROPESCOPE_NEEDS_EGL();
        look_at("decay");
    }
    void look_at(const char* view, int height = 900) {
        person_.emplace(in_view(view),
                        headless::ScreenshotOptions{.width = 1200, .height = height});
        const plot::Rect figure = person_->place("figure");
        middle_ = {figure.x + figure.width * 0.45, figure.y + figure.height * 0.5};
    }
    const plot::Figure& own() { return person_->state().shown.picture->figure; }
    const plot::Look& look() { return person_->state().looks.of(own()); }
    const plot::PanelRange& range() { return look().ranges.begin()->second; }
    const plot::Panel& panel() {
        return *std::ranges::find(own().panels, look().ranges.begin()->first, &plot::Panel::id);
    }
    void wheel(double turns, plot::Pixel at) {
        person_->point(at);
        person_->gui().input.wheel = turns;
        person_->frames(2);
    }

    /// How many pixels at the right of this place and below it change when the mouse comes there.
    std::int64_t changed_beside(plot::Pixel at) {
        person_->gui().input.mouse.reset();
        person_->frames(3);
        const headless::Image before = person_->gui().read();
        person_->point({at.x - 1, at.y});
        person_->frames(1);
        person_->point(at);
        person_->frames(2);
        const headless::Image after = person_->gui().read();
        std::int64_t changed = 0;
        for (std::int64_t y = 20; y < 50; ++y) {
            for (std::int64_t x = 20; x < 120; ++x) {
                const auto pixel = (static_cast<std::int64_t>(at.y) + y) * before.width +
                                   static_cast<std::int64_t>(at.x) + x;
                changed += before.pixels[pixel] == after.pixels[pixel] ? 0 : 1;
            }
        }
        return changed;
    }

    std::optional<Person> person_;
    plot::Pixel middle_;
};

TEST_F(AtAPlot, TheWheelZoomsAndChangesNothingOfTheScene) {
    wheel(2, middle_);
    ASSERT_EQ(look().ranges.size(), 1U);
    const plot::Panel& zoomed = panel();
    EXPECT_LT(range().x.max - range().x.min, zoomed.x.max - zoomed.x.min);
    EXPECT_LT(range().y.max - range().y.min, zoomed.y.max - zoomed.y.min);
    EXPECT_GT(range().x.min, zoomed.x.min) << "the place under the mouse stays";
    EXPECT_LT(range().x.max, zoomed.x.max);
    EXPECT_EQ(person_->scene(), in_view("decay"));
    EXPECT_EQ(person_->state().history.undo_steps(), 0);
}

TEST_F(AtAPlot, TheWheelBackZoomsOutToTheSameRange) {
    wheel(3, middle_);
    wheel(-3, middle_);
    EXPECT_NEAR(range().x.min, panel().x.min, 1e-6 * panel().x.max);
    EXPECT_NEAR(range().x.max, panel().x.max, 1e-6 * panel().x.max);
}

TEST_F(AtAPlot, DraggingPullsWhatThePanelShowsAndIsNoClick) {
    look_at("scores");
    wheel(2, middle_);
    const plot::PanelRange before = range();
    const Scene scene = person_->scene();
    person_->press(true);
    person_->point({middle_.x + 30, middle_.y});
    person_->point({middle_.x + 60, middle_.y});
    EXPECT_LT(range().x.min, before.x.min) << "what is at the left comes into view";
    EXPECT_NEAR(range().x.max - range().x.min, before.x.max - before.x.min, 1e-6);
    EXPECT_EQ(range().y, before.y);
    person_->press(false);
    EXPECT_EQ(person_->scene(), scene) << "the click would have moved the key";
    person_->click_at({middle_.x - 80, middle_.y});
    EXPECT_NE(person_->scene(), scene) << "a click is still a click";
}

TEST_F(AtAPlot, TheRightButtonPullsToo) {
    wheel(2, middle_);
    const plot::PanelRange before = range();
    person_->gui().input.right_down = true;
    person_->frames(2);
    person_->point({middle_.x, middle_.y + 40});
    person_->gui().input.right_down = false;
    person_->frames(2);
    EXPECT_GT(range().y.max, before.y.max);
    EXPECT_EQ(range().x, before.x);
}

TEST_F(AtAPlot, ADoubleClickFitsAndLeavesTheSceneAsItWas) {
    look_at("scores");
    wheel(4, middle_);
    const Scene scene = person_->scene();
    for (const bool down : {true, false, true, false}) {
        person_->gui().input.mouse_down = down;
        person_->frames(2);
    }
    EXPECT_TRUE(look().ranges.empty());
    EXPECT_EQ(person_->scene(), scene);
}

TEST_F(AtAPlot, AButtonFitsToo) {
    wheel(4, middle_);
    person_->click("fit " + look().ranges.begin()->first);
    EXPECT_TRUE(look().empty());
}

TEST_F(AtAPlot, AParameterThatAsksForAnotherRangeGetsIt) {
    wheel(4, middle_);
    ASSERT_FALSE(look().empty());
    ASSERT_TRUE(gui::set_value(person_->state(), "decay_range", "1000"));
    person_->frames(2);
    EXPECT_TRUE(look().empty());
}

TEST_F(AtAPlot, AClickOnANameHidesItsLineAndAnotherShowsIt) {
    std::string name;
    for (const plot::LegendEntry& entry : own().legend) {
        name = plot::can_hide(own(), entry.label) ? std::string(entry.label) : name;
    }
    for (const plot::Panel& panel : own().panels) {
        for (const plot::Mark& mark : panel.marks) {
            const auto* line = std::get_if<plot::Line>(&mark);
            name = line != nullptr && !line->label.empty() && person_->find("line " + line->label)
                       ? std::string(line->label)
                       : name;
        }
    }
    ASSERT_NE(name, "");
    const headless::Image before = person_->gui().read();
    person_->click("line " + name);
    person_->gui().input.mouse.reset();
    person_->frames(3);
    EXPECT_TRUE(look().hidden.contains(name));
    EXPECT_NE(person_->gui().read().pixels, before.pixels);
    person_->click("line " + name);
    person_->gui().input.mouse.reset();
    person_->frames(3);
    EXPECT_EQ(person_->gui().read().pixels, before.pixels);
}

TEST_F(AtAPlot, ValuesAppearBesideTheMouseWhereNoListShowsThem) {
    for (const char* view : {"rotation", "decay", "precision", "context"}) {
        look_at(view);
        const auto in_a_panel = [&] {
            const plot::Rect figure = person_->place("figure");
            return plot::Pixel{figure.x + figure.width * 0.15, figure.y + figure.height * 0.36};
        };
        EXPECT_EQ(changed_beside(in_a_panel()), 0) << view << ": the list has them";
        person_->key(GLFW_KEY_F5);
        EXPECT_GT(changed_beside(in_a_panel()), 1000) << view;
    }
}

TEST_F(AtAPlot, ValuesAppearBesideTheMouseWhereTheListIsShort) {
    look_at("decay", 460);
    const plot::Rect figure = person_->place("figure");
    EXPECT_GT(changed_beside({figure.x + figure.width * 0.3, figure.y + figure.height * 0.45}),
              1000);
}

TEST_F(AtAPlot, CommandAndFileTakeTheLookAlong) {
    wheel(2, middle_);
    person_->key(GLFW_KEY_C, true);
    const std::string expected = plot::range_text(panel().id, range());
    EXPECT_NE(person_->state().clipboard.find("--range " + expected), std::string::npos)
        << person_->state().clipboard;
}

}  // namespace
}  // namespace ropescope::test
