// Files whose type is read by the line of models that it belongs to, and text parts without a type.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/formats/model_config.h"
#include "core/formats/model_family.h"
#include "core/formats/schemes/type_line.h"
#include "core/models/model.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Model tower(const std::string& type, const std::string& more = "") {
    return parse_model(fmt::format(R"({{"model_type":"{}","hidden_size":384,)"
                                   R"("num_attention_heads":6{}}})",
                                   type, more),
                       "config.json");
}

TEST(ModelLines, KnownAreTheNamesOfPartsAlone) {
    for (const char* type : {"qwen3_vl", "qwen3_vl_moe_text", "qwen3_vl_moe_vision"}) {
        EXPECT_TRUE(is_known_in_line(type, "qwen3_vl")) << type;
    }
    for (const char* type : {"qwen3_vl_foo", "qwen3_vl2", "qwen3_vl_text_foo", "qwen3_vltext"}) {
        EXPECT_FALSE(is_known_in_line(type, "qwen3_vl")) << type;
    }
}

TEST(ModelLines, WhatOnlyBeginsLikeALineIsInferred) {
    EXPECT_THAT(tower("dinov3_vit").part().inferred, IsEmpty());
    EXPECT_THAT(tower("dinov3_foo").part().inferred,
                HasSubstr("'dinov3_foo' is not known; inferred: as dinov3"));
    EXPECT_THAT(test::input_error([] { tower("dinov3_convnext"); }), HasSubstr("has no RoPE"));
    EXPECT_THAT(test::input_error([] { tower("cosmos3_edge_vision"); }),
                HasSubstr("no key is about RoPE"));
    const Model text =
        parse_model(R"({"model_type":"ernie4_5_vl_moe_foo","hidden_size":4096,)"
                    R"("num_attention_heads":32,"rope_theta":500000.0,"vision_config":{}})",
                    "config.json");
    EXPECT_THAT(text.part().inferred, HasSubstr("inferred: as ernie4_5_vl"));
}

TEST(ModelLines, TowersWithRopeParametersReadABaseBesideThem) {
    for (const char* type : {"kimi_k25_vision", "minimax_m3_vl_vision"}) {
        const auto fastest_but_one = [&](const char* base) {
            const Model model = parse_model(
                fmt::format(R"({{"model_type":"{}","hidden_size":1152,"vt_hidden_size":1152,)"
                            R"("num_attention_heads":16,"vt_num_attention_heads":16,)"
                            R"("rope_theta":{}}})",
                            type, base),
                "config.json");
            return model.part().scheme.heads.front().inv_freq_rad;
        };
        EXPECT_NE(fastest_but_one("20000.0"), fastest_but_one("10000.0")) << type;
    }
}

/// A text_config without model_type is of the type that the class of the whole file gives it.
TEST(ModelLines, TextPartsWithoutATypeAreOfThatOfTheirWhole) {
    const auto text_of = [](const char* type) {
        return parse_model_config(
            fmt::format(R"({{"model_type":"{}","text_config":{{"hidden_size":4096,)"
                        R"("num_attention_heads":32,"num_hidden_layers":6}}}})",
                        type),
            "config.json");
    };
    EXPECT_EQ(text_of("llava").model_type, "llama");
    EXPECT_EQ(text_of("llava").confidence, Confidence::known);
    EXPECT_EQ(text_of("mistral3").model_type, "mistral");
    EXPECT_EQ(text_of("gemma3").layer_ropes.size(), 2U);
    EXPECT_EQ(text_part_type("made_up"), "");
    Index types = 0;
    for (const auto& row : family_tables().at("text_parts")) {
        const std::string text = row.at("have");
        EXPECT_NE(find_model_family(text), nullptr) << text;
        types += std::ssize(row.at("model_types"));
    }
    EXPECT_GT(types, 70);
}

TEST(ModelLines, TimmLaysModelArgsOverThoseOfTheArchitecture) {
    const auto base = [](const std::string& arguments) {
        const Model model = parse_model(
            R"({"architecture":"vit_base_patch16_rope_224","pretrained_cfg":{})" + arguments + "}",
            "config.json");
        return model.part().scheme.heads.front().inv_freq_rad;
    };
    EXPECT_EQ(base(""), base(R"(,"model_args":{"img_size":256})"));
    EXPECT_NE(base(""), base(R"(,"model_args":{"rope_temperature":50.0})"));
}

std::string gemma(const char* by_layer) {
    return fmt::format(R"({{"model_type":"gemma4_unified_text","hidden_size":2304,)"
                       R"("num_attention_heads":8,"num_hidden_layers":6,"per_layer_config":{}}})",
                       by_layer);
}

