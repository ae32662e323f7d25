// --set and scene files mean the same, and what is not named follows what is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/parameters.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "tests/support/input_error.h"
#include "tests/support/scenes.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Scene from_file(const std::string& keys) {
    return scene_from_json("{\"ropescope_scene\": 1" + keys + "}", "lesson.json");
}

TEST(Assignments, AFileLoadsItsModelAsASettingDoes) {
    const Scene scene = from_file(R"(, "base": 123, "model": "llama-3-8b")");
    EXPECT_EQ(scene, apply_settings({}, {"base=123", "model=llama-3-8b"}));
    EXPECT_EQ(from_file(R"(, "model": "llama-3-8b")").base, 500000.0);
    EXPECT_THAT(input_error([] { from_file(R"(, "model": "lama-3-8b")"); }),
                AllOf(HasSubstr("lesson.json: 'lama-3-8b' is neither"), HasSubstr("llama-3-8b")));
}

TEST(Assignments, AFullyRotaryHeadStaysSo) {
    EXPECT_EQ(apply_settings({}, {"head_dim=64"}).rotary_dim, 64);
    EXPECT_EQ(from_file(R"(, "head_dim": 256)").rotary_dim, 256);
    EXPECT_EQ(apply_settings({}, {"head_dim=256", "rotary_dim=128"}).rotary_dim, 128);
    const Scene partial = apply_settings({}, {"rotary_dim=32", "head_dim=256"});
    EXPECT_EQ(apply_settings(partial, {"head_dim=64"}).rotary_dim, 32);
}

TEST(Assignments, AFileSaysWhatItsModelDoesNot) {
    Scene scene = apply_settings({}, {"model=llama-3-8b"});
    EXPECT_THAT(test::scene_file(scene), Not(HasSubstr("base")));
    scene.base = Scene{}.base;  // the default, and not the model's
    EXPECT_THAT(test::scene_file(scene), HasSubstr("\"base\": 10000.0"));
    scene.head_dim =
        256;  // rotary_dim has its default value, and would follow if it were not named
    EXPECT_EQ(scene_from_json(test::scene_file(scene), "again"), scene);
}

TEST(Assignments, AKeyStandsOnce) {
    EXPECT_EQ(input_error([] { from_file(R"(, "base": 5, "base": 6)"); }),
              "lesson.json: base: is there twice; give it once");
    EXPECT_THAT(input_error([] { from_file(R"(, "base": 1e999)"); }), HasSubstr("'1e999'"));
}

}  // namespace
}  // namespace ropescope
