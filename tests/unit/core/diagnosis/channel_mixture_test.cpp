// Mistakes in y = x cos + rotate_half(x) sin, planted with their own arithmetic.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/read_dump.h"
#include "core/faults/codes.h"
#include "core/schemes/rotary_scheme.h"
#include "tests/support/random.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;

constexpr Index kLength = 40;

/// One channel at one token: itself, its partner and the angle of its own place in the table.
struct Channel {
    double x, partner, cos, sin;
    bool first;  ///< of the pair
};
using Rule = std::function<double(const Channel&)>;

struct Code {
    Layout partners = Layout::half_split, table = Layout::half_split;
    Index head_dim = 32, rotary_dim = 32, heads = 4, key_heads = 2;
    Rule rule = [](const Channel& c) {
        return c.x * c.cos + (c.first ? -c.partner : c.partner) * c.sin;
    };
};

std::vector<float> turned(const Code& code, const std::vector<float>& x, Index heads) {
    std::vector<float> y = x;
    const auto partners = channel_pairs(code.partners, code.rotary_dim);
    const auto table = channel_pairs(code.table, code.rotary_dim);
    std::vector<Index> place(code.rotary_dim);
    for (std::size_t i = 0; i < table.size(); ++i) {
        place[table[i].first] = place[table[i].second] = static_cast<Index>(i);
    }
    const auto one = [&](Index row, Index token, Index channel, Index partner, bool first) {
        const double angle = to_double(token) * std::pow(1e4, -2.0 * to_double(place[channel]) /
                                                                  to_double(code.rotary_dim));
        y[row + channel] = to_float(code.rule(
            {x[row + channel], x[row + partner], std::cos(angle), std::sin(angle), first}));
    };
    for (Index h = 0; h < heads; ++h) {
        for (Index t = 0; t < kLength; ++t) {
            const Index row = (h * kLength + t) * code.head_dim;
            for (const ChannelPair& pair : partners) {
                one(row, t, pair.first, pair.second, true);
                one(row, t, pair.second, pair.first, false);
            }
        }
    }
    return y;
}

/// Of q by one code and of k by another.
Diagnosis diagnosed(const Code& of_q, const Code& of_k) {
    std::vector<Tensor> tensors;
    for (const std::string name : {"q", "k"}) {
        const Code& code = name == "q" ? of_q : of_k;
        const Index heads = name == "q" ? code.heads : code.key_heads;
        const std::vector<std::int64_t> sizes = {1, heads, kLength, code.head_dim};
        const auto x =
            test::Random(name == "q" ? 3 : 4).normal<float>(heads * kLength * code.head_dim);
        const std::vector<float> y = turned(code, x, heads);
        tensors.push_back(make_tensor(name, sizes, std::span<const float>(x)));
        tensors.push_back(make_tensor(name + "_rot", sizes, std::span<const float>(y)));
    }
    std::vector<TensorBytes> views;
    std::ranges::transform(tensors, std::back_inserter(views), &Tensor::view);
    return diagnose(make_dump(views, nullptr, "test", {.axes = "bhld"}), nullptr);
}

Diagnosis diagnosed(const Code& code) {
    return diagnosed(code, code);
}

void expect_mistake(const Code& code, const std::string& words) {
    const Diagnosis found = diagnosed(code);
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary;
    ASSERT_FALSE(found.findings.empty());
    EXPECT_EQ(found.findings.front().code, faults::kNotARotation);
    EXPECT_THAT(found.findings.front().text, HasSubstr(words));
    EXPECT_THAT(found.findings.front().where, testing::StartsWith("q"));
}

TEST(ChannelMixture, TablesOfTheOtherLayoutAreNamed) {
    for (const Index rotary_dim : {32, 16}) {
        expect_mistake({.table = Layout::interleaved, .rotary_dim = rotary_dim},
                       "half_split partners, but cos and sin are laid out for interleaved pairs");
        expect_mistake({.partners = Layout::interleaved, .rotary_dim = rotary_dim},
                       "interleaved partners, but cos and sin are laid out for half_split pairs");
    }
}

TEST(ChannelMixture, ALostMinusSignIsNamed) {
    const Rule rule = [](const Channel& c) { return c.x * c.cos + c.partner * c.sin; };
    expect_mistake({.rule = rule}, "rotate_half lost its minus sign");
    expect_mistake({.partners = Layout::interleaved, .table = Layout::interleaved, .rule = rule},
                   "the rotation of neighbours lost its minus sign");
}

TEST(ChannelMixture, AMissingTermIsNamed) {
    expect_mistake({.rule = [](const Channel& c) { return c.x * c.cos; }},
                   "the term with sin is missing");
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

TEST(ChannelMixture, QAndKMayHaveOneEach) {
    const Code lost{.rule = [](const Channel& c) { return c.x * c.cos + c.partner * c.sin; }};
    const Diagnosis found = diagnosed(lost, {.table = Layout::interleaved});
    ASSERT_EQ(found.findings.size(), 2U) << found.summary;
    EXPECT_THAT(found.findings[0].text, HasSubstr("pair of q, where"));
    EXPECT_EQ(found.findings[0].where, "q");
    EXPECT_THAT(found.findings[1].text, HasSubstr("Channels of k are added"));
    EXPECT_EQ(found.findings[1].where, "k");
    EXPECT_EQ(diagnosed(lost).findings.size(), 1U);
}

TEST(ChannelMixture, ARotationHasNone) {
    EXPECT_EQ(diagnosed({}).verdict, Verdict::valid);
    const Diagnosis noise =
        diagnosed({.rule = [](const Channel& c) { return std::sin(17.0 * c.x) + c.partner; }});
    EXPECT_EQ(noise.verdict, Verdict::invalid);
    EXPECT_THAT(noise.findings.front().text, HasSubstr("No pairing"));
}

}  // namespace
}  // namespace ropescope::diagnosis
