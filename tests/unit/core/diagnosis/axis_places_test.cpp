// Ids of several axes that were counted otherwise than the dump states them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/expectation.h"
#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;

/// Qwen2-VL's text part on four words, an image of 4 x 7 patches and eight words.
constexpr Index kPlacedTokens = 40, kPairs = 64;
using PlaceInAxes = std::array<double, 3>;

PlaceInAxes stated_at(Index token) {
    const double t = to_double(token);
    if (token < 4) {
        return {t, t, t};
    }
    if (token < 32) {
        return {4.0, to_double(4 + (token - 4) / 7), to_double(4 + (token - 4) % 7)};
    }
    return {t - 21.0, t - 21.0, t - 21.0};
}

Index axis_of(Index pair) {
    return pair < 16 ? 0 : pair < 40 ? 1 : 2;
}

/// Turned as if tokens stood where `place` says, by the axes of `axis`, at this base.
Diagnosis diagnosed_at(const std::function<PlaceInAxes(Index)>& place,
                       const Expectation* expectation,
                       const std::function<Index(Index)>& axis = axis_of, double base = 1e6) {
    test::Implementation made =
        implementation_of({.head_dim = 128, .rotary_dim = 128, .base = base}, kPlacedTokens);
    made.state_positions = false;
    for (std::size_t a = 0; a < 3; ++a) {
        for (Index token = 0; token < kPlacedTokens; ++token) {
            made.axis_positions.push_back(stated_at(token)[a]);
        }
    }
    made.angle_of = [=, omega = made.omega](const test::At& at, Index pair) {
        return omega[pair] * place(at.l)[axis(pair)];
    };
    return diagnose(dump_of(made), expectation);
}

std::string first_text(const Diagnosis& found) {
    return found.findings.empty() ? found.summary() : found.findings.front().text();
}

PlaceInAxes by_slot(Index token) {
    const double t = to_double(token);
    return {t, t, t};
}

TEST(AxisPlaces, SlotsAreNamedWithAnExpectationAndWithout) {
    const Expectation expected = read_expectation("qwen2-vl-7b");
    for (const Expectation* expectation : {&expected, static_cast<const Expectation*>(nullptr)}) {
        EXPECT_EQ(diagnosed_at(stated_at, expectation).verdict, Verdict::valid);
        const Diagnosis found = diagnosed_at(by_slot, expectation);
        EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
        EXPECT_EQ(found.findings.front().code, faults::code("positions.per_row"));
        EXPECT_THAT(first_text(found),
                    HasSubstr("q turns by the slot of each token in every axis"));
        EXPECT_THAT(first_text(found),
                    HasSubstr("token 5 as (t, h, w) = (5, 5, 5), stated (4, 4, 5)"));
    }
}

TEST(AxisPlaces, TextThatGoesOnBehindTheImageIsNamed) {
    const Expectation expected = read_expectation("qwen2-vl-7b");
    const Diagnosis found = diagnosed_at(
        [](Index token) { return token < 32 ? stated_at(token) : by_slot(token); }, &expected);
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_THAT(first_text(found), HasSubstr("8 of 40 tokens of q turn as other positions"));
    EXPECT_THAT(first_text(found),
                HasSubstr("token 32 as (t, h, w) = (32, 32, 32), stated (11, 11, 11)"));
}

TEST(AxisPlaces, ImagesThatCountFromZeroAreNamed) {
    const Expectation expected = read_expectation("qwen2-vl-7b");
    const Diagnosis found = diagnosed_at(
        [](Index token) {
            PlaceInAxes place = stated_at(token);
            if (token >= 4 && token < 32) {
                place[1] -= 4.0;
                place[2] -= 4.0;
            }
            return place;
        },
        &expected);
    EXPECT_THAT(first_text(found), HasSubstr("28 of 40 tokens"));
    EXPECT_THAT(first_text(found), HasSubstr("token 4 as (t, h, w) = (4, 0, 0), stated (4, 4, 4)"));
}

TEST(AxisPlaces, AnotherBaseIsSaidWithItsNumbers) {
    const Expectation expected = read_expectation("qwen2-vl-7b");
    const Diagnosis found = diagnosed_at(stated_at, &expected, axis_of, 1e4);
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    // base^(-2/128) for pair 1.
    EXPECT_THAT(first_text(found), HasSubstr("the base was 10000 in place of 1000000"));
}

TEST(AxisPlaces, ExchangedAxesAreNamedAtAnotherBaseToo) {
    const Expectation expected = read_expectation("qwen2-vl-7b");
    const auto swapped = [](Index pair) {
        return Index{axis_of(pair) == 0 ? 0 : 3 - axis_of(pair)};
    };
    const Diagnosis same_base = diagnosed_at(stated_at, &expected, swapped);
    EXPECT_EQ(same_base.findings.front().code, faults::code("axes.swapped"));
    EXPECT_THAT(first_text(same_base), HasSubstr("of the expected model otherwise."));
    const Diagnosis other_base = diagnosed_at(stated_at, &expected, swapped, 1e4);
    EXPECT_EQ(other_base.findings.front().code, faults::code("axes.swapped"));
    EXPECT_THAT(first_text(other_base), HasSubstr("otherwise, but 63 pairs at another speed"));
}

}  // namespace
}  // namespace ropescope::diagnosis
