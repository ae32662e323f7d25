#include "app/scene/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "app/lessons/lesson_checks.h"
#include "app/scene/scene_scaling.h"
#include "app/scene/settings.h"
#include "app/scene/values.h"
#include "core/base/error.h"
#include "core/checks/check.h"
#include "core/checks/check_families.h"
#include "core/systems/system.h"
#include "core/systems/system_ids.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::Not;

using test::input_error;

/// Where the fields lie in a Scene: a row's field is known by its address.
const void* field_of(const Scene& scene, const Parameter& parameter) {
    return std::visit([&](auto member) -> const void* { return &(scene.*member); },
                      parameter.member);
}

/// Stands for a value of any member when the compiler tries how many a struct has.
struct AnyMember {
    template <typename T>
    operator T() const;
};
template <std::size_t... kIndex>
constexpr bool has_members(std::index_sequence<kIndex...>) {
    return requires {
        Scene{(static_cast<void>(kIndex), AnyMember{})...};
    };
}
template <std::size_t kCount = 1>
constexpr std::size_t members_of_the_scene() {
    if constexpr (has_members(std::make_index_sequence<kCount + 1>())) {
        return members_of_the_scene<kCount + 1>();
    } else {
        return kCount;
    }
}

TEST(Parameters, EveryFieldOfTheSceneHasExactlyOneRow) {
    const Scene scene;
    std::set<const void*> rows;
    std::set<std::string> names;
    for (const Parameter& parameter : parameters()) {
        EXPECT_TRUE(rows.insert(field_of(scene, parameter)).second) << parameter.name;
        EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    }
    EXPECT_EQ(rows.size() + 1, members_of_the_scene()) << "`inferred` alone comes with the model";
}

Scene scene_with(const std::string& parameter, const std::string& text) {
    return apply_settings({}, {parameter + "=" + text});
}

TEST(Parameters, EveryDefaultIsAccepted) {
    for (const Parameter& parameter : parameters()) {
        const std::string text = parameter_text(Scene{}, parameter);
        EXPECT_EQ(scene_with(parameter.name, text), Scene{}) << parameter.name;
    }
}

TEST(Parameters, EveryRowSaysWhatItIs) {
    for (const Parameter& parameter : parameters()) {
        EXPECT_FALSE(parameter.group.empty()) << parameter.name;
        EXPECT_TRUE(parameter.help.ends_with('.')) << parameter.name;
        EXPECT_LE(parameter.lowest(), parameter.min) << parameter.name;
        EXPECT_GE(parameter.highest(), parameter.max) << parameter.name;
        EXPECT_EQ(find_parameter(parameter.name), &parameter);
    }
}

TEST(Parameters, TextBecomesTheValue) {
    EXPECT_EQ(scene_with("head_dim", "64").head_dim, 64);
    EXPECT_EQ(scene_with("query_position", "1048576").query_position, 1048576);
    EXPECT_EQ(scene_with("base", "5e5").base, 500000.0);
    EXPECT_EQ(scene_with("base", "0.5").base, 0.5) << "beyond the slider";
    EXPECT_EQ(scene_with("base", "1e300").base, 1e300) << "beyond the slider";
    EXPECT_EQ(scene_with("layout", "half-split").layout, Layout::half_split);
    EXPECT_TRUE(scene_with("yarn_softmax", "yes").yarn_softmax);
    EXPECT_EQ(scene_with("longrope_long", "1, 2.5").longrope_long, (std::vector<double>{1, 2.5}));
    EXPECT_EQ(scene_with("pairs", " 0, 4 ,8").pairs, (std::vector<std::int64_t>{0, 4, 8}));
}

TEST(Parameters, UnknownNameNamesNearMatches) {
    EXPECT_THAT(input_error([] { scene_with("bsae", "1"); }),
                AllOf(HasSubstr("'bsae' is unknown"), HasSubstr("did you mean 'base'")));
}

TEST(Parameters, KnowTheFamiliesOfChecksAndTheSystemsInTheirOrder) {
    std::vector<std::string> families, systems;
    for (const std::vector<Check>& checks : {all_checks(), lessons::further_checks()}) {
        for (const Check& check : checks) {
            if (const std::string family(family_of(check.id));
                families.empty() || family != families.back()) {
                families.push_back(family);
            }
        }
    }
    for (const System& system : all_systems()) {
        systems.push_back(system.id);
    }
    EXPECT_THAT(kCheckFamilies, ElementsAreArray(families));
    EXPECT_THAT(kSystemIds, ElementsAreArray(systems));
}

struct Refusal {
    std::string name, text, expected;
};
class RefusedValue : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedValue, IsQuotedWithTheExpectedForm) {
    const Refusal& refusal = GetParam();
    const std::string error = input_error([&] { scene_with(refusal.name, refusal.text); });
    EXPECT_THAT(error, AllOf(HasSubstr(refusal.name + ": '" + refusal.text + "'"),
                             HasSubstr(refusal.expected), Not(HasSubstr("\n"))));
}

