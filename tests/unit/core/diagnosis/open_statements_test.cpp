// What a dump alone leaves open is not stated, neither as a right rotation nor as a fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/words.h"
#include "core/rope/spectrum.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;

Diagnosis diagnosed_alone(const test::Implementation& made) {
    return diagnose(dump_of(made), nullptr);
}

/// Speeds that are lost in all pairs but the first, which has the same speed with any base.
TEST(OpenStatements, OnePairShowsNoBase) {
    const RopeSpec spec{.head_dim = 64, .rotary_dim = 64, .layout = Layout::interleaved};
    for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
        test::Implementation made = implementation_of(spec, 64);
        made.dtype = dtype;
        std::fill(made.omega.begin() + 1, made.omega.end(), 0.0);
        const Diagnosis found = diagnosed_alone(made);
        EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
        EXPECT_THAT(found.summary(), HasSubstr("the frequencies of all others are zero"));
        EXPECT_FALSE(found.base);
    }
}

/// Exponents over the whole head, whose slow pairs turn although they are said to stay: less than
/// the rounding of a pair, but not the bits of a channel that stays.
TEST(OpenStatements, PairsThatAreSaidToStayAreComparedBitByBit) {
    const RopeSpec spec{
        .head_dim = 64, .rotary_dim = 64, .base = 500000.0, .layout = Layout::interleaved};
    for (const double slow : {0.0, 1e-5}) {
        test::Implementation made = implementation_of(spec, 256);
        made.dtype = Dtype::bf16;
        std::fill(made.omega.begin() + 16, made.omega.end(), slow);
        const Diagnosis found = diagnosed_alone(made);
        EXPECT_EQ(found.verdict == Verdict::valid, slow == 0.0) << found.summary();
    }
}

/// A query and a key of one position, whose pairs have lengths as xPos changes them.
TEST(OpenStatements, LengthsAtOnePositionMayBeThoseOfXpos) {
    const RopeSpec spec{.head_dim = 64, .rotary_dim = 64};
    test::Dice dice(3);
    test::Implementation made = implementation_of(spec, 1);
    made.stated = {200.0};
    test::stretch_as_xpos(made, dice, -1.0);
    const Diagnosis found = diagnosed_alone(made);
    EXPECT_EQ(found.verdict, Verdict::undetermined) << found.summary();
}

}  // namespace
}  // namespace ropescope::diagnosis
