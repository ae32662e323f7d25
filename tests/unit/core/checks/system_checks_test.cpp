// The checks of the systems must notice a wrong system.
#include "core/checks/families/system_checks.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

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
    claimed.precision.table = NumberFormat::fp32;
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
    constexpr std::array<std::int64_t, 2> kDims{2, 8};
    EXPECT_EQ(system_does_not_rotate(find_system("meta_llama"), kDims).measured, 2.0);
    EXPECT_EQ(system_does_not_rotate(find_system("strided_llama_as_written"), kDims).measured, 1.0)
        << "with two channels there is one layout only";
}

/// Every system with this code instead of its own.
std::vector<System> sabotaged(const std::function<nd::Array(const SystemInput&)>& code) {
    std::vector<System> systems = all_systems();
    for (System& system : systems) {
        system.code = code;
        system.score_factor = nullptr;
    }
    return systems;
}

std::set<std::string> failing(const std::vector<System>& systems) {
    std::set<std::string> ids;
    for (const Check& check : system_checks(systems)) {
        if (check.run({}).status == Status::failed) {
            ids.insert(check.id);
        }
    }
    return ids;
}

TEST(SystemChecks, EachIsSeenToFail) {
    const std::vector<System> idle = sabotaged([](const SystemInput& input) { return input.x; });
    // Stretches by the position, which no score may survive.
    const std::vector<System> stretching = sabotaged([](const SystemInput& input) {
        nd::Array y = input.x;
        const std::int64_t seq = nd::size(y, 1);
        const std::int64_t row = nd::count(y.shape) / (nd::size(y, 0) * seq);
        for (std::size_t i = 0; i < y.values.size(); ++i) {
            y.values[i] *= 1.0 + static_cast<double>(static_cast<std::int64_t>(i) / row % seq);
        }
        return y;
    });
    std::set<std::string> seen = failing(idle);
    seen.merge(failing(stretching));
    for (const Check& check : system_checks(all_systems())) {
        EXPECT_EQ(seen.count(check.id), 1U) << check.id;
    }
}

TEST(SystemChecks, AllHold) {
    EXPECT_THAT(failing(all_systems()), ::testing::IsEmpty());
}

}  // namespace
}  // namespace ropescope
