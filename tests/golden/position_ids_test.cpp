// Position ids of language models that see, against those of transformers 4.57.6 and 5.15.0
// (tests/golden/ORIGIN.md).
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/formats/safetensors.h"
#include "core/formats/token_layouts.h"
#include "core/positions/multimodal_ids.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(test::source_dir()) / "tests/golden/axes";

void expect_ids(MultimodalFamily family) {
    const std::string name = "positions_" + std::string(to_string(family));
    SCOPED_TRACE(name);
    const TokenLayouts file =
        parse_token_layouts(read_file(kFolder / (name + ".json")), name + ".json");
    const SafetensorsFile ids = SafetensorsFile::open(kFolder / (name + ".safetensors"));
    const MultimodalRule rule = with_layout({.family = family}, file);
    ASSERT_EQ(file.layouts.size(), 30U);
    for (const TokenLayout& layout : file.layouts) {
        for (const auto& [version, key] : {std::pair{PositionVersion::transformers_4, "/v4/"},
                                           std::pair{PositionVersion::transformers_5, "/v5/"}}) {
            SCOPED_TRACE(layout.name + key);
            const MultimodalIds ours = multimodal_ids(rule, version, layout);
            EXPECT_EQ(ours.ids, to_i64(ids.at(layout.name + key + "position_ids")));
            EXPECT_EQ(ours.deltas, to_i64(ids.at(layout.name + key + "rope_deltas")));
        }
    }
}

TEST(PositionIds, OfFourFamiliesInTwoVersions) {
    for (const MultimodalFamily family : {MultimodalFamily::qwen2_vl, MultimodalFamily::qwen2_5_vl,
                                          MultimodalFamily::qwen3_vl, MultimodalFamily::glm4v}) {
        expect_ids(family);
    }
}

/// The layout of a case in cases.json, as its note names it.
struct Case {
    const char* name;
    MultimodalFamily family;
    const char* layout;
};

TEST(PositionIds, OfTheCasesOfRotations) {
    const SafetensorsFile cases = SafetensorsFile::open(kFolder / "cases.safetensors");
    for (const Case& golden :
         {Case{"videorope_image_video", MultimodalFamily::videorope,
               R"({"row":[{"text":2},{"image":[1,4,4]},{"text":2},{"video":[2,6,4]},{"text":3}]})"},
          Case{"qwen3_vl_text_image", MultimodalFamily::qwen3_vl,
               R"({"row":[{"text":3},{"image":[1,8,6]},{"text":4}]})"}}) {
        SCOPED_TRACE(golden.name);
        const TokenLayouts file = parse_token_layouts(golden.layout, "layout.json");
        const MultimodalIds ours = multimodal_ids(
            {.family = golden.family}, PositionVersion::transformers_5, file.layouts.at(0));
        const std::vector<double> positions =
            to_f64(cases.at(std::string(golden.name) + "/positions"));
        ASSERT_EQ(ours.ids.size(), positions.size());
        for (std::size_t i = 0; i < positions.size(); ++i) {
            EXPECT_EQ(to_double(ours.ids[i]), positions[i]) << i;
        }
    }
}

}  // namespace
}  // namespace ropescope
