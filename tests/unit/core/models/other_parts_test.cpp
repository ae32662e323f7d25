// Parts of models that are built otherwise than a language model, with or without one that sees.
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/models/model.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Part> parts_of(const std::string& json) {
    return parse_model(json, "config.json").parts;
}

TEST(OtherParts, HunYuanVlTurnsAlongFourAxes) {
    for (const char* sections : {R"("rope_parameters":{"rope_type":"dynamic","alpha":1000.0,)"
                                 R"("rope_theta":10000.0,"mrope_section":[16,16,20,12]})",
                                 R"("rope_theta":10000.0,"rope_scaling":{"type":"xdrope",)"
                                 R"("alpha":1000.0,"xdrope_section":[16,16,20,12]})"}) {
        const auto parts = parts_of(
            std::string(R"({"model_type":"hunyuan_vl","vision_config":{"spatial_merge_size":2},)") +
            R"("text_config":{"model_type":"hunyuan_vl_text","hidden_size":1024,)" +
            R"("num_attention_heads":16,"head_dim":128,)" + sections + "}}");
        const RotaryScheme& scheme = parts[0].scheme;
        EXPECT_EQ(scheme.axes, (std::vector<std::string>{"p", "w", "h", "t"}));
        const Spectrum& spectrum = scheme.heads[0];
        const double base = 10000.0 * std::pow(1000.0, 128.0 / 126.0);
        const std::array<Index, 5> ends = {0, 16, 32, 52, 64};
        for (Index axis = 0; axis < 4; ++axis) {
            for (Index i = 0; i < 64; ++i) {
                const bool own = i >= ends[axis] && i < ends[axis + 1];
                // Two powers and a quotient in double, whose exponents are below 2.
                EXPECT_NEAR(spectrum.inv_freq_rad[i * 4 + axis],
                            own ? std::pow(base, -to_double(i) / 64.0) : 0.0, 1e-13);
            }
        }
        EXPECT_EQ(std::get<MultimodalRule>(scheme.positions).family, MultimodalFamily::hunyuan_vl);
        EXPECT_THAT(parts[0].assumptions, Contains(HasSubstr("no rotation for tokens of images")));
    }
}

// Source: configuration_blt.py and modeling_blt.py of huggingface/transformers.
TEST(OtherParts, EachTransformerOfBltTurnsByItself) {
    const std::string sizes = R"("num_attention_heads":16,"num_hidden_layers":2,)";
    const Model model = parse_model(
        R"({"model_type":"blt","patcher_config":{"hidden_size":768,"num_attention_heads":12,)"
        R"("rope_parameters":{"rope_type":"default","rope_theta":10000.0}},)"
        R"("encoder_config":{"model_type":"blt_local_encoder",)" +
            sizes +
            R"("hidden_size":1024},)"
            R"("decoder_config":{"model_type":"blt_local_decoder",)" +
            sizes +
            R"("hidden_size":1024},)"
            R"("global_config":{"model_type":"blt_global_transformer",)" +
            sizes + R"("hidden_size":2048,"num_key_value_heads":8}})",
        "config.json");
    std::vector<std::string> kinds;
    for (const Part& part : model.parts) {
        kinds.push_back(part.kind);
        EXPECT_EQ(part.spec.value().layout, Layout::interleaved);
    }
    EXPECT_THAT(kinds, ElementsAre("text", "encoder", "global", "patcher"));
    EXPECT_THAT(model.part("text").assumptions, Contains(HasSubstr("decoder_config")));
    EXPECT_EQ(model.part("global").spec.value().head_dim, 128);
    EXPECT_EQ(model.part("global").spec.value().base, 5e5);
    EXPECT_EQ(model.part("global").kv_heads, 8);
    EXPECT_EQ(model.part("patcher").spec.value().head_dim, 64);
    EXPECT_EQ(model.part("patcher").spec.value().base, 1e4);
}

// Sources: configuration_csm.py, configuration_mimi.py of huggingface/transformers.
TEST(OtherParts, EveryTransformerThatTheFileHasIsAPart) {
    const auto csm = [](const std::string& depth) {
        return parse_model(
            R"({"model_type":"csm","hidden_size":2048,"num_attention_heads":32,)"
            R"("codec_config":{"model_type":"mimi","hidden_size":512,"num_attention_heads":8},)"
            R"("depth_decoder_config":{"model_type":"csm_depth_decoder_model",)" +
                depth + R"("hidden_size":1024,"num_attention_heads":8,"head_dim":128}})",
            "config.json");
    };
    const Model model = csm("");
    EXPECT_EQ(model.part().spec.value().head_dim, 64);
    EXPECT_EQ(model.part("codec").spec.value().base, 1e4);
    EXPECT_EQ(model.part("depth_decoder").spec.value().head_dim, 128);
    EXPECT_EQ(model.part("depth_decoder").q_heads, 8);
    const Model broken = csm(R"("rope_theta":-1,)");
    EXPECT_THAT(broken.part().assumptions,
                Contains(HasSubstr("the part depth_decoder is not shown: config.json: "
                                   "depth_decoder_config.rope_theta")));
    EXPECT_EQ(broken.part("codec").kind, "codec");
}

