// What the scaling methods say about themselves is complete and consistent.
#include <gtest/gtest.h>
#include <set>

#include "core/base/file.h"
#include "core/scaling/method.h"
#include "core/scaling/scaling.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

TEST(ScalingDescriptions, AreListedOnceEach) {
    const std::set<std::string> once(scaling_types().begin(), scaling_types().end());
    EXPECT_EQ(once.size(), scaling_types().size());
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

TEST(ScalingDescriptions, HaveAllThatAMethodDoesAndARowInTheDocuments) {
    const std::string page = read_file(test::source_dir() + "/docs/scaling.md");
    for (const Scaling& scaling : scaling_methods()) {
        std::visit(
            [](const auto& method) {
                EXPECT_NE(method.description().validate, nullptr);
                EXPECT_NE(method.description().frequencies, nullptr);
                EXPECT_NE(method.description().fp32_units, nullptr);
            },
            scaling);
        const std::string type(scaling_type(scaling));
        EXPECT_TRUE(page.find("| " + type + " |") != page.npos ||
                    page.find("| " + type + " (ours) |") != page.npos)
            << type;
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
                EXPECT_FALSE(field.setting.label.empty()) << field.setting.name;
            }
        };
        std::visit([&](const auto& method) { for_each_field(method, see); }, scaling);
    }
    EXPECT_GT(own_settings.size(), 0U);
}

}  // namespace
}  // namespace ropescope