TEST(ModelLines, WidthsOfSingleLayers) {
    const auto widths = [](const char* by_layer) {
        const ModelConfig model = parse_model_config(gemma(by_layer), "config.json");
        std::vector<Index> all;
        for (const LayerRope& layer : model.layer_ropes) {
            all.push_back(layer.rope.head_dim);
        }
        return all;
    };
    EXPECT_THAT(widths(R"({"5":{"head_dim":384}})"), testing::ElementsAre(384, 256));
    EXPECT_THAT(widths("{}"), testing::ElementsAre(256, 256));
    EXPECT_THAT(widths("null"), testing::ElementsAre(256, 256));
    EXPECT_THAT(widths(R"({"0":{"head_dim":128},"1":{"head_dim":128},"2":{"head_dim":128},)"
                       R"("3":{"head_dim":128},"4":{"head_dim":128},"5":{"head_dim":384}})"),
                testing::ElementsAre(384, 128));
    EXPECT_THAT(test::input_error(
                    [] { parse_model_config(gemma(R"({"0":{"head_dim":128}})"), "config.json"); }),
                HasSubstr("layers of sliding_attention have heads of different widths (128, and "
                          "the usual one)"));
}

// Sources: configuration_sam3.py, configuration_sam3_video.py of huggingface/transformers.
TEST(ModelLines, TheTowerOfSam3LiesBehindItsNeckAndInTheDetector) {
    const std::string neck =
        R"({"model_type":"sam3_vision_model","fpn_hidden_size":256,"backbone_config":{)"
        R"("model_type":"sam3_vit_model","hidden_size":1024,"num_attention_heads":16}})";
    const std::string whole = R"({"model_type":"sam3","vision_config":)" + neck + "}";
    for (const std::string& file :
         {neck, whole, R"({"model_type":"sam3_video","detector_config":)" + whole + "}"}) {
        const Model model = parse_model(file, "config.json");
        EXPECT_EQ(model.part("vision").scheme.head_dim, 64) << file;
        EXPECT_EQ(model.part("vision").axes(), 2) << file;
    }
}

// Source: configuration_minimax_m3_vl.py, MiniMaxM3VLConfig.__post_init__: pop("model_type").
TEST(ModelLines, AModelThatMakesItsOwnTowerPassesOverTheTypeInside) {
    const auto vision_of = [](const char* whole) {
        return parse_model(
            fmt::format(R"({{"model_type":"{}","text_config":{{"model_type":"mixtral",)"
                        R"("hidden_size":2048,"num_attention_heads":16}},)"
                        R"("vision_config":{{"model_type":"clip_vision_model",)"
                        R"("hidden_size":1280,"num_attention_heads":16}}}})",
                        whole),
            "config.json");
    };
    EXPECT_THAT(vision_of("minimax_m3_vl").part("vision").assumptions,
                testing::Contains(HasSubstr("vision_config.model_type 'clip_vision_model' is "
                                            "passed over")));
    EXPECT_THAT(vision_of("mistral3").unread_vision,
                HasSubstr("vision_config: model_type 'clip_vision_model' is not known"));
}

TEST(ModelLines, ABaseThatTheCodeDoesNotReadIsSaid) {
    EXPECT_THAT(
        tower("glm4v_vision", R"(,"rope_parameters":{"rope_theta":50000.0})").part().assumptions,
        testing::Contains("rope_parameters.rope_theta 50000 is passed over: the code of "
                          "this tower has 10000 as a constant"));
}

TEST(ModelLines, AListOfBasesNeedsTheTypesOfItsLayers) {
    const auto step = [](const std::string& more) {
        return parse_model(R"({"model_type":"step3p5","hidden_size":4096,)"
                           R"("num_attention_heads":64,"num_hidden_layers":2,)"
                           R"("rope_theta":[5000000,10000])" +
                               more + "}",
                           "config.json");
    };
    EXPECT_THAT(test::input_error([&] { step(""); }),
                HasSubstr("rope_theta: is a list with 2 bases, and no key says whose they are; "
                          "layer_types"));
    EXPECT_EQ(step(R"(,"layer_types":["full_attention","sliding_attention"])").parts.size(), 2U);
}

TEST(ModelLines, BasesBehindTheLastLayerMakeNoTypeOfLayer) {
    const Model model =
        parse_model(R"({"model_type":"granite_swa","hidden_size":2048,"num_attention_heads":16,)"
                    R"("num_hidden_layers":2,"layer_rope_theta":[10000,10000,500000]})",
                    "config.json");
    ASSERT_EQ(model.parts.size(), 1U);
    EXPECT_EQ(model.part().spec.value().base, 10000.0);
}

}  // namespace
}  // namespace ropescope
