// Names of cases, and sweeps of which only some cases are measured.
#include <gtest/gtest.h>

#include "core/checks/check_run.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

TEST(Cases, HoldEverySettingOfTheirTextInAnyOrder) {
    const std::string name = "by=cpu head_dim=128 base=1e+06 layout=half_split m=70000";
    EXPECT_TRUE(Cases().contain(name));
    EXPECT_TRUE(Cases("m=70000 base=1e6").contain(name));
    EXPECT_TRUE(Cases("base=1000000.0").contain(name)) << "numbers are compared as numbers";
    EXPECT_TRUE(Cases(name).contain(name));
    EXPECT_FALSE(Cases("m=7000").contain(name));
    EXPECT_FALSE(Cases("m=70000 n=1").contain(name));
    EXPECT_FALSE(Cases("layout=half").contain(name));
}

TEST(Cases, RefuseWordsThatAreNoSettings) {
    EXPECT_THROW(Cases("head_dim 128"), InputError);
    EXPECT_TRUE(Cases("  m=1   n=2 ").contain("m=1 n=2"));
}

TEST(Cases, OfASweepAreMeasuredAlone) {
    const auto sweep = [](const Cases& cases) {
        WorstCase worst(cases);
        for (const int m : {1, 2, 3}) {
            worst.add(m, 10.0, [&] { return "m=" + std::to_string(m); });
        }
        return worst.finding("", "swept");
    };
    EXPECT_EQ(sweep(Cases()).worst_case, "m=3");
    EXPECT_EQ(sweep(Cases("m=2")).detail, "swept; 1 cases, worst at m=2");
    EXPECT_EQ(sweep(Cases("m=4")).status, Status::skipped);
    std::string names;
    Cases listing;
    listing.measured = [&](const std::string& name) { names += name + ";"; };
    sweep(listing);
    EXPECT_EQ(names, "m=1;m=2;m=3;");
}

/// The name of a worst case must find it again.
TEST(Cases, TheWorstCaseOfACheckRunsAgainAlone) {
    const auto engine = make_cpu_engine();
    for (const char* family : {"rope.*", "table.*", "scaling.*", "decay.*", "precision.*",
                               "absolute.*", "layout.*", "systems.*"}) {
        for (const Check* check : select_checks(family)) {
            const Finding all = check->run({{engine.get()}});
            if (!all.worst_case.empty()) {
                const Finding alone = check->run({{engine.get()}, Cases(all.worst_case)});
                EXPECT_EQ(alone.worst_case, all.worst_case) << check->id;
                EXPECT_EQ(alone.measured, all.measured) << check->id << " " << all.worst_case;
            }
        }
    }
}

TEST(Cases, SpareTheWorkForOthers) {
    const Cases full_and_partial("head_dim=64 base=1e4 layout=half_split");
    EXPECT_EQ(rope_sweep(full_and_partial).size(), 2U);
    EXPECT_EQ(rope_sweep(Cases("m=40")).size(), rope_sweep(Cases()).size());
    // The cases of a spectrum keep their name, which is that of the first rope that has it.
    EXPECT_TRUE(spectrum_sweep(Cases("head_dim=256 rotary_dim=64 base=1e4")).empty());
    const std::vector<Rotator> one = rotators({{}, Cases("by=complex m=40")});
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one.front().name, "complex");
}

}  // namespace
}  // namespace ropescope
