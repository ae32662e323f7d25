// Findings of several sides, heads or layers: what differs in a place or in a number stays apart.
#include "core/diagnosis/tell/grouping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/phrases.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::ElementsAre;

constexpr double kRounding = 0x1p-19;

/// "From position 5 on the turned channels of q are zero", at the token that stands there.
Finding zeros(Side side, Index token) {
    return {"not_a_rotation",
            {say::kTableEndsInZeros, {to_double(token), side}},
            {.sides = side, .token = token},
            0.0,
            1.0};
}

Finding gain(double factor) {
    return {"gain", {say::kGain, {Side::q, factor, factor}}, {Side::q}, factor, 1.0};
}

std::vector<std::string> places(const std::vector<Finding>& findings) {
    std::vector<std::string> all;
    for (const Finding& finding : findings) {
        all.push_back(finding.where());
    }
    return all;
}

std::vector<Finding> of_sides(const Finding& of_q, const Finding& of_k) {
    const FindingsOfPart parts[] = {{{of_q}, {Side::q}}, {{of_k}, {Side::k}}};
    return grouped(parts, Among::sides, kRounding);
}

std::vector<Finding> of_layers(const Finding& first, const Finding& second) {
    const FindingsOfPart parts[] = {{{first}, {.layers = {0}}}, {{second}, {.layers = {1}}}};
    return grouped(parts, Among::layers, kRounding);
}

std::vector<Finding> of_heads(const Finding& first, const Finding& second) {
    const FindingsOfPart parts[] = {{{first}, {.q_heads = {0}, .k_heads = {0}}},
                                    {{second}, {.q_heads = {1}, .k_heads = {0}}}};
    return grouped(parts, Among::heads, kRounding);
}

TEST(Grouping, WhatBothSidesHaveIsSaidOnce) {
    const std::vector<Finding> found = of_sides(zeros(Side::q, 5), zeros(Side::k, 5));
    EXPECT_THAT(places(found), ElementsAre("q and k, token 5"));
}

TEST(Grouping, OtherTokensOfTheSidesAreTwoFindings) {
    const std::vector<Finding> found = of_sides(zeros(Side::q, 5), zeros(Side::k, 6));
    EXPECT_THAT(places(found), ElementsAre("q, token 5", "k, token 6"));
}

TEST(Grouping, SidesAreNotJoinedWhereHeadsOrLayersAre) {
    EXPECT_THAT(places(of_heads(zeros(Side::q, 5), zeros(Side::k, 5))),
                ElementsAre("q, head 0, token 5", "k, head 0, token 5"));
    EXPECT_THAT(places(of_layers(zeros(Side::q, 5), zeros(Side::k, 5))),
                ElementsAre("q, token 5, layer 0", "k, token 5, layer 1"));
}

TEST(Grouping, HeadsAndLayersAreJoined) {
    EXPECT_THAT(places(of_heads(zeros(Side::q, 5), zeros(Side::q, 5))),
                ElementsAre("q, heads 0 and 1, token 5"));
    EXPECT_THAT(places(of_heads(zeros(Side::both, 5), zeros(Side::both, 5))),
                ElementsAre("q, heads 0 and 1, and k, head 0, token 5"));
    EXPECT_THAT(places(of_layers(zeros(Side::q, 5), zeros(Side::q, 5))),
                ElementsAre("q, token 5, layers 0 and 1"));
}

/// Places that differ in one member each.
TEST(Grouping, FindingsAtOtherPlacesAreNotJoined) {
    const Finding here{"not_a_rotation", say::kNoPairTurns, {Side::q}};
    std::vector<Place> others(8, Place{Side::q});
    others[0].rows = {1};
    others[1].heads = {1};
    others[2].token = 1;
    others[3].from_token = 1;
    others[4].pair = 1;
    others[5].queries = {1, 2};
    others[6].keys = {1, 2};
    others[7].batch_rows = {1};
    for (const Place& place : others) {
        Finding there = here;
        there.place = place;
        EXPECT_EQ(of_sides(here, there).size(), 2U) << there.where();
        EXPECT_EQ(of_heads(here, there).size(), 2U) << there.where();
        EXPECT_EQ(of_layers(here, there).size(), 2U) << there.where();
    }
}

TEST(Grouping, OtherHeadsRowsAndPairsInASentenceAreNotRounding) {
    const auto moved = [](Index to, Index from) {
        return Finding{"not_a_rotation", {say::kHeadsMoved, {Side::q, to, from}}, {Side::q}};
    };
    EXPECT_EQ(of_layers(moved(0, 1), moved(0, 1)).size(), 1U);
    EXPECT_EQ(of_layers(moved(0, 1), moved(2, 3)).size(), 2U);
    const auto still = [](std::vector<Index> rows) {
        return Finding{
            "rows.unrotated", {say::kStillRows, {Numbers{"row", rows}, Side::q}}, {Side::q}};
    };
    EXPECT_EQ(of_layers(still({0}), still({1})).size(), 2U);
}

TEST(Grouping, NumbersAgreeWithinRounding) {
    EXPECT_EQ(of_layers(gain(1.2), gain(1.2 * (1.0 + 0.5 * kRounding))).size(), 1U);
    EXPECT_EQ(of_layers(gain(1.2), gain(1.2 * (1.0 + 4.0 * kRounding))).size(), 2U);
}

TEST(Grouping, NumbersWithErrorsOfTheirOwnAgreeWithinThem) {
    const auto base = [](double value, double error) {
        return Words(say::kBase, {Measured{value, error}});
    };
    EXPECT_TRUE(same(base(10000.0, 0.0), base(10000.4, 0.5), Among::layers, kRounding));
    EXPECT_FALSE(same(base(10000.0, 0.0), base(10000.4, 0.3), Among::layers, kRounding));
    EXPECT_FALSE(same(base(10000.0, 0.0), base(10000.001, 0.0), Among::layers, kRounding));
    EXPECT_TRUE(same(base(10000.0, 0.0), base(500000.0, 0.0), Among::layers, kAnyNumber));
}

TEST(Grouping, WeightsAndCodesStayApart) {
    Finding note = gain(1.2), other = gain(1.2);
    note.weight = Weight::note;
    other.code = "gain.xpos";
    EXPECT_EQ(of_layers(gain(1.2), note).size(), 2U);
    EXPECT_EQ(of_layers(gain(1.2), other).size(), 2U);
}

}  // namespace
}  // namespace ropescope::diagnosis
