#include "core/formats/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/presets.h"
#include "tests/support/input_error.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ModelConfig parse(const std::string& json) {
    return parse_model_config(json, "m/config.json");
}

/// A complete llama configuration with `more` keys.
std::string llama(const std::string& more) {
    return R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, )"
           R"("num_key_value_heads": 8, "num_hidden_layers": 32, )"
           R"("max_position_embeddings": 8192, "rope_theta": 500000.0)" +
           more + "}";
}

TEST(ModelConfig, Llama) {
    const ModelConfig model = parse(llama(""));
    EXPECT_EQ(model.id, "m/config.json");
    EXPECT_EQ(model.title, "m");
    EXPECT_EQ(model.model_type, "llama");
    EXPECT_EQ(model.rope, (RopeSpec{128, 128, 500000, Layout::half_split}));
    EXPECT_EQ(model.max_positions, 8192);
    EXPECT_EQ(model.n_heads, 32);
    EXPECT_EQ(model.n_kv_heads, 8);
    EXPECT_EQ(model.n_layers, 32);
    EXPECT_THAT(model.assumptions, IsEmpty());
}

constexpr Layout kHalf = Layout::half_split;

TEST(ModelConfig, DefaultsOfTheFamilyAreSaid) {
    const ModelConfig model =
        parse(R"({"model_type":"stablelm","hidden_size":2560,"num_attention_heads":32})");
    EXPECT_EQ(model.rope.rotary_dim, 20);
    EXPECT_THAT(model.assumptions, ElementsAre("partial_rotary_factor is missing: 0.25",
                                               "rope_theta is missing: 10000"));
}

TEST(ModelConfig, AnUnknownTypeIsReadByItsRopeKeys) {
    const ModelConfig model = parse(
        R"({"model_type":"new_one","hidden_size":512,"num_attention_heads":8,
            "rope_theta":30000,"rotary_pct":0.5})");
    EXPECT_EQ(model.rope, (RopeSpec{64, 32, 30000, Layout::half_split}));
    EXPECT_EQ(model.confidence, Confidence::inferred);
    EXPECT_THAT(model.assumptions, ElementsAre(HasSubstr("'new_one'")));
    EXPECT_THAT(input_error([] {
                    parse(R"({"model_type":"other","hidden_size":768,"num_attention_heads":12})");
                }),
                AllOf(HasSubstr("m/config.json: model_type"), HasSubstr("'other'")));
}

TEST(ModelConfig, TheLanguageModelOfAMultimodalOne) {
    const ModelConfig model = parse(R"({"model_type":"llava","text_config":)" + llama("") + "}");
    EXPECT_EQ(model.model_type, "llama");
    EXPECT_EQ(model.rope.base, 500000);
    EXPECT_THAT(model.assumptions, ElementsAre(HasSubstr("text_config")));
}

TEST(ModelConfig, SlipsAndContradictionsAreSaid) {
    EXPECT_THAT(parse(llama(R"(, "rope_scaling": {"type": "linear", "factor": 2, "faktor": 3})"))
                    .assumptions,
                ElementsAre("'faktor' is not known and not read; did you mean 'factor'?"));
    EXPECT_THAT(parse(llama(R"(, "rope_scaling": {"type": "yarn", "factor": 40,
                                 "original_max_position_embeddings": 2048})"))
                    .assumptions,
                ElementsAre("factor 40 counts, where max_position_embeddings 8192 / "
                            "original_max_position_embeddings 2048 would be 4"));
    const ModelConfig model = parse(llama(R"(, "rope_parameters": {"rope_theta": 10000})"));
    EXPECT_EQ(model.rope.base, 10000);
    EXPECT_THAT(model.assumptions,
                ElementsAre("rope_theta 10000 in rope_parameters counts, not the "
                            "rope_theta 500000 beside it, as in transformers"));
    EXPECT_THAT(parse(llama(R"(, "partial_rotary_factor": 0.5, "rope_parameters":
                             {"rope_theta": 500000, "partial_rotary_factor": 0.25})"))
                    .assumptions,
                ElementsAre("partial_rotary_factor 0.25 in rope_parameters counts, not the "
                            "partial_rotary_factor 0.5 beside it"));
    EXPECT_THAT(input_error([] {
                    parse(R"({"model_type": "gemma3_text", "hidden_size": 2560, "rope_parameters":
                             {"full_atention": {"rope_theta": 1000000},
                              "sliding_attention": {"rope_theta": 10000}}})");
                }),
                AllOf(HasSubstr("rope_parameters.full_atention: is not a type of layer"),
                      HasSubstr("did you mean 'full_attention'?")));
}

