// The checks of the systems must notice a wrong system.
#include "core/checks/system_checks.h"

#include <gtest/gtest.h>

namespace ropescope {
namespace {

TEST(SystemChecks, ARotationIsHeldToItsLayout) {
    const System& meta = find_system("meta_llama");
    EXPECT_EQ(system_rotates(meta, Layout::interleaved).status, Status::passed);
    EXPECT_EQ(system_rotates(meta, Layout::half_split).status, Status::failed);
    EXPECT_EQ(system_rotates(find_system("strided_llama_as_written"), Layout::half_split).status,
              Status::failed);
}

TEST(SystemChecks, ABf16TableIsTooCoarseForAnFp32Claim) {
    System claimed = find_system("notebook_bf16");
    claimed.precision.table = nd::Dtype::f32;
    EXPECT_EQ(system_rotates(claimed, Layout::interleaved).status, Status::failed);
}

TEST(SystemChecks, ASystemThatDoesNotRunFails) {
    System broken = find_system("meta_llama");
    broken.code = [](const SystemInput&) -> nd::Array {
        throw nd::Error(nd::Fault::broadcast, "never");
    };
    EXPECT_EQ(system_rotates(broken, Layout::interleaved).status, Status::failed);
}

TEST(SystemChecks, ARotationIsNoFailure) {
    EXPECT_EQ(system_does_not_rotate(find_system("meta_llama"), {8}).status, Status::failed);
    EXPECT_EQ(system_does_not_rotate(find_system("strided_llama_as_written"), {2, 8}).measured, 1.0)
        << "with two channels there is one layout only";
}

TEST(SystemChecks, AnotherVerdictFails) {
    EquivalenceOptions options;
    options.head_dims = {8};
    const EquivalenceMatrix matrix = equivalence_matrix(options);
    EXPECT_EQ(verdicts_as_expected(matrix, expected_verdict).status, Status::passed);
    const auto all_alike = [](const System&, const System&) { return Verdict::identical; };
    EXPECT_EQ(verdicts_as_expected(matrix, all_alike).status, Status::failed);
}

/// Every failure of the documents is held to what it is: the calls must not start to work.
TEST(SystemChecks, AllHold) {
    for (const Check& check : system_failure_checks()) {
        const Finding finding = check.run({});
        EXPECT_EQ(finding.status, Status::passed) << check.id << ": " << finding.detail;
        EXPECT_TRUE(check.id.starts_with("systems."));
    }
}

}  // namespace
}  // namespace ropescope
