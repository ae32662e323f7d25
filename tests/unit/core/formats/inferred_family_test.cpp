// Files of types that are not known: read by the names of their keys, and marked as inferred.
#include "core/formats/inferred_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/formats/model_config.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using testing::Contains;
using testing::HasSubstr;

ModelConfig parse_inferred(const std::string& more) {
    return parse_model_config(R"({"model_type":"new_one","hidden_size":512,)" + more + "}",
                              "m/config.json");
}

TEST(InferredFamily, IsMarkedAndSaysWhatItIsMadeOf) {
    const ModelConfig model = parse_inferred(R"("num_attention_heads":8,"rope_theta":30000)");
    EXPECT_EQ(model.confidence, Confidence::inferred);
    EXPECT_THAT(model.assumptions.front(),
                testing::AllOf(HasSubstr("'new_one' is not known"), HasSubstr("half-split pairs")));
    const ModelConfig llama = parse_model_config(
        R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1})", "m/config.json");
    EXPECT_EQ(llama.confidence, Confidence::known);
}

TEST(InferredFamily, StandsFirstInsideAnotherModel) {
    const ModelConfig model = parse_model_config(
        R"({"model_type":"whole","decoder":{"model_type":"new_one","hidden_size":512,
            "num_attention_heads":8,"rope_theta":30000}})",
        "m/config.json");
    EXPECT_THAT(model.assumptions.front(), HasSubstr("'new_one' is not known"));
    EXPECT_THAT(model.assumptions, Contains(HasSubstr("decoder")));
}

TEST(InferredFamily, NamesOfWidthsAndBases) {
    const auto rope = [](const char* more) { return parse_inferred(more).rope; };
    EXPECT_EQ(rope(R"("num_heads":8,"rotary_base":5000,"attention_head_dim":96)"),
              (RopeSpec{96, 96, 5000, Layout::half_split}));
    EXPECT_EQ(rope(R"("n_heads":8,"rope_freq_base":7000,"kv_channels":32,"rotary_percent":0.5)"),
              (RopeSpec{32, 16, 7000, Layout::half_split}));
    EXPECT_EQ(rope(R"("num_attention_heads":8,"rope_theta":1e4,"rope_dim":16,
                      "rope_interleaved":true)"),
              (RopeSpec{64, 16, 1e4, Layout::interleaved}));
    EXPECT_EQ(rope(R"("decoder_attention_heads":8,"rotary_emb_base":2000)").head_dim, 64);
    EXPECT_EQ(rope(R"("num_attention_heads":8,"attn_config":{"rope_theta":50000})").base, 50000);
}

TEST(InferredFamily, ASecondBaseIsThatOfOtherLayers) {
    for (const char* key : {"rope_local_base_freq", "local_rope_theta", "swa_rope_theta",
                            "sliding_window_rope_theta"}) {
        const ModelConfig model = parse_inferred(R"("num_attention_heads":8,"rope_theta":1e6,")" +
                                                 std::string(key) + R"(":10000,
            "layer_types":["sliding_attention","sliding_attention","full_attention"])");
        ASSERT_EQ(model.layer_ropes.size(), 2U) << key;
        EXPECT_EQ(model.layer_ropes[0].layer_type, "full_attention");
        EXPECT_EQ(model.layer_ropes[0].rope.base, 1e6);
        EXPECT_EQ(model.layer_ropes[0].layers, 1);
        EXPECT_EQ(model.layer_ropes[1].layer_type, "sliding_attention");
        EXPECT_EQ(model.layer_ropes[1].rope.base, 1e4);
        EXPECT_EQ(model.layer_ropes[1].layers, 2);
        EXPECT_THAT(model.assumptions.front(), HasSubstr(key));
    }
    const ModelConfig global =
        parse_inferred(R"("num_attention_heads":8,"rope_theta":1e4,"global_rope_theta":1e6)");
    EXPECT_EQ(global.rope.base, 1e6);
    const ModelConfig other =
        parse_inferred(R"("num_attention_heads":8,"rope_theta":1e4,"compress_rope_theta":160000)");
    ASSERT_EQ(other.layer_ropes.size(), 2U);
    EXPECT_EQ(other.layer_ropes[1].layer_type, "compress_rope_theta");
    EXPECT_EQ(other.layer_ropes[1].rope.base, 160000);
}

