#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "core/base/number_format.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "core/positions/position_check.h"
#include "tests/unit/core/positions/segments.h"

namespace ropescope {
namespace {

using test::codes;
using test::image;
using test::text;
using test::video;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kFp32 = 0x1p-24;

GridRule rule_of(const char* preset) {
    return std::get<GridRule>(open_model(preset).part().scheme.positions);
}

GridPlan plan_of(const char* preset, std::vector<Segment> row) {
    return {rule_of(preset), {.rows = {std::move(row)}}};
}

/// What is found in the positions of `other` if those of `right` are expected.
std::vector<std::string> found(const GridPlan& right, const GridPlan& other) {
    return codes(judge_positions(right, other.positions(), kFp32));
}

/// All presets that count patches, each with a layout of unlike sides, and text where it has some.
std::vector<GridPlan> plans() {
    std::vector<GridPlan> all;
    for (const Preset& preset : several_axes_presets()) {
        const auto scheme = open_model(preset.name).part().scheme;
        const auto* rule = std::get_if<GridRule>(&scheme.positions);
        if (rule == nullptr) {
            continue;
        }
        const bool frames = axis_of_side(*rule, GridSide::frame) >= 0;
        std::vector<Segment> row = {rule->square ? image(5, 5)
                                    : frames     ? video(3, 4, 6)
                                                 : image(4, 6)};
        if (rule->text != TextPositions::none) {
            row.insert(rule->text_first ? row.begin() : row.end(), text(4));
        }
        all.push_back({*rule, {.rows = {row}}});
    }
    return all;
}

TEST(GridCheck, RightPositionsAreRightInEveryPrecision) {
    ASSERT_GE(plans().size(), 15U);
    for (const GridPlan& plan : plans()) {
        LayoutPositions given = plan.positions();
        EXPECT_TRUE(judge_positions(plan, given, kFp32).right());
        for (double& value : given.values) {
            value = static_cast<float>(value);
        }
        EXPECT_TRUE(judge_positions(plan, given, kFp32).right());
        for (double& value : given.values) {
            value = f32_from_bf16(bf16_from_f64(value));
        }
        EXPECT_TRUE(judge_positions(plan, given, 0x1p-8).right());
    }
}

TEST(GridCheck, EveryFaultIsNamedOrSaidToBeUnseen) {
    std::set<std::string_view> seen;
    std::vector<GridPlan> all = plans();
    all.push_back(plan_of("flux.2", {text(3), image(2, 3), image(4, 3), image(2, 3)}));
    for (const GridPlan& plan : all) {
        const auto unseen = judge_positions(plan, plan.positions(), kFp32).unseen;
        for (const GridFault& fault : grid_faults(plan)) {
            bool shows = false;
            for (const GridVariation& variation : fault.variations) {
                const PositionVerdict verdict = judge_positions(plan, *variation.make(plan), kFp32);
                shows |= !verdict.right();
                EXPECT_TRUE(verdict.right() || std::ranges::count(codes(verdict), fault.code) == 1)
                    << fault.code << ": " << variation.how;
            }
            EXPECT_EQ(shows,
                      std::ranges::find(unseen, fault.code, &UnseenFault::code) == unseen.end())
                << fault.code;
            if (shows) {
                seen.insert(fault.code);
            }
        }
    }
    const GridPlan none{{.axes = {{.axis = "x"}}},
                        {}};  // concerns no fault, and the parts name all
    for (const auto& part : {grid_order_faults(none), grid_place_faults(none)}) {
        for (const auto& [code, shown_by, concerns, variations] : part) {
            EXPECT_TRUE(seen.contains(code) || code == "ids.rows_repeated" ||
                        code == "ids.interval_missing")
                << code << " is never made";
        }
    }
}

TEST(GridCheck, TheFirstTokenThatDiffersIsFound) {
    const GridPlan plan = plan_of("flux.1", {text(2), image(2, 3)});
    LayoutPositions given = plan.positions();
    given.values[2 * 8 + 6] += 1.0;  // axis w, token 6
    const PositionVerdict verdict = judge_positions(plan, given, kFp32);
    ASSERT_TRUE(verdict.first);
    EXPECT_EQ(verdict.first->token, 6);
    EXPECT_EQ(verdict.first->axis, 2);
    EXPECT_EQ(verdict.first->origin.index, 4);
    EXPECT_EQ(verdict.first->found - verdict.first->expected, 1.0);
    EXPECT_EQ(verdict.differing, 1);
    EXPECT_EQ(verdict.tokens, 8);
    EXPECT_THAT(verdict.findings, IsEmpty());
}

TEST(GridCheck, NamesWhatImplementationsGetWrong) {
    const GridPlan wan = plan_of("wan-2.1", {video(2, 3, 4)});
    GridPlan other = wan;
    std::swap(other.rule.axes[1].side, other.rule.axes[2].side);
    EXPECT_THAT(found(wan, other), Contains("ids.axes_swapped"));
    const GridPlan qwen = plan_of("qwen-image", {text(3), image(4, 6)});
    other = qwen;
    other.rule.axes[1].spacing = other.rule.axes[2].spacing = Spacing::plain;
    EXPECT_THAT(found(qwen, other), Contains("ids.centring"));
    const GridPlan tower = plan_of("qwen2-vl-vision", {image(4, 8)});
    other = tower;
    other.rule.merge = 1;
    EXPECT_THAT(found(tower, other), Contains("ids.block_order"));
    EXPECT_THAT(found(other, tower), Contains("ids.block_order"));
}

TEST(GridCheck, TokensThatDoNotTurnDoNotCount) {
    GridPlan plan{
        {.axes = {{.axis = "h", .side = GridSide::row}, {.axis = "w", .side = GridSide::column}},
         .still_before = 1},
        {.rows = {{image(2, 3)}}}};
    LayoutPositions given = plan.positions();
    given.values[0] = -7.0;
    const PositionVerdict verdict = judge_positions(plan, given, kFp32);
    EXPECT_TRUE(verdict.right());
    EXPECT_TRUE(verdict.others_differ);
    EXPECT_EQ(verdict.tokens, 6);
    GridPlan behind = plan;
    std::swap(behind.rule.still_before, behind.rule.still_after);
    EXPECT_THAT(found(plan, behind), Contains("ids.prefix_side"));
}

TEST(GridCheck, WholePositionsAreComparedExactly) {
    const GridPlan plan = plan_of("wan-2.1", {video(1, 1, 300)});
    const std::vector<double> tolerances = position_tolerances(plan.positions(), 0x1p-8);
    EXPECT_THAT(tolerances, testing::Each(0.0));
    LayoutPositions given = plan.positions();
    for (double& value : given.values) {
        value = f32_from_bf16(bf16_from_f64(value));
    }
    const PositionVerdict verdict = judge_positions(plan, given, 0x1p-8);
    EXPECT_EQ(verdict.first->token, 257);  // the first number that bfloat16 does not have
    EXPECT_THAT(codes(verdict), testing::ElementsAre("ids.rounded"));
}

TEST(GridCheck, AFaultThatTheLayoutHidesIsSaid) {
    const auto unseen = [](const GridPlan& plan) {
        std::vector<std::string_view> all;
        for (const auto& fault : judge_positions(plan, plan.positions(), kFp32).unseen) {
            all.push_back(fault.code);
        }
        return all;
    };
    EXPECT_THAT(unseen(plan_of("wan-2.1", {video(1, 1, 1)})), Contains("ids.axes_swapped"));
    EXPECT_THAT(unseen(plan_of("wan-2.1", {video(2, 3, 4)})), Not(Contains("ids.axes_swapped")));
}

/// The second fault is made by hand, on positions that a first one has made.
TEST(GridCheck, TwoFaultsAtOnceAreNamedTogether) {
    const GridPlan plan = plan_of("flux.1", {text(3), image(4, 6)});
    const GridPlan wide = plan_of("flux.1", {text(3), image(6, 4)});  // sides swapped
    LayoutPositions larger = wide.positions();
    for (double& value : larger.values) {
        value += 1.0;
    }
    const PositionVerdict verdict = judge_positions(plan, larger, kFp32);
    EXPECT_THAT(verdict.findings, IsEmpty());
    ASSERT_FALSE(verdict.pairs.empty());
    EXPECT_EQ(verdict.pairs[0].first.code, "ids.axes_swapped");
    EXPECT_EQ(verdict.pairs[0].second.code, "ids.one_based");

    larger.values[5] += 0.25;
    EXPECT_THAT(judge_positions(plan, larger, kFp32).pairs, IsEmpty());
}

}  // namespace
}  // namespace ropescope