TEST(ModelConfig, DefaultRopeTypesInEverySpelling) {
    for (const char* more :
         {R"(, "rope_scaling": null)", R"(, "rope_scaling": {"type": "default"})",
          R"(, "rope_scaling": {"rope_type": "default"})",
          R"(, "rope_parameters": {"rope_type": "default", "rope_theta": 500000})",
          R"(, "rope_parameters": {"rope_theta": 500000})"}) {
        EXPECT_EQ(parse(llama(more)).rope.base, 500000) << more;
    }
}

TEST(ModelConfig, DynamicScalingStartsAtTheContext) {
    const ModelConfig model = parse(llama(R"(, "rope_scaling": {"type": "dynamic", "factor": 2,
        "original_max_position_embeddings": 4096})"));
    EXPECT_EQ(model.rope.scaling, Scaling(DynamicNtkScaling{2, 8192}));
    EXPECT_THAT(model.assumptions,
                ElementsAre(HasSubstr("original_max_position_embeddings: dynamic")));
}

TEST(ModelConfig, LayersOfTwoTypes) {
    // Gemma 3 4B as published: what is not there is the family's.
    const ModelConfig gemma = parse(
        R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","hidden_size":2560,
            "num_hidden_layers":34,"rope_scaling":{"factor":8.0,"rope_type":"linear"},
            "sliding_window":1024}})");
    ASSERT_EQ(gemma.layer_ropes.size(), 2U);
    const LayerRope& full = gemma.layer_ropes[0];
    const LayerRope& sliding = gemma.layer_ropes[1];
    EXPECT_EQ(full.layer_type, "full_attention");
    EXPECT_EQ(full.layers, 5);
    EXPECT_EQ(full.rope, (RopeSpec{256, 256, 1e6, kHalf, LinearScaling{8}}));
    EXPECT_EQ(sliding.layer_type, "sliding_attention");
    EXPECT_EQ(sliding.layers, 29);
    EXPECT_EQ(sliding.rope, (RopeSpec{256, 256, 1e4, kHalf}));
    EXPECT_EQ(gemma.rope, full.rope);
    EXPECT_EQ(gemma.n_heads, 8);
    EXPECT_EQ(gemma.n_kv_heads, 4);
    EXPECT_EQ(gemma.max_positions, 131072);
}

TEST(ModelConfig, LayersWithFullAttentionSpeakForTheModel) {
    const ModelConfig model =
        parse(llama(R"(, "layer_types": ["chunked_attention", "full_attention"],
                    "rope_parameters": {"chunked_attention": {"rope_theta": 10000},
                                        "full_attention": {"rope_theta": 500000}})"));
    ASSERT_EQ(model.layer_ropes.size(), 2U);
    EXPECT_EQ(model.layer_ropes[0].layer_type, "chunked_attention");
    EXPECT_EQ(model.rope.base, 500000);
}

TEST(ModelConfig, RopeParametersByLayerType) {
    const ModelConfig model = parse(
        R"({"model_type":"modernbert","hidden_size":768,"num_attention_heads":12,
            "layer_types":["full_attention","sliding_attention","sliding_attention"],
            "rope_parameters":{"full_attention":{"rope_type":"default","rope_theta":160000.0},
                               "sliding_attention":{"rope_type":"linear","factor":2,
                                                    "rope_theta":10000.0}}})");
    ASSERT_EQ(model.layer_ropes.size(), 2U);
    EXPECT_EQ(model.layer_ropes[0].rope, (RopeSpec{64, 64, 160000, kHalf}));
    EXPECT_EQ(model.layer_ropes[1].rope, (RopeSpec{64, 64, 10000, kHalf, LinearScaling{2}}));
    EXPECT_EQ(model.layer_ropes[1].layers, 2);
}

