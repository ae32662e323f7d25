// Scaling that is missing from code in 16 bits, which near tokens leave open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/words.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const RopeSpec kLlama3{.base = 500000.0, .scaling = Llama3Scaling{}};
const RopeSpec kYarn{.base = 1e6,
                     .scaling = YarnScaling{.factor = 4.0, .original_positions = 32768}};

Expectation expectation(const RopeSpec& spec) {
    return {.name = "config.json", .specs = {spec}};
}

test::Implementation in_bf16(const RopeSpec& spec, Index length, bool scaled) {
    test::Implementation made = implementation_of(spec, length);
    made.dtype = Dtype::bf16;
    if (!scaled) {
        RopeSpec plain = spec;
        plain.scaling = NoScaling{};
        made.omega = make_spectrum(plain).inv_freq_rad;
    }
    return made;
}

/// Near tokens turn alike with and without it, within the rounding of every one of them: then both
/// are as expected, and the report says which token would tell.
TEST(ScalingChoice, NearTokensOfBfloat16LeaveItOpen) {
    for (const bool scaled : {true, false}) {
        const Diagnosis found = diagnosed(in_bf16(kLlama3, 2, scaled), expectation(kLlama3));
        EXPECT_EQ(found.verdict, Verdict::valid) << found.summary();
        EXPECT_TRUE(passes(found));
        EXPECT_THAT(texts_of(found.not_shown),
                    Contains(HasSubstr("the same without its llama3 scaling")));
    }
    EXPECT_TRUE(passes(diagnosed(in_bf16(kLlama3, 16, true), expectation(kLlama3))));
}

TEST(ScalingChoice, FarTokensOfBfloat16ShowIt) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        for (const bool scaled : {true, false}) {
            test::Implementation made = in_bf16(kLlama3, 48, scaled);
            for (Index l = 40; l < 48; ++l) {
                made.stated[l] = to_double(2500 * (l - 39));
            }
            const Diagnosis found = diagnosed(made, expectation(kLlama3), seed);
            EXPECT_EQ(passes(found), scaled) << seed << ": " << found.summary();
            EXPECT_EQ(found.unexplained.empty(), scaled) << seed;
            EXPECT_THAT(texts_of(found.not_shown), Each(HasSubstr("whether the weights"))) << seed;
        }
    }
}

/// YaRN multiplies lengths, which two tokens show.
TEST(ScalingChoice, TheFactorOnLengthsShowsYarn) {
    const Diagnosis right = diagnosed(in_bf16(kYarn, 2, true), expectation(kYarn));
    EXPECT_EQ(right.verdict, Verdict::valid) << right.summary();
    EXPECT_THAT(mismatch_texts(right), IsEmpty());
    test::Implementation no_factor = in_bf16(kYarn, 2, true);
    no_factor.gain = no_factor.key_gain = 1.0;
    EXPECT_THAT(mismatch_texts(diagnosed(no_factor, expectation(kYarn))),
                Contains(HasSubstr("the attention factor was left out")));
}

/// In float32 two tokens are enough.
TEST(ScalingChoice, Float32LeavesNothingOpen) {
    for (const bool scaled : {true, false}) {
        test::Implementation made = in_bf16(kLlama3, 2, scaled);
        made.dtype = Dtype::f32;
        const Diagnosis found = diagnosed(made, expectation(kLlama3));
        EXPECT_EQ(found.verdict, Verdict::valid) << found.summary();
        EXPECT_EQ(passes(found), scaled);
    }
}

TEST(ScalingChoice, AFactorOnOneSideAloneIsAMismatchOfTheOther) {
    test::Implementation made = implementation_of(kYarn, 48);
    made.key_gain = 1.0;
    const Diagnosis found = diagnosed(made, expectation(kYarn));
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_THAT(mismatch_texts(found), Contains("attention factor of k 1, expected 1.1386"));
}

}  // namespace
}  // namespace ropescope::diagnosis
