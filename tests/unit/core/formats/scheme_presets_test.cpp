#include "core/formats/schemes/scheme_presets.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "core/schemes/scheme_facts.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SchemePresets, EveryPresetIsReadAsItsPartOfSeveralAxes) {
    std::set<std::string> names;
    for (const SchemePreset& preset : scheme_presets()) {
        SCOPED_TRACE(preset.name);
        const ModelScheme read = scheme_of_preset(preset);
        EXPECT_EQ(read.part, preset.part);
        EXPECT_NO_THROW(validate(read.scheme));
        EXPECT_GT(read.scheme.axes.size(), 1U);
        EXPECT_EQ(read.scheme.heads.front().axes, std::ssize(read.scheme.axes));
        for (const std::string& assumption : read.assumptions) {
            for (const char* open : {"missing", "inferred", "not read"}) {
                EXPECT_THAT(assumption, Not(HasSubstr(open)));
            }
        }
        EXPECT_THAT(preset.source, HasSubstr("https://"));
        EXPECT_TRUE(names.insert(preset.name).second) << "the name stands twice";
    }
}

// Frequencies of RoPE-ViT mixed are learned, no published model of timm has frequencies in pixels,
// and text in one axis has presets of its own.
TEST(SchemePresets, EverySchemeHasOneUnlessItCannot) {
    const std::set<std::string_view> without = {"text", "ropevit_mixed", "timm_cat_pixel"};
    std::set<std::string> read;
    for (const SchemePreset& preset : scheme_presets()) {
        read.insert(scheme_of_preset(preset).scheme.id);
    }
    for (const SchemeFacts& facts : scheme_facts()) {
        EXPECT_EQ(read.contains(std::string(facts.id)), !without.contains(facts.id)) << facts.id;
    }
}

TEST(SchemePresets, NamesAndPathsAreToldApart) {
    EXPECT_EQ(find_scheme_preset("qwen2-vl"), nullptr);
    ASSERT_NE(find_scheme_preset("qwen2-vl-7b"), nullptr);
    EXPECT_EQ(config_of_preset("qwen2-vl-7b")->origin, "qwen2-vl-7b");
    for (const char* path : {"/dev/stdin", "./qwen2-vl-7b", "config.json", "q.npy"}) {
        EXPECT_FALSE(config_of_preset(path).has_value()) << path;
    }
    EXPECT_THAT(test::input_error([] { config_of_preset("qwen2.5-vl-7"); }),
                HasSubstr("neither a file nor a published model of several axes; did you mean "
                          "'qwen2.5-vl-7b'"));
    EXPECT_THAT(test::input_error([] { config_of_preset(""); }),
                HasSubstr("'' is neither a file nor a published model"));
}

}  // namespace
}  // namespace ropescope
