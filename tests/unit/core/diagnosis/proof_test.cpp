// What is stated must be true of every vector: statements that the tensors do not prove.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/measure/pairing.h"
#include "core/diagnosis/words.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"
#include "tests/support/random.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"
#include "tests/unit/core/diagnosis/planted_code.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const RopeSpec kWide{.head_dim = 64, .rotary_dim = 64};

std::vector<std::string> codes_of(const Diagnosis& found) {
    std::vector<std::string> codes;
    std::ranges::transform(found.findings, std::back_inserter(codes), &Finding::code);
    return codes;
}

/// The slow pairs of YaRN and its factor, in so few tokens that other methods explain some of them.
TEST(Proof, YarnOfFewTokensInBfloat16IsNoFault) {
    for (const double factor : {8.0, 16.0}) {
        RopeSpec spec{.head_dim = 128, .rotary_dim = 128};
        spec.scaling = YarnScaling{.factor = factor, .original_positions = 4096};
        for (const Index length : {2, 16, 24, 64}) {
            test::Implementation made = implementation_of(spec, length);
            made.dtype = Dtype::bf16;
            const Diagnosis found = diagnose(dump_of(made));
            EXPECT_NE(found.verdict, Verdict::invalid) << length << ": " << found.summary();
        }
    }
}

TEST(Proof, AFractionalOffsetOfBothSidesLeavesTheScores) {
    const Expectation expected{.name = "config.json", .specs = {kWide}};
    for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
        test::Implementation made = implementation_of(kWide, 24);
        made.dtype = dtype;
        made.turned_by = [](const test::At&, double own) { return own + 0.5; };
        const Diagnosis found = diagnosed(made, expected);
        EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
        EXPECT_TRUE(passes(found)) << found.summary();
        made.turned_by = [](const test::At& at, double own) { return own + (at.key ? 0.5 : 0.25); };
        EXPECT_FALSE(passes(diagnosed(made, expected)));
    }
}

/// Of keys alone, too: those of earlier steps stand at the stated positions.
TEST(Proof, AnOffsetOfKeysOfOneStepIsAFault) {
    test::Implementation made = implementation_of(kWide, 1);
    made.batch = 3;
    made.stated = {258.0, 1653.0, 4725.0};
    made.turned_by = [](const test::At&, double own) { return own + 1.0; };
    Dump dump = dump_of(made);
    dump.k_positions = dump.k_positions ? dump.k_positions : dump.q_positions;
    dump.q.reset();
    const Expectation expected{.name = "config.json", .specs = {kWide}};
    EXPECT_FALSE(passes(diagnose(dump, &expected))) << diagnose(dump, &expected).summary();
    EXPECT_FALSE(passes(diagnose(dump))) << diagnose(dump).summary();
}

TEST(Proof, ASlightlyOtherBaseOfKIsNoStatementOfBoth) {
    test::Implementation made = implementation_of(kWide, 50);
    made.dtype = Dtype::bf16;
    for (double& position : made.stated) {
        position += 2000.0;
    }
    RopeSpec other = kWide;
    other.base *= 1.003;
    made.key_omega = make_spectrum(other).inv_freq_rad;
    const Diagnosis found = diagnose(dump_of(made));
    EXPECT_NE(found.verdict, Verdict::valid) << found.summary();
    EXPECT_NE(found.verdict, Verdict::equivalent) << found.summary();
}

TEST(Proof, OneLongerPairIsNoXpos) {
    test::Implementation made = implementation_of(kWide, 24);
    made.pair_gain = [](const test::At&, Index pair) { return pair == 20 ? 1.03 : 1.0; };
    const Diagnosis found = diagnose(dump_of(made));
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_THAT(codes_of(found), Not(Contains(faults::code("gain.xpos"))));
}

TEST(Proof, ZerosAtPositionZeroAreNoTableThatEnds) {
    const Diagnosis found = diagnosed(Code{.rule = [](const Channel& c) {
        return c.x * c.sin + (c.first ? -c.partner : c.partner) * c.sin;
    }});
    EXPECT_EQ(found.verdict, Verdict::invalid);
    for (const Finding& finding : found.findings) {
        EXPECT_THAT(finding.text(), Not(HasSubstr("the table ends")));
    }
    EXPECT_THAT(found.findings.front().text(), HasSubstr("zero at position 0 alone"));
}

