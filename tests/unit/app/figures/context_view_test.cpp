// The context calculator: its rows have the scene's own fields, and its blocks give its numbers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/figures/context/context.h"
#include "app/figures/view.h"
#include "core/base/file.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "tests/support/paths.h"

namespace ropescope::figures {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Scene scene_of(const std::string& preset) {
    Scene scene = with_model({}, *open_model(preset).text);
    scene.view = "context";
    return scene;
}

plot::Figure context_figure_of(const Scene& scene) {
    return make_figure(scene, *make_cpu_engine(1));
}

const MethodRow& row_of(const Methods& methods, const std::string& name) {
    const MethodRow* row = methods.find(name);
    if (row == nullptr) {
        throw std::runtime_error("no row " + name);
    }
    return *row;
}

/// The preset's config.json with the block in place of its own scaling.
ModelConfig with_block(nlohmann::json config, const std::string& block) {
    config.erase("rope_scaling");
    config.update(nlohmann::json::parse("{" + block + "}"));
    return parse_model_config(config.dump(), "m/config.json");
}

TEST(ContextView, EveryBlockFedBackGivesItsRowsNumbers) {
    const auto presets =
        nlohmann::json::parse(read_file(test::source_dir() + "/assets/presets.json", 1 << 20));
    std::size_t blocks = 0;
    for (const auto& preset : presets["presets"]) {
        const std::string id = preset["id"];
        const Scene scene = scene_of(id);
        const std::string key = base_key(named_model(scene));
        for (const MethodRow& row : extension_methods(scene).rows) {
            if (row.name == "default" || (row.name == "ntk" && key.empty())) {
                continue;
            }
            RopeSpec rope = with_block(preset["config"], rope_scaling_block(row, key)).rope;
            rope.seq_len = scene.target_length;
            const Spectrum read = make_spectrum(rope);
            EXPECT_EQ(read.inv_freq_rad, row.spectrum.inv_freq_rad) << id << " " << row.name;
            EXPECT_EQ(read.attention_factor, row.spectrum.attention_factor) << id << row.name;
            EXPECT_EQ(read.softmax_scale_factor, row.spectrum.softmax_scale_factor)
                << id << " " << row.name;
            ++blocks;
        }
    }
    EXPECT_GT(blocks, 5 * presets["presets"].size() - 5);
}

TEST(ContextView, TheModelsOwnFieldsEnterItsRow) {
    const Methods methods = extension_methods(scene_of("deepseek-v3"));
    const MethodRow& yarn = row_of(methods, "yarn");
    EXPECT_EQ(yarn.spectrum.attention_factor, 1.0);
    // (0.1 ln 40 + 1)^2, four roundings.
    EXPECT_NEAR(yarn.spectrum.softmax_scale_factor, 1.8738542070926265, 1e-15);
    EXPECT_THAT(rope_scaling_block(yarn), HasSubstr("\"mscale\": 1.0, \"mscale_all_dim\": 1.0"));
    const plot::Figure figure = context_figure_of(scene_of("deepseek-v3"));
    EXPECT_THAT(figure.report, HasSubstr("1.874"));
    EXPECT_EQ(figure.data.columns.back().name, "softmax_scale_factor");
}

TEST(ContextView, TheScenesFieldsEnterTheRows) {
    Scene scene = scene_of("llama-2-7b");
    scene.attention_factor = 1.25;
    scene.yarn_beta_fast = 20;
    scene.yarn_truncate = false;
    const MethodRow yarn = row_of(extension_methods(scene), "yarn");
    EXPECT_EQ(yarn.spectrum.attention_factor, 1.25);
    EXPECT_THAT(rope_scaling_block(yarn),
                HasSubstr("\"beta_fast\": 20.0, \"beta_slow\": 1.0, \"truncate\": false, "
                          "\"attention_factor\": 1.25"));
    // Another model does not inherit them.
    const Scene other = with_model(scene, *open_model("mistral-7b-v0.1").text);
    EXPECT_EQ(other.attention_factor, 0.0);
    EXPECT_TRUE(other.yarn_truncate);
}

TEST(ContextView, LongRopeHasARowWithItsListsOrAReasonWhyNot) {
    const Methods methods = extension_methods(scene_of("phi-3-mini-128k"));
    const MethodRow& longrope = row_of(methods, "longrope");
    EXPECT_EQ(chosen_row(scene_of("phi-3-mini-128k"), methods.rows).name, "longrope");
    // sqrt(1 + ln 32 / ln 4096) = sqrt(1 + 5/12)
    EXPECT_NEAR(longrope.spectrum.attention_factor, 1.1902380714238083, 1e-15);
    EXPECT_EQ(longrope.unfinished, 17);
    EXPECT_THAT(rope_scaling_block(longrope),
                AllOf(HasSubstr("\"short_factor\": [1.1"), HasSubstr("\"long_factor\": [1.0")));
    EXPECT_THAT(context_figure_of(scene_of("llama-2-7b")).report,
                AllOf(HasSubstr("LongRoPE (needs factors found by search"),
                      HasSubstr("proportional (changes how many pairs turn")));
}

TEST(ContextView, SaysWhatTheModelHasAlready) {
    EXPECT_THAT(context_figure_of(scene_of("llama-3.1-8b")).report,
                AllOf(HasSubstr("is scaled already (Llama 3 × 8 from 8"),
                      Not(HasSubstr("is what the model has"))));
    EXPECT_THAT(context_figure_of(scene_of("gemma-3-4b")).report,
                AllOf(HasSubstr("The file names no length before it"),
                      HasSubstr("The row linear is what the model has")));
    EXPECT_THAT(context_figure_of(scene_of("llama-2-7b")).report,
                AllOf(Not(HasSubstr("scaled already")),
                      HasSubstr("YaRN as an example: no scaling is chosen")));
}

TEST(ContextView, DynamicSaysWhereItStartsAndWhyItsFactorIsOne) {
    Scene scene = scene_of("llama-2-7b");
    scene.scaling = "dynamic";
    const plot::Figure figure = context_figure_of(scene);
    EXPECT_THAT(figure.report, HasSubstr("leave max_position_embeddings at the trained 4"));
    EXPECT_THAT(figure.report, HasSubstr("\"max_position_embeddings\": 4096, \"rope_scaling\": "
                                         "{\"rope_type\": \"dynamic\", \"factor\": 1.0}"));
}

TEST(ContextView, RowsThatDoNotFitAreNamed) {
    Scene scene;
    scene.view = "context";
    scene.head_dim = scene.rotary_dim = 2;
    scene.pairs = {0};
    scene.selected_pair = 0;
    EXPECT_THAT(
        context_figure_of(scene).report,
        AllOf(HasSubstr("NTK-aware (NTK scaling divides by rotary_dim - 2, and rotary_dim is 2"),
              HasSubstr("dynamic NTK (NTK scaling")));
    scene.base = 1;
    EXPECT_THAT(context_figure_of(scene).report,
                HasSubstr("YaRN (YaRN finds its pairs by the logarithm"));
}

plot::Figure drawn(Scene scene, const char* view) {
    scene.view = view;
    return context_figure_of(scene);
}

TEST(SpectrumOfAModel, UsesTheFactorsOfTheLengthItSpeaksOf) {
    Scene scene = scene_of("phi-3-mini-128k");
    EXPECT_THAT(drawn(scene, "spectrum").title, HasSubstr("17 of 48 pairs"));
    const std::string at_context = drawn(scene, "model").title;
    scene.seq_len = 131072;
    EXPECT_THAT(drawn(scene, "spectrum").title, HasSubstr("17 of 48 pairs"));
    EXPECT_EQ(drawn(scene, "model").title, at_context);
    scene.seq_len = 4096;
    EXPECT_THAT(drawn(scene, "spectrum").title, HasSubstr("1 of 48 pairs"));
    EXPECT_THAT(drawn(scene, "spectrum").subtitle, HasSubstr("at seq_len 4"));
    EXPECT_NE(drawn(scene, "model").title, at_context);
}

TEST(SpectrumOfAModel, SaysFromWhereDynamicStarts) {
    Scene scene = scene_of("llama-2-7b");
    scene.scaling = "dynamic";
    EXPECT_THAT(
        drawn(scene, "spectrum").subtitle,
        AllOf(HasSubstr("Scaling by dynamic NTK starts beyond 4"), HasSubstr("set seq_len")));
    scene.seq_len = 32768;
    EXPECT_THAT(drawn(scene, "spectrum").subtitle, HasSubstr("Scaled by dynamic NTK, factor 4"));
}

}  // namespace
}  // namespace ropescope::figures
