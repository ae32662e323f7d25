#include "core/formats/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "core/formats/schemes/scheme_facts.h"
#include "core/models/model.h"

namespace ropescope {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SchemePresets, EveryPresetIsReadAsItsPartOfSeveralAxes) {
    std::set<std::string> names;
    for (const Preset& preset : several_axes_presets()) {
        SCOPED_TRACE(preset.name);
        const Model model = open_model(preset.name);
        const Part& read = model.part();
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
    const std::set<std::string_view> without = {
        "text", "ropevit_mixed", "timm_cat_pixel",
        // Their configurations are not published yet.
        "muse_glimmer_vision", "minimax_m3_vision", "sam3_vit", "efficientloftr",
        // Classes that files say all about by themselves.
        "hunyuan_vl_text", "timm_mrope", "parts_of_a_head", "cogview4", "allegro", "minimax_h3",
        "lumina_next", "hunyuan_dit"};
    std::set<std::string> read;
    for (const Preset& preset : several_axes_presets()) {
        read.insert(open_model(preset.name).part().scheme.id);
    }
    EXPECT_GT(scheme_facts().size(), 20U);
    for (const SchemeFacts& facts : scheme_facts()) {
        EXPECT_GT(facts.source.size(), 10U) << facts.id;
        EXPECT_FALSE(facts.title.empty()) << facts.id;
        EXPECT_EQ(read.contains(std::string(facts.id)), !without.contains(facts.id)) << facts.id;
    }
}

}  // namespace
}  // namespace ropescope
