#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/base/error.h"
#include "core/formats/presets.h"
#include "tests/support/input_error.h"
#include "tests/support/scenes.h"

namespace ropescope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string json_error(const std::string& json) {
    return test::input_error([&] { scene_from_json(json, "lesson.json"); });
}

TEST(SceneFile, HoldsOnlyWhatDiffersFromTheDefault) {
    Scene scene;
    EXPECT_EQ(test::scene_file(scene), "{\n  \"ropescope_scene\": 1\n}\n");
    scene.base = 500000;
    const std::string json = test::scene_file(scene);
    EXPECT_THAT(json, AllOf(HasSubstr("\"base\": 500000.0"), Not(HasSubstr("head_dim"))));
    EXPECT_EQ(scene_from_json(json, "test"), scene);
}

TEST(SceneFile, ErrorsNameTheFileTheKeyAndWhatIsExpected) {
    EXPECT_THAT(json_error("{"), HasSubstr("lesson.json: byte 1: is not valid JSON"));
    EXPECT_THAT(json_error("{}"), HasSubstr("no key 'ropescope_scene'"));
    EXPECT_THAT(json_error("[1]"), HasSubstr("an object {...} is expected"));
    EXPECT_THAT(json_error(R"({"ropescope_scene": 2})"), HasSubstr("'2' is not a known version"));
    EXPECT_THAT(json_error(R"({"ropescope_scene": 1, "bsae": 1})"),
                HasSubstr("lesson.json: parameter 'bsae' is unknown; did you mean 'base'?"));
    EXPECT_THAT(json_error(R"({"ropescope_scene": 1, "head_dim": "big"})"),
                HasSubstr("lesson.json: head_dim: 'big' is not a whole number from 2 to 4096"));
    EXPECT_THAT(json_error(R"({"ropescope_scene": 1, "head_dim": 64.5})"),
                HasSubstr("head_dim: '64.5' is not a whole number"));
    EXPECT_THAT(json_error(R"({"ropescope_scene": 1, "head_dim": 18446744073709551615})"),
                HasSubstr("is not a whole number"));
    EXPECT_THAT(json_error(R"({"ropescope_scene": 1, "pairs": [0, "x"]})"),
                HasSubstr("like 0,4,8"));
    EXPECT_THAT(json_error(R"({"ropescope_scene": 1, "base": 1e999})"),
                HasSubstr("number overflow parsing '1e999'"));
    EXPECT_THAT(json_error(R"({"ropescope_scene": 1, "layout": "odd\nline"})"),
                AllOf(HasSubstr("interleaved or half_split"), Not(HasSubstr("\n"))));
}

TEST(Scene, GivesTheEncodingOrSaysWhyNot) {
    Scene scene;
    scene.layout = Layout::interleaved;
    EXPECT_EQ(rope_spec(scene), (RopeSpec{.layout = Layout::interleaved}));
    scene.head_dim = 64;
    EXPECT_THROW(rope_spec(scene), InputError) << "rotary_dim 128 exceeds head_dim 64";
    scene.head_dim = std::int64_t{1} << 40;
    EXPECT_THROW(rope_spec(scene), InputError);
}

TEST(Scene, TakesTheEncodingOfAModel) {
    ModelConfig model;
    model.id = "tiny";
    model.rope = {.head_dim = 32, .rotary_dim = 16, .base = 7, .layout = Layout::interleaved};
    model.max_positions = 99;
    const Scene scene = with_model({}, model);
    EXPECT_EQ(scene.model, "tiny");
    EXPECT_EQ(rope_spec(scene), model.rope);
    EXPECT_EQ(scene.context_length, 99);
    EXPECT_EQ(scene.pairs, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(scene.selected_pair, 7);
    EXPECT_EQ(scene.query_position, Scene{}.query_position);
}

TEST(Scene, CarriesTheScalingOfEveryPreset) {
    for (const ModelConfig& preset : model_presets()) {
        const Scene scene = with_model({}, preset);
        EXPECT_EQ(rope_spec(scene), preset.rope) << preset.id;
        EXPECT_EQ(scene_from_json(test::scene_file(scene), "scene"), scene) << preset.id;
    }
}

TEST(Scene, ATextThatHidesAWordItselfKeepsNoOldMask) {
    EXPECT_GT(Scene{}.attention_masked, 0);
    EXPECT_EQ(apply_settings({}, {"attention_text=a [MASK] lives"}).attention_masked, 0);
    EXPECT_EQ(apply_settings({}, {"attention_text=a [MASK] lives", "attention_masked=3"})
                  .attention_masked,
              3);
    EXPECT_EQ(apply_settings({}, {"attention_text=a fish lives"}).attention_masked,
              Scene{}.attention_masked);
}

TEST(Scene, TakesLayoutsByTheNamesOfModels) {
    EXPECT_EQ(apply_settings({}, {"layout=neox"}).layout, Layout::half_split);
    EXPECT_EQ(apply_settings({}, {"layout=gptj"}).layout, Layout::interleaved);
}

TEST(Scene, RowsBeyondTheLastPositionAreRefused) {
    Scene scene;
    scene.first_position = kMaxPosition;
    EXPECT_THROW(validate(scene), InputError);
    scene.position_count = 1;
    EXPECT_NO_THROW(validate(scene));
}

TEST(Sliders, KeepTheSceneConsistent) {
    EXPECT_EQ(with_slider({}, "head_dim", 64).rotary_dim, 64);
    EXPECT_EQ(with_slider({}, "head_dim", 256).rotary_dim, 256) << "fully rotary stays so";
    Scene partial = with_slider({}, "rotary_dim", 32);
    EXPECT_EQ(with_slider(partial, "head_dim", 256).rotary_dim, 32);
    EXPECT_EQ(with_slider(partial, "head_dim", 16).rotary_dim, 16);
    EXPECT_EQ(with_slider({}, "rotary_dim", 500).rotary_dim, 128) << "ends at head_dim";
    EXPECT_EQ(with_slider({}, "head_dim", 65.2).head_dim % 2, 0);
    EXPECT_EQ(with_slider({}, "first_position", 1e9).first_position, kMaxPosition - 255);
    for (const Parameter& parameter : parameters()) {
        for (const double value : {-1e9, 0.0, 3.3, 1e9}) {
            if (!is_number(parameter)) {
                continue;
            }
            const Scene moved = with_slider({}, parameter.name, value);
            EXPECT_NO_THROW(validate(moved)) << parameter.name << " = " << value;
        }
    }
}

TEST(Sliders, KnobAndValueGoBothWays) {
    for (const Parameter& parameter : parameters()) {
        if (const auto* member = std::get_if<std::int64_t Scene::*>(&parameter.member)) {
            Scene scene;
            const std::int64_t wanted = parameter.name == "head_dim" ? 192 : 20;
            scene.*(*member) =
                std::min(wanted, static_cast<std::int64_t>(slider_range(scene, parameter).max));
            const double fraction = slider_fraction(scene, parameter);
            EXPECT_EQ(slider_value(scene, parameter, fraction),
                      std::max(static_cast<double>(scene.*(*member)), parameter.min))
                << parameter.name;
            EXPECT_GE(slider_value(scene, parameter, 0), parameter.min);
            EXPECT_EQ(slider_value(scene, parameter, 1), slider_range(scene, parameter).max);
        }
    }
    const Parameter& base = parameter_by_name("base");
    EXPECT_NEAR(slider_fraction({}, base), 4.0 / 9.0, 1e-12) << "log scale from 1 to 1e9";
    EXPECT_EQ(slider_value({}, base, 5.0 / 9.0), 1e5);
}

}  // namespace
}  // namespace ropescope
