// A quarter or half a turn on every pair, whatever the position: exchanged tables, a lost sign.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/expectation.h"
#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/planted_code.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Property;

double rotated(const Channel& c) {
    return c.x * c.cos + (c.first ? -c.partner : c.partner) * c.sin;
}
double with_exchanged_tables(const Channel& c) {
    return c.x * c.sin + (c.first ? -c.partner : c.partner) * c.cos;
}
double with_lost_sign(const Channel& c) {
    return -rotated(c);
}

auto finding(const std::string& code, const std::string& where, const std::string& words) {
    return Contains(AllOf(Field(&Finding::code, code), Property(&Finding::where, where),
                          Property(&Finding::text, HasSubstr(words))));
}

TEST(Phase, OfExchangedTablesIsNamed) {
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        const Diagnosis found =
            diagnosed({.partners = layout, .table = layout, .rule = with_exchanged_tables});
        EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
        EXPECT_THAT(found.findings,
                    finding(faults::code("phase"), "q and k", "as if cos and sin were exchanged"));
        EXPECT_THAT(found.findings,
                    finding(faults::code("sign.reversed"), "q and k", "the other way"));
        EXPECT_EQ(found.base, 10000.0);
    }
}

TEST(Phase, OfALostSignIsNamed) {
    const Diagnosis found = diagnosed({.rule = with_lost_sign});
    EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
    EXPECT_THAT(found.findings, finding(faults::code("phase"), "q and k", "+180 degrees"));
    EXPECT_EQ(found.sign, 1);
}

TEST(Phase, OfOneSideIsAFault) {
    const Code right{.rule = rotated};
    const Diagnosis of_k = diagnosed(right, {.rule = with_lost_sign});
    EXPECT_EQ(of_k.verdict, Verdict::invalid) << of_k.summary();
    EXPECT_THAT(of_k.findings, finding(faults::code("phase"), "k", "changed their sign"));
    const Diagnosis of_q = diagnosed({.rule = with_exchanged_tables}, right);
    EXPECT_EQ(of_q.verdict, Verdict::invalid) << of_q.summary();
    EXPECT_THAT(of_q.findings, finding(faults::code("phase"), "q", "exchanged"));
}

TEST(Phase, OfARotationIsNone) {
    EXPECT_THAT(diagnosed({.rule = rotated}).findings,
                testing::Each(Field(&Finding::code, testing::Ne(faults::code("phase")))));
}

}  // namespace
}  // namespace ropescope::diagnosis