/// What is zero where, by the positions and not by the order of the tokens.
TEST(Proof, ZerosAreSaidToStandWhereTheyDo) {
    const auto said = [](const std::function<bool(const test::At&)>& is_zero, bool reversed) {
        test::Implementation made = implementation_of(kWide, 24);
        if (reversed) {
            std::ranges::reverse(made.stated);
        }
        made.pair_gain = [&](const test::At& at, Index) { return is_zero(at) ? 0.0 : 1.0; };
        return diagnose(dump_of(made)).findings.front().text();
    };
    const auto late = [](const test::At& at) { return at.l >= 12; };
    EXPECT_THAT(said(late, false), HasSubstr("From position 12 on the turned channels of q"));
    EXPECT_THAT(said(late, true), HasSubstr("zero at 12 of 24 tokens, token 12 the first"));
    EXPECT_THAT(said([](const test::At& at) { return at.l < 12; }, true),
                HasSubstr("From position 12 on"));
    EXPECT_THAT(said([](const test::At& at) { return at.l == 5; }, false),
                HasSubstr("zero at 1 of 24 tokens, token 5 the first"));
}

/// Channels that stay and have a factor look like pairs of a wider layout.
TEST(Proof, AFactorOnAllChannelsLeavesTheLayout) {
    const Code code{.head_dim = 64, .rotary_dim = 32};
    const auto halved = [](std::span<float> rows, Index, Index) {
        std::ranges::for_each(rows, [](float& x) { x *= 0.5F; });
    };
    const Diagnosis found = diagnosed_after(code, halved);
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_THAT(found.findings.front().text(),
                HasSubstr("All channels of q and k are multiplied by 0.5"));
    EXPECT_EQ(found.rotary_dim, 32);
    EXPECT_EQ(found.layout, "half_split");
}

/// torch.cat((x_pass, x_rope)) of q and of k.
TEST(Proof, ThePartThatTurnsMayComeOutBehindTheRest) {
    const Code code{.head_dim = 64, .rotary_dim = 32};
    const auto behind = [](std::span<float> rows, Index width, Index) {
        for (std::size_t at = 0; at < rows.size(); at += width) {
            std::ranges::rotate(rows.subspan(at, width), rows.begin() + at + 32);
        }
    };
    const Diagnosis found = diagnosed_after(code, behind);
    EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
    EXPECT_THAT(found.findings.front().text(),
                HasSubstr("(0, 16) comes out as channels 32 and 48"));
    EXPECT_EQ(found.base, 10000.0);
    const Expectation expected{.name = "config.json",
                               .specs = {RopeSpec{.head_dim = 64, .rotary_dim = 32}}};
    EXPECT_TRUE(passes(diagnosed(code, code, &expected, behind)));
}

/// [rows, 16] of which blocks of 8, 4 and 4 channels are half-split each.
TEST(Proof, BlocksOfUnequalWidthsArePairs) {
    constexpr Index kBlockWidth = 16, kBlockRows = 64;
    const std::vector<ChannelPair> pairs = {{0, 4},  {1, 5},  {2, 6},   {3, 7},
                                            {8, 10}, {9, 11}, {12, 14}, {13, 15}};
    const auto x = test::Random(5).normal<float>(kBlockRows * kBlockWidth);
    std::vector<float> y = x;
    for (Index row = 0; row < kBlockRows; ++row) {
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            const double angle = to_double(row) * (0.3 + 0.1 * to_double(static_cast<Index>(p)));
            const Index a = row * kBlockWidth + pairs[p].first,
                        b = row * kBlockWidth + pairs[p].second;
            y[a] = to_float(x[a] * std::cos(angle) - x[b] * std::sin(angle));
            y[b] = to_float(x[a] * std::sin(angle) + x[b] * std::cos(angle));
        }
    }
    const auto tensor = [&](const std::vector<float>& rows) {
        return DumpTensor{.name = "rows",
                          .data = reinterpret_cast<const std::byte*>(rows.data()),
                          .length = kBlockRows,
                          .channels = kBlockWidth,
                          .position_stride = kBlockWidth};
    };
    const Pairing found = find_pairing({tensor(x), tensor(y)}, format_of(Dtype::f32));
    ASSERT_EQ(found.kind, PairingKind::found);
    EXPECT_EQ(found.pairs, pairs);
}

}  // namespace
}  // namespace ropescope::diagnosis
