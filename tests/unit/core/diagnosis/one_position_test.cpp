// Decode steps: tokens that all stand at one position, and rows that stand at several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/words.h"
#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const RopeSpec kStepSpec{.head_dim = 64, .rotary_dim = 64};
const Expectation kExpected{.name = "config.json", .specs = {kStepSpec}};

/// One token at position 77.
test::Implementation step(const RopeSpec& spec = kStepSpec) {
    test::Implementation made = implementation_of(spec, 1);
    made.stated = {77.0};
    return made;
}

/// A query at the last position of 32 keys, turned as the position `turned`.
Dump query_and_cache(double turned) {
    Dump dump = dump_of(implementation_of(kStepSpec, 32));
    test::Implementation query = step();
    query.stated = {31.0};
    query.turned_by = [=](const test::At&, double) { return turned; };
    const Dump one = dump_of(query, 2);
    dump.q = one.q;
    dump.q_positions = one.q_positions;
    dump.k_positions = dump.k_positions;
    dump.owner =
        std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
            dump.owner, one.owner);
    return dump;
}

TEST(OnePosition, IsEnoughForACodeThatIsExpected) {
    const Diagnosis found = diagnosed(step(), kExpected);
    EXPECT_EQ(found.verdict, Verdict::valid) << found.summary();
    EXPECT_TRUE(passes(found));
    EXPECT_THAT(mismatch_texts(found), IsEmpty());
}

TEST(OnePosition, LeavesWholeTurnsOpenWithoutAnExpectation) {
    const Diagnosis found = diagnose(dump_of(step()));
    EXPECT_EQ(found.verdict, Verdict::undetermined) << found.summary();
    EXPECT_THAT(texts_of(found.next), Contains(HasSubstr("stand at one position")));
}

TEST(OnePosition, ShowsAnotherBaseAndAnotherPosition) {
    RopeSpec other = kStepSpec;
    other.base = 500000.0;
    EXPECT_THAT(mismatch_texts(diagnosed(step(other), kExpected)),
                Contains("base 500000, expected 10000"));
    test::Implementation behind = step();
    behind.turned_by = [](const test::At&, double own) { return own - 1.0; };
    const Diagnosis found = diagnosed(behind, kExpected);
    // Both sides alike, and the keys in the cache stand where they are stated.
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_FALSE(passes(found));
    EXPECT_EQ(found.position_offset, -1.0);
}

/// The keys in the cache tell the spectrum, and with it where the query stands.
TEST(OnePosition, OfAQueryIsReadWithTheSpectrumOfTheKeys) {
    const Diagnosis right = diagnose(query_and_cache(31.0));
    EXPECT_EQ(right.verdict, Verdict::valid) << right.summary();
    const Diagnosis ahead = diagnose(query_and_cache(32.0));
    EXPECT_EQ(ahead.verdict, Verdict::invalid) << ahead.summary();
    ASSERT_FALSE(ahead.findings.empty());
    EXPECT_EQ(ahead.findings.front().code, faults::code("positions.qk_offset"));
    EXPECT_EQ(ahead.findings.front().measured, Value(1.0));
}

/// A step of three sequences at positions 5, 100 and 400.
Diagnosis diagnosed_rows(const std::function<double(const test::At&, double)>& turned_by) {
    test::Implementation made = implementation_of(kStepSpec, 1);
    made.batch = 3;
    made.stated = {5.0, 100.0, 400.0};
    made.turned_by = turned_by;
    return diagnose(dump_of(made));
}

/// The first row keeps all of its positions in bfloat16, which has eight bits.
TEST(OnePosition, RoundedPositionsOfALaterRowAreNamed) {
    test::Implementation made = implementation_of(kStepSpec, 3);
    made.batch = 2;
    made.stated = {0.0, 1.0, 2.0, 4060.0, 4061.0, 4062.0};
    made.turned_by = [](const test::At&, double stated) { return round_to(Dtype::bf16, stated); };
    const Diagnosis found = diagnose(dump_of(made));
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    ASSERT_FALSE(found.findings.empty());
    EXPECT_EQ(found.findings.front().code, faults::code("positions.low_precision"));
    EXPECT_THAT(found.findings.front().where(), HasSubstr("row 1"));
}

TEST(OnePosition, RowsThatTurnAlikeAreNamed) {
    for (const double all : {5.0, 400.0}) {
        const Diagnosis found = diagnosed_rows([=](const test::At&, double) { return all; });
        EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
        EXPECT_EQ(found.findings.front().code, faults::code("positions.per_row"));
        EXPECT_THAT(found.findings.front().text(), HasSubstr("(from 5 to 400)"));
    }
}

TEST(OnePosition, RowsThatTurnByTheirNumberAreNamed) {
    const Diagnosis found =
        diagnosed_rows([](const test::At& at, double) { return to_double(at.b); });
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_EQ(found.findings.front().code, faults::code("positions.wrong_axis"));
}

TEST(OnePosition, ARowThatDoesNotTurnIsNamed) {
    const Diagnosis found =
        diagnosed_rows([](const test::At& at, double own) { return at.b == 0 ? 0.0 : own; });
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_EQ(found.findings.front().code, faults::code("rows.unrotated"));
    EXPECT_EQ(found.findings.front().text(), "Row 0 of q does not turn; the others do.");
}

/// Rows at position 0 stay where they are, and so do rows of zeros.
TEST(OnePosition, ARowThatHasNothingToTurnIsNoFault) {
    using Rows = std::vector<double>;
    for (const Rows& rows : {Rows{0, 7}, Rows{1, 0, 0}, Rows{5, 0, 3}, Rows{3, 0}, Rows{0, 0, 9}}) {
        for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
            test::Implementation made = implementation_of(kStepSpec, 1);
            made.batch = std::ssize(rows);
            made.stated = rows;
            made.dtype = dtype;
            const Diagnosis found = diagnose(dump_of(made));
            EXPECT_NE(found.verdict, Verdict::invalid) << rows.size() << ": " << found.summary();
        }
    }
}

/// Beside a row at position 0 another one that should turn and does not is named alone.
TEST(OnePosition, ARowThatDoesNotTurnIsNamedBesideOneAtTheStart) {
    test::Implementation made = implementation_of(kStepSpec, 1);
    made.batch = 3;
    made.stated = {300.0, 0.0, 400.0};
    made.turned_by = [](const test::At& at, double own) { return at.b == 2 ? 0.0 : own; };
    const Diagnosis found = diagnose(dump_of(made));
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_EQ(found.findings.front().text(), "Row 2 of q does not turn; the others do.");
}

TEST(OnePosition, TheLastTokenMayBeUnrotated) {
    test::Implementation made = implementation_of(kStepSpec, 32);
    made.turned_by = [](const test::At&, double own) { return own == 31.0 ? 0.0 : own; };
    const Diagnosis found = diagnose(dump_of(made));
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_EQ(found.findings.front().text(),
              "The last token of q turns as position 0, not 31: it was not rotated, or positions "
              "begin again there.");
}

TEST(OnePosition, KeysThatAreRotatedTwiceInPartAreSaidToBe) {
    test::Implementation made = implementation_of(kStepSpec, 32);
    made.turned_by = [](const test::At& at, double own) {
        return at.key && own < 16.0 ? 2.0 * own : own;
    };
    const Diagnosis found = diagnose(dump_of(made));
    EXPECT_THAT(found.findings,
                Contains(testing::Property(&Finding::text, HasSubstr("at some positions: there"))));
}

}  // namespace
}  // namespace ropescope::diagnosis
