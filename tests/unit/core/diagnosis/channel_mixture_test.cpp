// Mistakes in y = x cos + rotate_half(x) sin, planted with their own arithmetic.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/planted_code.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;

void expect_mistake(const Code& code, const std::string& words) {
    const Diagnosis found = diagnosed(code);
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    ASSERT_FALSE(found.findings.empty());
    EXPECT_EQ(found.findings.front().code, faults::code("not_a_rotation"));
    EXPECT_THAT(found.findings.front().text(), HasSubstr(words));
    EXPECT_THAT(found.findings.front().where(), testing::StartsWith("q"));
}

TEST(ChannelMixture, TablesOfTheOtherLayoutAreNamed) {
    for (const Index rotary_dim : {32, 16}) {
        expect_mistake({.table = Layout::interleaved, .rotary_dim = rotary_dim},
                       "half-split partners, but cos and sin are laid out for interleaved pairs");
        expect_mistake({.partners = Layout::interleaved, .rotary_dim = rotary_dim},
                       "interleaved partners, but cos and sin are laid out for half-split pairs");
    }
}

/// cos = cat((freqs, freqs)).cos() beside sin = freqs.repeat_interleave(2).sin(), and the reverse.
TEST(ChannelMixture, TablesOfDifferentLayoutsAreNamed) {
    const auto mixed = [](Layout partners, bool cos_first) {
        return Code{
            .partners = partners, .table = Layout::half_split, .rule = [=](const Channel& c) {
                const double cos = cos_first ? c.cos : c.other_cos;
                const double sin = cos_first ? c.other_sin : c.sin;
                return c.x * cos + (c.first ? -c.partner : c.partner) * sin;
            }};
    };
    for (const Layout partners : {Layout::half_split, Layout::interleaved}) {
        expect_mistake(mixed(partners, true),
                       "cos is laid out for half-split pairs, but sin for interleaved ones");
        expect_mistake(mixed(partners, false),
                       "cos is laid out for interleaved pairs, but sin for half-split ones");
    }
}

TEST(ChannelMixture, ALostMinusSignIsNamed) {
    const Rule rule = [](const Channel& c) { return c.x * c.cos + c.partner * c.sin; };
    expect_mistake({.rule = rule}, "rotate_half lost its minus sign, or has two");
    expect_mistake({.partners = Layout::interleaved, .table = Layout::interleaved, .rule = rule},
                   "the rotation of neighbours lost its minus sign");
}

TEST(ChannelMixture, AMissingTermIsNamed) {
    expect_mistake({.rule = [](const Channel& c) { return c.x * c.cos; }},
                   "the term with sin is missing");
}

TEST(ChannelMixture, ASignWithoutAnExchangeIsNamed) {
    const Rule rule = [](const Channel& c) { return c.x * c.cos + (c.first ? -c.x : c.x) * c.sin; };
    expect_mistake({.rule = rule}, "rotate_half changes a sign, but does not exchange");
    expect_mistake({.partners = Layout::interleaved, .table = Layout::interleaved, .rule = rule},
                   "the rotation of neighbours changes a sign, but does not exchange");
}

/// Neither a sign nor an exchange: cos + sin in both channels is not cos without its sin.
TEST(ChannelMixture, FactorsThatNoTermExplainsAreOnlyDescribed) {
    expect_mistake({.rule = [](const Channel& c) { return c.x * (c.cos + c.sin); }},
                   "their partners are never added: that is no rotation");
}

TEST(ChannelMixture, TwoMinusSignsAreALostOne) {
    expect_mistake({.rule = [](const Channel& c) { return c.x * c.cos - c.partner * c.sin; }},
                   "lost its minus sign, or has two");
}

TEST(ChannelMixture, AChannelThatIsOverwrittenBeforeItIsReadIsNamed) {
    // x1 = x1 cos - x2 sin; x2 = x2 cos + x1 sin, in place.
    const Rule second = [](const Channel& c) {
        return c.first ? c.x * c.cos - c.partner * c.sin
                       : c.x * c.cos + (c.partner * c.cos - c.x * c.sin) * c.sin;
    };
    const Rule first = [](const Channel& c) {
        return c.first ? c.x * c.cos - (c.partner * c.cos + c.x * c.sin) * c.sin
                       : c.x * c.cos + c.partner * c.sin;
    };
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        expect_mistake({.partners = layout, .table = layout, .rule = second},
                       "x1 is overwritten before it is read");
        expect_mistake({.partners = layout, .table = layout, .rule = first},
                       "x2 is overwritten before it is read");
    }
}

