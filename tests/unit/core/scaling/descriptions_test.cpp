// What the scaling methods say about themselves is complete and consistent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {
namespace {

using ::testing::ElementsAre;

TEST(ScalingDescriptions, AreListedOnceEach) {
    EXPECT_THAT(scaling_types(), ElementsAre("default", "linear", "ntk", "dynamic", "yarn",
                                             "llama3", "longrope", "proportional"));
    for (const Scaling& method : scaling_methods()) {
        EXPECT_EQ(scaling_of_type(scaling_type(method)), method);
    }
    EXPECT_EQ(scaling_of_type("yarm"), std::nullopt);
}

TEST(ScalingDescriptions, SayWhatTheMethodDoesAndWhereItComesFrom) {
    for (const Scaling& method : scaling_methods()) {
        const MethodFacts& about = facts(method);
        const bool complete =
            !about.title.empty() && !about.source.empty() && about.statement.ends_with('.');
        EXPECT_EQ(complete, !std::holds_alternative<NoScaling>(method)) << about.type;
    }
}

TEST(ScalingDescriptions, NameKeysAndSettingsOnce) {
    std::set<std::string_view> own_settings;
    for (const Scaling& scaling : scaling_methods()) {
        std::set<std::string_view> keys;
        const auto see = [&](const auto& field, const auto&) {
            EXPECT_TRUE(keys.insert(field.key).second) << field.key;
            if (!field.setting.help.empty()) {
                EXPECT_TRUE(own_settings.insert(field.setting.name).second) << field.setting.name;
                EXPECT_TRUE(field.setting.help.ends_with('.')) << field.setting.name;
            }
        };
        std::visit([&](const auto& method) { for_each_field(method, see); }, scaling);
    }
    EXPECT_GT(own_settings.size(), 0U);
}

}  // namespace
}  // namespace ropescope
