// Any scene, however odd, survives the trip through its file and through --set.
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <random>

#include "app/scene/parameters.h"
#include "app/scene/values.h"

namespace ropescope {
namespace {

/// A random value that the parameter accepts.
struct RandomValue {
    std::mt19937_64& random;
    const Parameter& parameter;

    std::int64_t whole() const {
        return std::uniform_int_distribution<std::int64_t>(
            static_cast<std::int64_t>(parameter.lowest()),
            static_cast<std::int64_t>(parameter.highest()))(random);
    }
    Value operator()(std::int64_t Scene::*) const { return whole(); }
    Value operator()(double Scene::*) const {
        // Any bit pattern, so that every exponent occurs.
        for (;;) {
            const auto value = std::bit_cast<double>(random());
            if (value >= parameter.lowest() && value <= parameter.highest()) {
                return value;
            }
        }
    }
    Value operator()(std::string Scene::*) const {
        if (!parameter.choices.empty()) {
            return parameter.choices[random() % parameter.choices.size()];
        }
        return std::string{random() % 2 == 0 ? "a/path with \"quotes\"/θ.json" : "name"};
    }
    Value operator()(std::vector<std::int64_t> Scene::*) const {
        std::vector<std::int64_t> list;
        const std::size_t count = 1 + random() % kMostPairs;
        while (list.size() < count) {
            const std::int64_t element = whole();
            if (std::find(list.begin(), list.end(), element) == list.end()) {
                list.push_back(element);
            }
        }
        return list;
    }
};

Scene random_scene(std::mt19937_64& random) {
    Scene scene;
    for (const Parameter& parameter : parameters()) {
        if (random() % 3 == 0) {  // the others keep their default, which is not written
            continue;
        }
        Value value = std::visit(RandomValue{random, parameter}, parameter.member);
        scene = with_value(std::move(scene), parameter, std::move(value), "random");
    }
    return scene;
}

TEST(SceneProperty, FileAndTextsGiveTheSameSceneBack) {
    const std::uint64_t seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (int round = 0; round < 200; ++round) {
        const Scene scene = random_scene(random);
        const std::string json = scene_to_json(scene);
        ASSERT_EQ(scene_from_json(json, "round trip"), scene) << json;
        Scene from_texts;
        for (const Parameter& parameter : parameters()) {
            from_texts = set_parameter(std::move(from_texts), parameter.name,
                                       parameter_text(scene, parameter));
        }
        ASSERT_EQ(from_texts, scene) << json;
    }
}

}  // namespace
}  // namespace ropescope