INSTANTIATE_TEST_SUITE_P(
    Parameters, RefusedValue,
    ::testing::Values(
        Refusal{"head_dim", "064", "may be a number of another base"},
        Refusal{"head_dim", "+64", "has a + in front"},
        Refusal{"head_dim", " 64", "has a space around it"},
        Refusal{"base", "0500", "may be a number of another base"},
        Refusal{"base", "1e-400", "is too small for a number of 64 bits"},
        Refusal{"base", "1e400", "is too large for a number of 64 bits"},
        Refusal{"head_dim", "abc", "a whole number from 2 to 4096"},
        Refusal{"head_dim", "", "a whole number from 2 to 4096"},
        Refusal{"head_dim", "0", "a whole number from 2 to 4096"},
        Refusal{"head_dim", "128.0", "a whole number"},
        Refusal{"head_dim", "99999999999999999999", "a whole number"},
        Refusal{"query_position", "-1", "from 0 to 1048576"},
        Refusal{"query_position", "1048577", "from 0 to 1048576"},
        Refusal{"base", "0", "a finite number above 0"},
        Refusal{"base", "-1", "a finite number above 0"},
        Refusal{"base", "inf", "a finite number above 0"},
        Refusal{"base", "nan", "a finite number above 0"},
        Refusal{"base", "1e4x", "a finite number above 0"},
        Refusal{"layout", "interleavd", "interleaved or half_split; did you mean 'interleaved'"},
        Refusal{"pairs", "0,,8", "like 0,4,8"}, Refusal{"pairs", "", "like 0,4,8"},
        Refusal{"pairs", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "1 to 16 whole numbers"},
        Refusal{"pairs", "0,-1", "from 0 to 2047"}, Refusal{"pairs", "3,3", "names 3 twice"},
        Refusal{"yarn_truncate", "true", "no or yes"},
        Refusal{"longrope_short", "1,x", "numbers above 0, separated by commas"},
        Refusal{"longrope_short", "1,inf", "numbers above 0, separated by commas"},
        Refusal{"longrope_short", "1,0", "numbers above 0, separated by commas"},
        Refusal{"longrope_long", "-1", "numbers above 0, separated by commas"},
        Refusal{"table_quantity", "tan", "cos, sin or angle"}));

TEST(Settings, ApplyInOrderWithTheModelFirst) {
    const Scene scene = apply_settings({}, {"base=123", "model=llama-3-8b", "query_position=7"});
    EXPECT_EQ(scene.model, "llama-3-8b");
    EXPECT_EQ(scene.base, 123.0) << "a setting wins over the model, wherever it stands";
    EXPECT_EQ(scene.query_position, 7);
    EXPECT_EQ(apply_settings({}, {"model=llama-3-8b"}).base, 500000.0);
}

TEST(Settings, WithoutANameOrAnEqualsSignAreRefused) {
    EXPECT_THAT(input_error([] { apply_settings({}, {"base"}); }),
                AllOf(HasSubstr("'base' has no '='"), HasSubstr("name=value")));
    EXPECT_THAT(input_error([] { apply_settings({}, {"=5"}); }), HasSubstr("has no name"));
}

TEST(Settings, UnknownModelsAndFilesAreNamed) {
    EXPECT_THAT(input_error([] { apply_settings({}, {"model=llama-3-8"}); }),
                HasSubstr("llama-3-8b"));
    EXPECT_THAT(input_error([] { apply_settings({}, {"model=./no/such/config.json"}); }),
                HasSubstr("no/such/config.json"));
}

TEST(Settings, PairsFollowTheEncodingUnlessTheyAreNamed) {
    const Scene followed = apply_settings({}, {"rotary_dim=32"});
    for (const std::int64_t pair : followed.pairs) {
        EXPECT_LT(pair, 16);
    }
    EXPECT_NO_THROW(validate(followed));
    const Scene named = apply_settings({}, {"rotary_dim=32", "pairs=0,20"});
    EXPECT_THAT(input_error([&] { validate(named); }),
                AllOf(HasSubstr("pairs: 20 does not exist"), HasSubstr("0 to 15")));
}

/// Along an axis of another model the window leaves these out.
TEST(Parameters, KnowWhichDescribeTheEncoding) {
    std::set<std::string> names;
    for (const Parameter& parameter : parameters()) {
        if (describes_encoding(parameter)) {
            names.insert(parameter.name);
        }
    }
    for (const char* name : {"head_dim", "rotary_dim", "base", "layout", "scaling",
                             "scaling_factor", "spectrum_overlay"}) {
        EXPECT_TRUE(names.contains(name)) << name;
    }
    for (const char* name : {"axis", "axes_model", "query_position", "selected_pair", "pairs"}) {
        EXPECT_FALSE(names.contains(name)) << name;
    }
}

}  // namespace
}  // namespace ropescope
