// One planted implementation of every class of faults is named, and right ones are not accused.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/planted_implementations.h"

namespace ropescope::test {
namespace {

const std::vector<PlantedImplementation>& planted() {
    static const std::vector<PlantedImplementation> kAll = planted_implementations();
    return kAll;
}

TEST(ProbeClasses, AreAtLeast200ImplementationsOf36Classes) {
    EXPECT_GE(planted().size(), 200U);
    EXPECT_EQ(fault_classes().size(), 49U);
    EXPECT_GE(std::ranges::count(fault_classes(), "", &FaultClass::unseen), 36);
    for (const FaultClass& each : fault_classes()) {
        const bool is_planted =
            std::ranges::find(planted(), each.number, &PlantedImplementation::fault_class) !=
            planted().end();
        EXPECT_EQ(is_planted, each.unseen.empty()) << each.number;
    }
}

class ProbeClass : public ::testing::TestWithParam<int> {};

TEST_P(ProbeClass, IsNamed) {
    // All are probed by ./test.sh probe.
    const auto each = std::ranges::find(planted(), GetParam(), &PlantedImplementation::fault_class);
    if (each == planted().end()) {
        EXPECT_FALSE(fault_classes()[GetParam() - 1].unseen.empty());
        return;
    }
    const probe::Report report = probe::probe(each->subject, each->settings, each->ask);
    std::vector<std::string> codes;
    for (const diagnosis::Finding& finding : report.diagnosis.findings) {
        if (finding.weight != diagnosis::Weight::note) {
            codes.push_back(finding.code);
        }
    }
    EXPECT_TRUE(std::ranges::any_of(
        codes, [&](const std::string& code) { return each->codes.contains(code); }))
        << each->variant << ", " << each->model << ": " << report.diagnosis.summary();
}

INSTANTIATE_TEST_SUITE_P(All, ProbeClass, ::testing::Range(1, 50),
                         [](const auto& each) { return "Class" + std::to_string(each.param); });

TEST(ProbeClasses, RightArithmeticOfEveryKindIsNotAccused) {
    for (const char* model : {"llama-3-8b", "phi-3-mini-128k", "qwen2-vl-7b"}) {
        for (const PlantedImplementation& each : right_implementations(model)) {
            const probe::Report report = probe::probe(each.subject, each.settings, each.ask);
            EXPECT_EQ(report.diagnosis.verdict, diagnosis::Verdict::valid)
                << each.variant << ", " << each.model << ": " << report.diagnosis.summary();
        }
    }
}

}  // namespace
}  // namespace ropescope::test
