// Any scene, however odd, survives the trip through its file and through --set.
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>

#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "app/scene/values.h"
#include "core/base/index.h"
#include "core/formats/model_config.h"
#include "core/formats/presets.h"
#include "tests/support/random.h"
#include "tests/support/scenes.h"

namespace ropescope {
namespace {

/// A random value that the parameter accepts.
struct RandomValue {
    test::Random& random;
    const Parameter& parameter;

    std::int64_t whole() const {
        return random.integer(static_cast<std::int64_t>(parameter.lowest()),
                              static_cast<std::int64_t>(parameter.highest()));
    }
    ParameterValue operator()(std::int64_t Scene::*) const { return whole(); }
    ParameterValue operator()(double Scene::*) const {
        // Any bit pattern, so that every exponent occurs.
        for (;;) {
            const auto value = std::bit_cast<double>(random.integer(INT64_MIN, INT64_MAX));
            if (value >= parameter.lowest() && value <= parameter.highest()) {
                return value;
            }
        }
    }
    ParameterValue operator()(std::string Scene::*) const {
        if (!parameter.choices.empty()) {
            return random.pick(parameter.choices);
        }
        if (parameter.name == "model") {  // loaded on reading: it has to be there
            return random.pick(model_presets()).id;
        }
        if (parameter.name == "axes_grid") {  // refused when they are set
            return random.pick(std::vector<std::string>{"12x18", "4x12x18", "1x1"});
        }
        if (parameter.name == "positions_layout") {
            return random.pick(std::vector<std::string>{"text 4, image 4x6", "text 3 | text 5"});
        }
        return std::string{random.integer(0, 1) == 0 ? "a/path with \"quotes\"/θ.json" : "name"};
    }
    ParameterValue operator()(std::vector<double> Scene::*) const {
        std::vector<double> list(static_cast<std::size_t>(random.integer(0, 4)));
        std::ranges::generate(list, [&] { return to_double(random.integer(1, 1000)) / 7.0; });
        return list;
    }
    template <Named T>
    ParameterValue operator()(T Scene::*) const {
        return random.pick(parameter.choices);
    }
    ParameterValue operator()(std::vector<std::int64_t> Scene::*) const {
        std::vector<std::int64_t> list;
        const auto count = static_cast<std::size_t>(random.integer(1, kMostPairs));
        while (list.size() < count) {
            const std::int64_t element = whole();
            if (std::find(list.begin(), list.end(), element) == list.end()) {
                list.push_back(element);
            }
        }
        return list;
    }
};

Scene random_scene(test::Random& random) {
    Scene scene;
    for (const Parameter& parameter : parameters()) {
        if (random.integer(0, 2) == 0) {  // the others keep their default, which is not written
            continue;
        }
        ParameterValue value = std::visit(RandomValue{random, parameter}, parameter.member);
        scene = with_value(std::move(scene), parameter, std::move(value), "random");
    }
    return scene;
}

TEST(SceneProperty, FileAndTextsGiveTheSameSceneBack) {
    test::Random random;
    SCOPED_TRACE(random.trace());
    for (int round = 0; round < 200; ++round) {
        const Scene scene = random_scene(random);
        const std::string json = test::scene_file(scene);
        ASSERT_EQ(scene_from_json(json, "round trip"), scene) << json;
        Scene from_texts;
        for (const Parameter& parameter : parameters()) {
            from_texts = test::with_one_value(std::move(from_texts), parameter.name,
                                              parameter_text(scene, parameter));
        }
        ASSERT_EQ(from_texts, scene) << json;
    }
}

}  // namespace
}  // namespace ropescope
