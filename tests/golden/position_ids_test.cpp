// Position ids of language models that see, against those of transformers 4.57.6 and 5.15.0
// (tests/golden/ORIGIN.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/formats/safetensors.h"
#include "core/formats/token_layouts.h"
#include "core/positions/multimodal_ids.h"
#include "core/positions/position_check.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

const std::filesystem::path kIdFolder =
    std::filesystem::path(test::source_dir()) / "tests/golden/axes";

void expect_ids(MultimodalFamily family) {
    const std::string name = "positions_" + std::string(to_string(family));
    SCOPED_TRACE(name);
    const TokenLayouts file =
        parse_token_layouts(read_file(kIdFolder / (name + ".json")), name + ".json");
    const SafetensorsFile ids = SafetensorsFile::open(kIdFolder / (name + ".safetensors"));
    const MultimodalRule rule = with_model_settings({.family = family}, file);
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

/// Ids that a released version made, as the file has them: [[t ...], [h ...], [w ...]].
MultimodalIds recorded_ids(const nlohmann::json& result) {
    MultimodalIds ids{1, 0, {}, {result.at("rope_delta").get<Index>()}};
    for (const auto& axis : result.at("position_ids")) {
        ids.length = std::ssize(axis);
        for (const auto& id : axis) {
            ids.ids.push_back(id.get<Index>());
        }
    }
    return ids;
}

std::vector<std::string> codes(const IdPlan& plan, const MultimodalIds& ids) {
    std::vector<std::string> codes;
    for (const faults::NamedFault& finding : judge_positions(plan, ids).findings) {
        codes.push_back(finding.code);
    }
    return codes;
}

/// Four rows through eight released versions of get_rope_index of Qwen2.5-VL.
TEST(PositionIds, FaultsOfReleasedVersionsAreNamed) {
    const auto file =
        nlohmann::json::parse(read_file(kIdFolder / "positions_versions_qwen2_5_vl.json"));
    int wrong = 0, right = 0;
    for (const auto& row : file.at("rows")) {
        const TokenLayouts layout =
            parse_token_layouts(nlohmann::json{{"row", row.at("row")}}.dump(), "row");
        const IdPlan plan{
            .rule = {.family = MultimodalFamily::qwen2_5_vl, .tokens_per_second = 2.0},
            .version = PositionVersion::transformers_5,
            .layout = layout.layouts.at(0)};
        for (const auto& [version, result] : row.at("results").items()) {
            if (result.contains("raises")) {
                continue;
            }
            SCOPED_TRACE(version + " " + row.at("row").dump());
            const bool older = version == "v4.57.6" || version == "v5.2.0";
            IdPlan own = plan;
            own.version = older ? PositionVersion::transformers_4 : PositionVersion::transformers_5;
            const MultimodalIds ids = recorded_ids(result);
            if (judge_positions(own, ids).right()) {
                ++right;
                const bool differs = !judge_positions(plan, ids).right();
                EXPECT_TRUE(older || !differs);
                if (differs) {
                    EXPECT_THAT(codes(plan, ids), testing::Contains("ids.other_version"));
                }
                continue;
            }
            ++wrong;
            EXPECT_TRUE(version.starts_with("v5.3") || version.starts_with("v5.4") ||
                        version.starts_with("v5.5"));
            EXPECT_THAT(codes(plan, ids), testing::Contains("ids.time_scaled_start"));
        }
    }
    EXPECT_GT(wrong, 4);
    EXPECT_GT(right, 12);
}

/// What the recorded ids of one version are for the other: right where the file says that both
/// agree on real tokens, else of the other version.
TEST(PositionIds, TheOtherVersionIsNamedWhereItDiffers) {
    for (const char* family : {"qwen2_vl", "qwen2_5_vl", "qwen3_vl", "glm4v"}) {
        const std::string name = std::string("positions_") + family;
        const std::string text = read_file(kIdFolder / (name + ".json"));
        const TokenLayouts file = parse_token_layouts(text, name);
        const auto facts = nlohmann::json::parse(text).at("layouts");
        const SafetensorsFile recorded = SafetensorsFile::open(kIdFolder / (name + ".safetensors"));
        for (std::size_t i = 0; i < file.layouts.size(); ++i) {
            SCOPED_TRACE(file.layouts[i].name);
            const IdPlan plan{.rule = with_model_settings(
                                  {.family = *enum_value<MultimodalFamily>(family)}, file),
                              .version = PositionVersion::transformers_5,
                              .layout = file.layouts[i]};
            const MultimodalIds right = layout_ids(plan);
            const auto ids = [&](const char* version) {
                return MultimodalIds{
                    right.batch,
                    right.length,
                    to_i64(recorded.at(plan.layout.name + "/" + version + "/position_ids")),
                    {}};
            };
            EXPECT_TRUE(judge_positions(plan, ids("v5")).right());
            const PositionVerdict verdict = judge_positions(plan, ids("v4"));
            EXPECT_EQ(verdict.right(), !facts[i].at("v4_v5_differ_on_real_tokens").get<bool>());
            if (!verdict.right()) {
                EXPECT_THAT(codes(plan, ids("v4")), testing::Contains("ids.other_version"));
            }
        }
    }
}

/// The layout of a case in cases.json, as its note names it.
struct IdCase {
    const char* name;
    MultimodalFamily family;
    const char* layout;
};

TEST(PositionIds, OfTheCasesOfRotations) {
    const SafetensorsFile cases = SafetensorsFile::open(kIdFolder / "cases.safetensors");
    for (const IdCase& golden :
         {IdCase{
              "videorope_image_video", MultimodalFamily::videorope,
              R"({"row":[{"text":2},{"image":[1,4,4]},{"text":2},{"video":[2,6,4]},{"text":3}]})"},
          IdCase{"qwen3_vl_text_image", MultimodalFamily::qwen3_vl,
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
