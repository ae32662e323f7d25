// The vector that walks from interleaved to half-split, against the layouts' definition.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/layouts/layouts.h"
#include "app/figures/view.h"
#include "app/scene/parameters.h"
#include "core/rope/layout.h"

namespace ropescope::figures {
namespace {

using ::testing::HasSubstr;

Scene scene_at(double walk, std::int64_t head_dim, std::int64_t rotary_dim) {
    Scene scene;
    scene.view = "layouts";
    scene.walk = walk;
    scene.head_dim = head_dim;
    scene.rotary_dim = rotary_dim;
    return with_existing_pairs(scene);
}

Walk walk_at(double walk, std::int64_t head_dim, std::int64_t rotary_dim) {
    return make_walk(scene_at(walk, head_dim, rotary_dim), *make_cpu_engine(1));
}

struct Dims {
    std::int64_t head_dim, rotary_dim;
};
constexpr Dims kDims[] = {{2, 2}, {4, 4}, {6, 2}, {16, 8}, {128, 128}, {1024, 768}, {4096, 4096}};

TEST(LayoutsWalk, BeginsInterleavedAndEndsHalfSplit) {
    for (const Dims dims : kDims) {
        const Walk first = walk_at(0, dims.head_dim, dims.rotary_dim);
        const Walk last = walk_at(1, dims.head_dim, dims.rotary_dim);
        const auto rotary = static_cast<int>(dims.rotary_dim);
        for (int pair = 0; pair < rotary / 2; ++pair) {
            const ChannelPair from = pair_channels(Layout::interleaved, rotary, pair);
            const ChannelPair to = pair_channels(Layout::half_split, rotary, pair);
            EXPECT_EQ(slot_now(first, from.first), from.first);
            EXPECT_EQ(slot_now(first, from.second), from.second);
            EXPECT_EQ(slot_now(last, from.first), to.first);
            EXPECT_EQ(slot_now(last, from.second), to.second);
        }
        for (int channel = rotary; channel < dims.head_dim; ++channel) {
            EXPECT_EQ(slot_now(last, channel), channel) << "not rotated: it stays";
        }
    }
}

TEST(LayoutsWalk, PairsGoTogetherAndInOrder) {
    const Walk walk = walk_at(0.5, 16, 16);
    for (int channel = 0; channel < 16; channel += 2) {
        EXPECT_EQ(walked(walk, channel), walked(walk, channel + 1));
        if (channel > 0) {
            EXPECT_LT(walked(walk, channel), walked(walk, channel - 1));
        }
    }
    EXPECT_EQ(walked(walk, 0), 1);
    EXPECT_EQ(walked(walk, 15), 0);
    EXPECT_EQ(walked(walk_at(0.25, 2, 2), 0), 0.25) << "one pair has the whole time";
}

TEST(LayoutsWalk, RotationCommutesAndOnlyThePermutationKeepsTheScore) {
    for (const Dims dims : kDims) {
        Scene scene = scene_at(0, dims.head_dim, dims.rotary_dim);
        scene.query_position = 100000;
        const Walk walk = make_walk(scene, *make_cpu_engine(1));
        EXPECT_TRUE(walk.same_score()) << dims.head_dim;
        // The same products and sums in both layouts: only the order of the channels differs.
        EXPECT_EQ(walk.largest_difference, 0) << dims.head_dim;
        if (dims.rotary_dim > 2) {
            EXPECT_GT(std::abs(walk.score_without_p - walk.score), 1e-3) << dims.head_dim;
        }
    }
}

TEST(LayoutsWalk, BothFiguresCarryItsNumbers) {
    for (const LayoutsShow show : {LayoutsShow::systems, LayoutsShow::walk}) {
        Scene scene = scene_at(0.5, 8, 6);
        scene.layouts_show = show;
        const plot::Figure figure = make_figure(scene, *make_cpu_engine(1));
        const auto& series = std::get<std::vector<std::string>>(figure.data.columns[1].values);
        EXPECT_EQ(std::ranges::count(series, "slot_now"), 8) << to_string(show);
        EXPECT_THAT(figure.report, HasSubstr("6 to 7 are not rotated and stay")) << to_string(show);
        EXPECT_THAT(figure.report, HasSubstr("2i goes to i, 2i + 1 to i + 3"));
    }
}

TEST(LayoutsWalk, AClickEnlargesItAndMakesItSmallAgain) {
    Scene small;
    small.view = "layouts";
    const auto click = [](const Scene& scene) {
        return make_picture(scene, *make_cpu_engine(1)).scene_after_click(scene, "walk", {3, 0});
    };
    const Scene large = click(small);
    EXPECT_EQ(large.layouts_show, LayoutsShow::walk);
    EXPECT_EQ(click(large), small);
}

TEST(LayoutsWalk, EveryHeadDimDrawsAtEveryPlace) {
    for (const Dims dims : kDims) {
        for (const double at : {0.0, 0.001, 0.5, 1.0}) {
            Scene scene = scene_at(at, dims.head_dim, dims.rotary_dim);
            scene.layouts_show = LayoutsShow::walk;
            scene.query_position = kMaxPosition;
            const plot::Figure figure = make_figure(scene, *make_cpu_engine(1));
            EXPECT_LT(figure.panels.front().marks.size(), 1000U) << "detail follows the size";
        }
    }
}

}  // namespace
}  // namespace ropescope::figures
