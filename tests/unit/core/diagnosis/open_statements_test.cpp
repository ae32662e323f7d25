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

/// A picture of 5 by 8 patches between words, which float16 shows too coarsely to tell the axes of
/// slow pairs: they turn all the same, so that a map of the others alone is none.
TEST(OpenStatements, PairsWithoutAnAxisAreNotSaidToStay) {
    for (const double base : {1000000.0, 1050000.0}) {
        test::Implementation made =
            implementation_of({.head_dim = 128, .rotary_dim = 128, .base = base}, 64);
        made.dtype = Dtype::f16;
        for (Index axis = 0; axis < 3; ++axis) {
            for (Index l = 0; l < 64; ++l) {
                const Index patch = l - 8, row = patch / 8, column = patch % 8;
                const Index inside = axis == 0 ? 0 : axis == 1 ? row : column;
                const Index at = l < 8 ? l : l < 48 ? 8 + inside : l - 32;
                made.axis_positions.push_back(to_double(900 + at));
            }
        }
        for (Index p = 0; p < 64; ++p) {
            made.axis_of_pair.push_back(p < 16 ? 0 : p < 40 ? 1 : 2);
        }
        const Diagnosis found = diagnosed_alone(made);
        EXPECT_EQ(found.verdict, base == 1000000.0 ? Verdict::valid : Verdict::undetermined)
            << base << ": " << found.summary();
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

/// Factors that were fitted to pairs are none if one of the pairs contradicts them.
TEST(OpenStatements, FactorsOfTheirOwnBlameNoPair) {
    const RopeSpec spec{.head_dim = 64, .rotary_dim = 64};
    test::Implementation made = implementation_of(spec, 64);
    for (Index p = 0; p < std::ssize(made.omega); ++p) {
        made.omega[p] /= 1.05 + 0.11 * to_double(p);
    }
    const test::Implementation right = made;
    made.angle_of = [=](const test::At& at, Index p) {
        const double angle = right.omega[p] * right.stated_at(at.b, at.l);
        return p == 20 && at.l == 40 ? angle + 0.01 : angle;
    };
    const Diagnosis found = diagnosed_alone(made);
    EXPECT_EQ(found.verdict, Verdict::undetermined) << found.summary();
}

}  // namespace
}  // namespace ropescope::diagnosis
