#include "app/web/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

namespace ropescope::web {
namespace {

TEST(KeyNames, LettersAreThoseThatTheLayoutWrites) {
    EXPECT_EQ(glfw_key("KeyY", "z"), GLFW_KEY_Z);  // a German keyboard
    EXPECT_EQ(glfw_key("KeyA", "A"), GLFW_KEY_A);  // with Shift
    EXPECT_EQ(glfw_key("Digit3", "3"), GLFW_KEY_3);
}

TEST(KeyNames, NamedKeysAreFound) {
    EXPECT_EQ(glfw_key("ArrowLeft", "ArrowLeft"), GLFW_KEY_LEFT);
    EXPECT_EQ(glfw_key("Space", " "), GLFW_KEY_SPACE);
    EXPECT_EQ(glfw_key("NumpadEnter", "Enter"), GLFW_KEY_KP_ENTER);
    EXPECT_EQ(glfw_key("BracketRight", "+"), GLFW_KEY_EQUAL);
}

TEST(KeyNames, OthersAreNone) {
    EXPECT_EQ(glfw_key("Minus", "ß"), 0);
    EXPECT_EQ(glfw_key("MediaPlayPause", "MediaPlayPause"), 0);
    EXPECT_EQ(glfw_key("", ""), 0);
}

}  // namespace
}  // namespace ropescope::web
