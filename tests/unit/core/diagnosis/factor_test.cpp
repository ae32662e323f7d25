// Factors on all angles: round ones by name, mistaken units, and others as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/planted_code.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

void expect_factor(double factor, const std::string& code, const std::string& words) {
    const Diagnosis found = diagnosed({.speed = factor});
    EXPECT_THAT(found.findings,
                Contains(testing::AllOf(Field(&Finding::code, code),
                                        Property(&Finding::text, HasSubstr(words)))))
        << factor << ": " << found.summary();
}

TEST(Factor, OfPositionsIsSaid) {
    expect_factor(2.0, faults::code("positions.scaled"), "positions times 2.");
    expect_factor(3.008, faults::code("positions.scaled"), "positions times 3.008.");
}

TEST(Factor, BelowOneIsLinearScaling) {
    expect_factor(0.25, faults::code("spectrum.scaled"), "linear scaling by 4.");
    expect_factor(0.25 + 0.001, faults::code("spectrum.scaled"), "linear scaling by 3.98406.");
}

TEST(Factor, OfAMistakenUnitIsNamed) {
    expect_factor(std::numbers::pi / 180.0, faults::code("positions.scaled"), "pi/180");
    expect_factor(0.5 / std::numbers::pi, faults::code("positions.scaled"), "1/(2 pi)");
}

}  // namespace
}  // namespace ropescope::diagnosis