/// What is close to these two mistakes is not called by their names.
TEST(ChannelMixture, WrittenOtherwiseIsNeitherOverwrittenNorLeftAlone) {
    const auto second = [](const Rule& rule) {
        return Code{.rule = [=](const Channel& c) {
            return c.first ? c.x * c.cos - c.partner * c.sin : rule(c);
        }};
    };
    expect_mistake(second([](const Channel& c) { return 0.5 * c.x * c.cos; }), "No pairing");
    expect_mistake(second([](const Channel& c) {
                       return -c.x * c.cos + (c.partner * c.cos - c.x * c.sin) * c.sin;
                   }),
                   "No pairing");
}

TEST(ChannelMixture, AHalfThatIsNotWrittenIsNamed) {
    for (const bool first : {false, true}) {
        const Rule rule = [=](const Channel& c) {
            return c.first == first ? c.x
                                    : c.x * c.cos + (c.first ? -c.partner : c.partner) * c.sin;
        };
        for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
            for (const Index rotary_dim : {32, 16}) {
                expect_mistake(
                    {.partners = layout, .table = layout, .rotary_dim = rotary_dim, .rule = rule},
                    first ? "The first channel of every" : "The second channel of every");
            }
        }
    }
}

TEST(ChannelMixture, AFactorOnOneOfTheTablesIsNamed) {
    for (const double factor : {0.5, 2.0}) {
        expect_mistake({.rule =
                            [=](const Channel& c) {
                                return c.x * c.cos +
                                       factor * (c.first ? -c.partner : c.partner) * c.sin;
                            }},
                       factor == 0.5 ? "sin is multiplied by 0.5" : "sin is multiplied by 2");
        expect_mistake({.rule =
                            [=](const Channel& c) {
                                return factor * c.x * c.cos +
                                       (c.first ? -c.partner : c.partner) * c.sin;
                            }},
                       factor == 0.5 ? "cos is multiplied by 0.5" : "cos is multiplied by 2");
    }
}

/// Two mistakes at once, or one and a little of something else, are not given the name of one.
TEST(ChannelMixture, OnlyWhatExplainsEveryNumberIsNamed) {
    const Rule half_sin = [](const Channel& c) {
        return c.x * c.cos + 0.5 * (c.first ? -c.partner : c.partner) * c.sin;
    };
    expect_mistake({.table = Layout::interleaved, .rule = half_sin}, "No pairing");
    // Half a table's error of bf16 off: the factors agree, the numbers do not.
    const Rule nearly = [](const Channel& c) {
        return c.x * c.cos + c.partner * c.sin + 5e-4 * std::sin(17.0 * c.x);
    };
    expect_mistake({.rule = nearly}, "No pairing");
}

TEST(ChannelMixture, QAndKMayHaveOneEach) {
    const Code lost{.rule = [](const Channel& c) { return c.x * c.cos + c.partner * c.sin; }};
    const Diagnosis found = diagnosed(lost, {.table = Layout::interleaved});
    ASSERT_EQ(found.findings.size(), 2U) << found.summary();
    EXPECT_THAT(found.findings[0].text(), HasSubstr("pair of q, where"));
    EXPECT_EQ(found.findings[0].where(), "q");
    EXPECT_THAT(found.findings[1].text(), HasSubstr("Channels of k are added"));
    EXPECT_EQ(found.findings[1].where(), "k");
    EXPECT_EQ(diagnosed(lost).findings.size(), 1U);
    const auto scaled_sin = [](double factor) {
        return Code{.rule = [=](const Channel& c) {
            return c.x * c.cos + factor * (c.first ? -c.partner : c.partner) * c.sin;
        }};
    };
    const Diagnosis two = diagnosed(scaled_sin(0.5), scaled_sin(0.7));
    // Neither side has angles, so that no spectrum is read from them.
    ASSERT_EQ(two.findings.size(), 2U) << two.summary();
    EXPECT_THAT(two.findings[0].text(), HasSubstr("sin is multiplied by 0.5 in q"));
    EXPECT_THAT(two.findings[1].text(), HasSubstr("sin is multiplied by 0.7 in k"));
}

TEST(ChannelMixture, ARotationHasNone) {
    EXPECT_EQ(diagnosed({}).verdict, Verdict::valid);
    const Diagnosis noise =
        diagnosed({.rule = [](const Channel& c) { return std::sin(17.0 * c.x) + c.partner; }});
    EXPECT_EQ(noise.verdict, Verdict::invalid);
    EXPECT_THAT(noise.findings.front().text(), HasSubstr("No pairing"));
}

}  // namespace
}  // namespace ropescope::diagnosis