TEST(OtherParts, ATextThatIsRepeatedBesideItsSizesIsOnePart) {
    const auto parts = parts_of(
        R"({"model_type":"llama","hidden_size":2048,"num_attention_heads":16,)"
        R"("llm_config":{"model_type":"llama","hidden_size":2048,"num_attention_heads":16}})");
    EXPECT_EQ(parts.size(), 1U);
}

// Sources: the rows of `indexers` in assets/families.json.
TEST(OtherParts, TheIndexerTurnsOnHeadsOfItsOwn) {
    const auto indexer = [](const char* type, const char* more) {
        const Model model = parse_model(
            std::string(R"({"model_type":")") + type +
                R"(","hidden_size":4096,"num_attention_heads":32,"qk_rope_head_dim":64,)" +
                R"("rope_theta":50000.0,"index_n_heads":24)" + more + "}",
            "config.json");
        EXPECT_THAT(model.text->assumptions, Not(Contains(HasSubstr("not read"))));
        EXPECT_EQ(model.part().kind, "text");
        EXPECT_EQ(model.part().spec.value().head_dim, 64);
        return model.part("indexer");
    };
    const Part usual = indexer("deepseek_v32", "");
    EXPECT_EQ(usual.spec.value().head_dim, 128);
    EXPECT_EQ(usual.spec.value().rotary_dim, 64);
    EXPECT_EQ(usual.spec.value().base, 50000.0);
    EXPECT_EQ(usual.spec.value().layout, Layout::half_split);
    EXPECT_EQ(usual.q_heads, 24);
    EXPECT_EQ(usual.kv_heads, 1);
    EXPECT_EQ(indexer("glm_moe_dsa", "").spec.value().layout, Layout::interleaved);
    const Part stated =
        indexer("glm_moe_dsa", R"(,"indexer_rope_interleave":false,"index_head_dim":96)");
    EXPECT_EQ(stated.spec.value().layout, Layout::half_split);
    EXPECT_EQ(stated.spec.value().head_dim, 96);
}

// The formula of compute_embeddings in modeling_efficientloftr.py, over all heads at once: pair 2j
// turns by rows and pair 2j + 1 by columns, by base^(-2j / channels).
TEST(OtherParts, EachHeadOfEfficientLoftrHasItsOwnSpeeds) {
    const auto config = [](const char* factor) {
        return std::string(R"({"model_type":"efficientloftr","hidden_size":256,)") +
               R"("num_attention_heads":8,"rope_parameters":{"rope_type":"default",)" +
               R"("rope_theta":10000.0,"partial_rotary_factor":)" + factor + "}}";
    };
    const RotaryScheme scheme = parts_of(config("4.0"))[0].scheme;
    ASSERT_EQ(scheme.heads.size(), 8U);
    EXPECT_EQ(scheme.head_dim, 32);
    EXPECT_EQ(scheme.pairs[1], (ChannelPair{2, 3}));
    for (Index pair = 0; pair < 128; ++pair) {
        const Spectrum& head = scheme.heads[pair / 16];
        const double omega = std::pow(10000.0, -to_double(pair / 2 * 2) / 128.0);
        for (Index axis = 0; axis < 2; ++axis) {
            // Two powers in double, whose exponents are below 1.
            EXPECT_NEAR(head.inv_freq_rad[pair % 16 * 2 + axis], pair % 2 == axis ? omega : 0.0,
                        1e-15);
        }
    }
    EXPECT_EQ(std::get<GridRule>(scheme.positions).axes[0].offset, 1.0);
    EXPECT_THAT(input_error([&] { parts_of(config("2.0")); }),
                HasSubstr("partial_rotary_factor: 2; this model turns all 8 heads as one"));
}

// A name that begins as a known one is a guess, and no fact.
TEST(OtherParts, WhatIsReadByTheBeginningOfANameIsInferred) {
    const auto wan = [](const char* name) {
        return parts_of(std::string(R"({"_class_name":")") + name +
                        R"(","attention_head_dim":128,"num_attention_heads":40})")[0]
            .inferred;
    };
    EXPECT_EQ(wan("WanTransformer3DModel"), "");
    EXPECT_THAT(wan("Wan3Transformer3DModel"), HasSubstr("as the known class whose name begins"));
    const Part text =
        parts_of(R"({"model_type":"qwen3_5_omni_text","hidden_size":4096,"num_attention_heads":16,)"
                 R"("head_dim":256,"rope_parameters":{"rope_theta":1e7,"mrope_section":[11,11,10],)"
                 R"("mrope_interleaved":true,"partial_rotary_factor":0.25}})")[0];
    EXPECT_TRUE(text.layout_is_assumed);
    EXPECT_THAT(text.assumptions, Contains(HasSubstr("those of qwen3_5: model_type")));
}

TEST(OtherParts, AModelTrainedWithoutRopeSaysWhatItDoes) {
    EXPECT_THAT(input_error([] {
                    parse_model(R"({"model_type":"roformer","hidden_size":64,)"
                                R"("num_attention_heads":4,"ropescope_position":"alibi"})",
                                "config.json");
                }),
                HasSubstr("ropescope_position: 'alibi': this model has no RoPE: it has ALiBi"));
}

}  // namespace
}  // namespace ropescope
