// Scaling that is missing from code in 16 bits, where each angle alone leaves it open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/words.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
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

TEST(ScalingChoice, AllAnglesOfBfloat16TogetherShowMissingScaling) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Diagnosis missing =
            diagnosed(in_bf16(kLlama3, 16, false), expectation(kLlama3), seed);
        EXPECT_THAT(mismatch_texts(missing), Contains("scaling default, expected llama3")) << seed;
        EXPECT_FALSE(passes(missing));
        const Diagnosis right = diagnosed(in_bf16(kLlama3, 16, true), expectation(kLlama3), seed);
        EXPECT_EQ(right.verdict, Verdict::valid) << seed << ": " << right.summary();
        EXPECT_THAT(mismatch_texts(right), IsEmpty()) << seed;
    }
}

TEST(ScalingChoice, TwoTokensOfBfloat16LeaveItOpen) {
    for (const bool scaled : {true, false}) {
        const Diagnosis found = diagnosed(in_bf16(kLlama3, 2, scaled), expectation(kLlama3));
        EXPECT_EQ(found.verdict, Verdict::undetermined) << found.summary();
        EXPECT_THAT(texts_of(found.next),
                    Contains(HasSubstr("those of llama3 scaling, and those without")));
        EXPECT_FALSE(passes(found));
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
                Contains("attention factor 1, expected 1.1386"));
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
