// Tests of the events of a page as ImGui gets them, frame by frame.
#include <gtest/gtest.h>
#include <imgui.h>

#include "app/web/input.h"

namespace ropescope::web {
namespace {

class Pointer : public ::testing::Test {
  protected:
    Pointer() : context_(ImGui::CreateContext()) { ImGui::SetCurrentContext(context_); }
    ~Pointer() override { ImGui::DestroyContext(context_); }
    void push(InputEvent::Kind kind, double x = 0, bool down = false) {
        queue_.push({.kind = kind, .x = x, .y = x, .down = down});
    }
    static ImGuiIO& io() { return ImGui::GetIO(); }

    ImGuiContext* context_;
    InputQueue queue_;
};

using Kind = InputEvent::Kind;

TEST_F(Pointer, APressAndItsReleaseComeInTwoFrames) {
    push(Kind::move, 5);
    push(Kind::button, 0, true);
    push(Kind::button, 0, false);
    queue_.begin_frame();
    EXPECT_TRUE(io().MouseDown[0]);
    EXPECT_EQ(io().MousePos.x, 5);
    queue_.begin_frame();
    EXPECT_FALSE(io().MouseDown[0]);
    EXPECT_TRUE(queue_.empty());
}

TEST_F(Pointer, AFingerThatIsLiftedIsReleasedWhereItWas) {
    push(Kind::move, 5);
    push(Kind::button, 0, true);
    push(Kind::button, 0, false);
    push(Kind::leave);
    queue_.begin_frame();
    queue_.begin_frame();
    EXPECT_FALSE(io().MouseDown[0]);
    EXPECT_EQ(io().MousePos.x, 5) << "a button is only clicked by a pointer that is over it";
    queue_.begin_frame();
    EXPECT_LT(io().MousePos.x, -1e30F);
    EXPECT_TRUE(queue_.empty());
}

TEST_F(Pointer, APressHappensBeforeThePointerMovesOn) {
    push(Kind::move, 5);
    push(Kind::button, 0, true);
    push(Kind::move, 9);
    queue_.begin_frame();
    EXPECT_EQ(io().MousePos.x, 5);
    queue_.begin_frame();
    EXPECT_EQ(io().MousePos.x, 9);
}

}  // namespace
}  // namespace ropescope::web