TEST(ModelConfig, Phi3KeepsItsOriginalLengthBesideTheScaling) {
    std::string ones = "1";
    for (int i = 1; i < 16; ++i) {
        ones += ",1";
    }
    const ModelConfig model = parse(
        R"({"model_type":"phi3","hidden_size":64,"num_attention_heads":2,
            "max_position_embeddings":131072,"original_max_position_embeddings":4096,
            "rope_scaling":{"type":"su","short_factor":[)" +
        ones + R"(],"long_factor":[)" + ones + "]}}");
    const auto& scaling = std::get<LongRopeScaling>(model.rope.scaling);
    EXPECT_EQ(scaling.original_positions, 4096);
    EXPECT_EQ(scaling.factor, 32);
}

TEST(ModelPresets, AreCompleteFacts) {
    const std::vector<ModelConfig>& presets = model_presets();
    EXPECT_GE(presets.size(), 20U);
    std::vector<std::string> ids;
    for (const ModelConfig& preset : presets) {
        EXPECT_NO_THROW(validate(preset.rope)) << preset.id;
        EXPECT_FALSE(preset.title.empty()) << preset.id;
        EXPECT_GT(preset.max_positions, 0) << preset.id;
        EXPECT_GT(preset.n_layers, 0) << preset.id;
        EXPECT_THAT(preset.assumptions, IsEmpty()) << preset.id;
        EXPECT_THAT(ids, testing::Not(testing::Contains(preset.id)));
        ids.push_back(preset.id);
    }
}

TEST(ModelPresets, EachSaysWhatItWasComparedWith) {
    const nlohmann::json file = nlohmann::json::parse(
        read_file(std::filesystem::path(test::source_dir()) / "assets/presets.json"));
    for (const nlohmann::json& preset : file.at("presets")) {
        EXPECT_GT(preset.at("source").get<std::string>().size(), 8U) << preset.at("id");
        EXPECT_GT(preset.at("checked").get<std::string>().size(), 8U) << preset.at("id");
    }
}

const ModelConfig& model_preset(std::string_view id) {
    return *std::ranges::find(model_presets(), id, &ModelConfig::id);
}

TEST(ModelPresets, KnownModels) {
    EXPECT_EQ(model_preset("llama-2-7b").rope, (RopeSpec{128, 128, 1e4, Layout::half_split}));
    EXPECT_EQ(model_preset("llama-3-8b").rope.base, 5e5);
    EXPECT_EQ(model_preset("llama-2-70b").n_kv_heads, 8);
    EXPECT_EQ(model_preset("roformer-notebook").rope,
              (RopeSpec{192, 192, 1e6, Layout::interleaved}));
    EXPECT_EQ(model_preset("roformer-notebook").max_positions, 1024);
    EXPECT_EQ(model_preset("roformer-chinese-base").rope,
              (RopeSpec{64, 64, 1e4, Layout::interleaved}));
    EXPECT_EQ(model_preset("gpt-neox-20b").rope, (RopeSpec{96, 24, 1e4, Layout::half_split}));
    EXPECT_EQ(model_preset("gpt-j-6b").rope, (RopeSpec{256, 64, 1e4, Layout::interleaved}));
    EXPECT_EQ(model_preset("falcon-7b").n_kv_heads, 1);
}

}  // namespace
}  // namespace ropescope