TEST(InferredFamily, AFileThatSaysRotaryIsNotRefusedByItsName) {
    const auto bert = [](const char* more) {
        return parse_model_config(
            R"({"model_type":"bert","hidden_size":768,"num_attention_heads":12,)" +
                std::string(more) + "}",
            "m/config.json");
    };
    const ModelConfig model =
        bert(R"("position_embedding_type":"rotary","rotary_embedding_base":20000)");
    EXPECT_EQ(model.rope, (RopeSpec{64, 64, 20000, Layout::half_split}));
    EXPECT_EQ(model.confidence, Confidence::inferred);
    EXPECT_EQ(bert(R"("use_rotary_embeddings":true,"rope_theta":500)").rope.base, 500);
    EXPECT_EQ(bert(R"("attn_config":{"rope":true,"rope_theta":600})").rope.base, 600);
    EXPECT_THAT(test::input_error([&] { bert(R"("rope_theta":500)"); }), HasSubstr("has no RoPE"));
}

TEST(InferredFamily, LatentAttentionThatIsSwitchedOffLeavesWholeHeads) {
    const ModelConfig model = parse_model_config(
        R"({"model_type":"made_up","hidden_size":1280,"num_attention_heads":10,"use_mla":false,)"
        R"("qk_rope_head_dim":0,"rope_theta":10000})",
        "config.json");
    EXPECT_EQ(model.rope, (RopeSpec{128, 128, 10000.0}));
    const std::string widths =
        R"({"model_type":"made_up","hidden_size":1280,"num_attention_heads":10,)"
        R"("rope_theta":10000,"qk_rope_head_dim":0,"qk_nope_head_dim":)";
    EXPECT_EQ(parse_model_config(widths + "0}", "config.json").rope, model.rope)
        << "heads of no channel at all are plain ones";
    EXPECT_THAT(test::input_error([&] { parse_model_config(widths + "128}", "config.json"); }),
                HasSubstr("no RoPE"));
}

TEST(InferredFamily, RopeParametersByLayerTypeGoBeforeOtherBases) {
    const ModelConfig model = parse_inferred(
        R"("num_attention_heads":8,"swa_rope_theta":1,"rope_theta":1e4,"rope_parameters":{
            "full_attention":{"rope_type":"default","rope_theta":1e6,"partial_rotary_factor":0.5},
            "sliding_attention":{"rope_type":"default","rope_theta":1e4}})");
    ASSERT_EQ(model.layer_ropes.size(), 2U);
    EXPECT_EQ(model.layer_ropes[0].rope, (RopeSpec{64, 32, 1e6, Layout::half_split}));
    EXPECT_EQ(model.layer_ropes[1].rope, (RopeSpec{64, 64, 1e4, Layout::half_split}));
    EXPECT_THAT(model.assumptions, Contains("this key was not read: swa_rope_theta 1"));
}

TEST(InferredFamily, KeysThatNothingReadsAreNamed) {
    const ModelConfig model = parse_inferred(
        R"("num_attention_heads":8,"rope_theta":1e4,"no_rope_layers":[1,0],"rope_scale_base":512,
           "use_rope":true,"properties":{"mrope_kind":"x"},"max_position_embeddings":64)");
    EXPECT_THAT(model.assumptions, Contains("this key was not read: no_rope_layers"));
    EXPECT_THAT(model.assumptions, Contains("this key was not read: rope_scale_base 512"));
    EXPECT_THAT(model.assumptions, Contains("this key was not read: properties.mrope_kind \"x\""));
    EXPECT_EQ(model.assumptions.size(), 4U) << "no others";
    std::string many = R"("num_attention_heads":8,"rope_theta":1e4)";
    for (int i = 0; i < 100; ++i) {
        many += ",\"rope_" + std::to_string(i) + "\":1";
    }
    EXPECT_EQ(parse_inferred(many).assumptions.back(), "and 88 more keys were not read");
}

}  // namespace
}  // namespace ropescope
