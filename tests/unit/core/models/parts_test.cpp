#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/embedded.h"
#include "core/formats/json_object.h"
#include "core/formats/schemes/schemes.h"
#include "core/models/model.h"
#include "core/schemes/multimodal_text.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Model model_of(const std::string& json) {
    return parse_model(json, "config.json");
}

std::vector<Part> read_scheme(const std::string& json) {
    return model_of(json).parts;
}

std::string scheme_refusal(const std::string& json) {
    return input_error([&] { model_of(json).part(); });
}

constexpr const char* kVision =
    R"("vision_config":{"depth":32,"embed_dim":1280,"num_heads":16,"patch_size":14,)"
    R"("spatial_merge_size":2,"tokens_per_second":2})";
const std::string kText = R"("hidden_size":3584,"num_attention_heads":28,"rope_theta":1000000.0)";

std::string qwen(const std::string& type, const std::string& rope) {
    return R"({"model_type":")" + type + "\"," + kText + "," + rope + "," + kVision + "}";
}

TEST(ModelSchemes, AModelThatSeesHasTwoParts) {
    const auto parts = read_scheme(
        qwen("qwen2_5_vl", R"("rope_scaling":{"type":"mrope","mrope_section":[16,24,24]})"));
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].kind, "text");
    EXPECT_EQ(parts[0].scheme.id, "qwen2_vl_text");
    const auto& rule = std::get<MultimodalRule>(parts[0].scheme.positions);
    EXPECT_EQ(rule.family, MultimodalFamily::qwen2_5_vl);
    EXPECT_EQ(rule.merge, 2);
    EXPECT_EQ(rule.tokens_per_second, 2.0);
    EXPECT_EQ(parts[1].kind, "vision");
    EXPECT_EQ(parts[1].scheme.id, "qwen2_vl_vision");
    EXPECT_EQ(parts[1].scheme.head_dim, 80);
}

/// The axis that turns a pair.
Index axis_of(const RotaryScheme& scheme, Index pair) {
    const auto omega = scheme.heads[0].omega_rad(pair);
    for (Index a = 0; a < std::ssize(omega); ++a) {
        if (omega[a] != 0.0) {
            return a;
        }
    }
    return -1;
}

// The flag shares out axes in Qwen3-VL and in models that are not listed, and means adjacent pairs
// of channels in GLM-4V.
TEST(ModelSchemes, TheFlagOfInterleavingHasTwoMeanings) {
    const std::string parameters =
        R"("rope_parameters":{"rope_type":"default","mrope_section":[24,20,20],)"
        R"("mrope_interleaved":true})";
    for (const char* type : {"qwen3_vl_text", "qwen2_5_vl"}) {
        const auto parts = read_scheme(qwen(type, parameters));
        EXPECT_EQ(axis_of(parts[0].scheme, 1), kHeight) << type;
        EXPECT_EQ(axis_of(parts[0].scheme, 63), kTime) << type;
        EXPECT_EQ(parts[0].scheme.pairs[0], (ChannelPair{0, 64})) << type;
    }
    const auto glm =
        read_scheme(R"({"model_type":"glm4v_text","head_dim":128,"partial_rotary_factor":0.5,)"
                    R"("rope_parameters":{"mrope_section":[8,12,12],"mrope_interleaved":true,)"
                    R"("rope_theta":10000.0}})");
    EXPECT_EQ(axis_of(glm[0].scheme, 1), kTime);
    EXPECT_EQ(axis_of(glm[0].scheme, 8), kHeight);
    EXPECT_EQ(glm[0].scheme.pairs[0], (ChannelPair{0, 1}));
}

// GLM-4.1V's file has the language model's keys beside those of what sees, and its name for both.
TEST(ModelSchemes, Glm4vTurnsAdjacentChannelsHoweverItsFileIsNested) {
    const auto parts =
        read_scheme(R"({"model_type":"glm4v","hidden_size":4096,"num_attention_heads":32,)"
                    R"("partial_rotary_factor":0.5,"rope_theta":10000.0,)"
                    R"("rope_scaling":{"type":"default","mrope_section":[8,12,12]}})");
    EXPECT_EQ(parts[0].scheme.pairs[0], (ChannelPair{0, 1}));
    EXPECT_THAT(parts[0].assumptions, Each(Not(HasSubstr("inferred"))));
}

TEST(ModelSchemes, ScalingChangesTheFrequenciesBeforeTheyAreShared) {
    const auto plain = read_scheme(
        qwen("qwen2_vl", R"("rope_scaling":{"type":"mrope","mrope_section":[16,24,24]})"));
    const auto scaled = read_scheme(qwen(
        "qwen2_vl", R"("rope_scaling":{"type":"linear","factor":4.0,"mrope_section":[16,24,24]})"));
    for (std::size_t i = 0; i < 192; ++i) {
        EXPECT_DOUBLE_EQ(scaled[0].scheme.heads[0].inv_freq_rad[i],
                         plain[0].scheme.heads[0].inv_freq_rad[i] / 4.0);
    }
}

TEST(ModelSchemes, WhatTheFileLeavesOpenIsSaid) {
    const auto parts = read_scheme(R"({"model_type":"qwen3_vl_text","head_dim":128})");
    EXPECT_THAT(parts[0].assumptions, Contains("mrope_section is missing: t 24, h 20, w 20"));
    const auto flux =
        read_scheme(R"({"_class_name":"FluxTransformer2DModel","attention_head_dim":128})");
    EXPECT_THAT(flux[0].assumptions, ElementsAre("axes_dims_rope is missing: [16, 56, 56]"));
    const auto dinov3 =
        read_scheme(R"({"model_type":"dinov3_vit","hidden_size":384,"num_attention_heads":6})");
    EXPECT_THAT(dinov3[0].assumptions, Contains(StartsWith("num_register_tokens is missing: 4")));
}

/// The scheme of a part that sees, alone in its file.
RotaryScheme only(const std::string& json) {
    const auto parts = read_scheme(json);
    EXPECT_EQ(parts.size(), 1U);
    return parts.at(0).scheme;
}

TEST(ModelSchemes, Sam2DividesItsWidthWithoutRemainders) {
    EXPECT_EQ(only(R"({"memory_attention_hidden_size":256,"memory_attention_downsample_rate":2})")
                  .head_dim,
              128);
    EXPECT_THAT(scheme_refusal(R"({"memory_attention_hidden_size":258,)"
                               R"("memory_attention_num_attention_heads":4})"),
                HasSubstr("memory_attention_hidden_size: 258 does not give 4 heads a head_dim at "
                          "downsample rate 1; a multiple of 4"));
    EXPECT_THAT(scheme_refusal(R"({"memory_attention":{"layer":{"self_attention":)"
                               R"({"embedding_dim":256,"downsample_rate":3}}}})"),
                HasSubstr("self_attention.embedding_dim: 256 does not give 1 heads a head_dim at "
                          "downsample rate 3"));
}

std::string timm(const std::string& arguments) {
    return R"({"architecture":"x","model_args":{"embed_dim":128,"num_heads":2,)" + arguments + "}}";
}

// NaFlexVit's axial is RotaryEmbeddingCat, with no CLS unless class_token is true.
TEST(ModelSchemes, TimmsAxialCountsItsTokensAndItsReference) {
    const RotaryScheme plain = only(timm(R"("rope_type":"axial")"));
    EXPECT_EQ(plain.id, "timm_cat_lang");
    EXPECT_EQ(std::get<GridRule>(plain.positions).still_before, 0);
    const RotaryScheme full = only(timm(R"("rope_type":"axial","class_token":true,"reg_tokens":4,)"
                                        R"("rope_ref_feat_shape":[16,16])"));
    EXPECT_EQ(std::get<GridRule>(full.positions).still_before, 5);
    EXPECT_EQ(std::get<GridRule>(full.positions).axes[0].scale, 16.0);
}

TEST(ModelSchemes, TimmsReferenceIsTwoCounts) {
    for (const char* wrong : {"[16]", "[0,16]", "[16,-1]", "[16.5,16]", "[1e300,16]"}) {
        EXPECT_THAT(
            scheme_refusal(timm(R"("rope_type":"cat","ref_feat_shape":)" + std::string(wrong))),
            HasSubstr("model_args.ref_feat_shape: "))
            << wrong;
    }
}

TEST(ModelSchemes, TimmsFilesWithoutArgumentsTakeThoseOfTheCode) {
    const auto parts = read_scheme(
        R"({"architecture":"eva02_large_patch14_448","num_classes":1000,"pretrained_cfg":{}})");
    EXPECT_EQ(parts[0].scheme.id, "timm_cat_lang");
    EXPECT_EQ(parts[0].scheme.head_dim, 64);
    EXPECT_THAT(parts[0].assumptions,
                Contains(StartsWith("model_args is missing: those of eva02")));
    EXPECT_THAT(scheme_refusal(R"({"architecture":"resnet50","pretrained_cfg":{}})"),
                HasSubstr("architecture: the arguments of 'resnet50' are in timm's code"));
}

TEST(ModelSchemes, OnePeriodOfDinov3AloneIsNotPassedOver) {
    const std::string begin =
        R"({"model_type":"dinov3_vit","hidden_size":384,"num_attention_heads":6,)"
        R"("num_register_tokens":4,"original":{)";
    EXPECT_THAT(scheme_refusal(begin + R"("pos_embed_rope_min_period":0.01}})"),
                HasSubstr("original.pos_embed_rope_min_period: is one of two periods"));
    EXPECT_THAT(
        scheme_refusal(begin + R"("pos_embed_rope_base":100,"pos_embed_rope_min_period":0.01,)"
                               R"("pos_embed_rope_max_period":10}})"),
        HasSubstr("stands beside pos_embed_rope_base"));
    const auto parts =
        read_scheme(begin + R"("pos_embed_rope_base":100,"pos_embed_rope_max_period":10}})");
    EXPECT_THAT(parts[0].assumptions, Contains(HasSubstr("is not used")));
}

TEST(ModelSchemes, LtxTakesNoMoreHeadsThanAModelHas) {
    EXPECT_THAT(
        scheme_refusal(R"({"_class_name":"LTXVideoTransformer3DModel","attention_head_dim":64,)"
                       R"("num_attention_heads":16777216})"),
        HasSubstr("num_attention_heads: 16777216 heads of 64 channels"));
}

// A tensor would otherwise turn as patches although it is the language model's.
TEST(ModelSchemes, ALanguageModelThatCannotBeReadIsNotReplacedByWhatSees) {
    const Model model =
        model_of(R"({"model_type":"mistral3","text_config":{"model_type":"mistral",)"
                 R"("hidden_size":"wide"},"vision_config":{"model_type":"pixtral",)"
                 R"("head_dim":64,"hidden_size":1024,"rope_theta":10000.0}})");
    ASSERT_EQ(model.parts.size(), 1U);
    EXPECT_THAT(input_error([&] { model.part(); }),
                AllOf(HasSubstr("hidden_size"), HasSubstr("--part vision takes the other part")));
    EXPECT_EQ(model.part("vision").scheme.id, "pixtral_hf");
}

TEST(ModelSchemes, AssumptionsNameThePartAndWhosePositionsAreTaken) {
    const auto pixtral =
        read_scheme(R"({"model_type":"llava","hidden_size":64,"num_attention_heads":2,)"
                    R"("rope_theta":1e6,"vision_config":{"model_type":"pixtral",)"
                    R"("head_dim":64,"hidden_size":1024}})");
    EXPECT_THAT(pixtral.back().assumptions, Contains("vision_config.rope_theta is missing: 10000"));
    const std::string sections = R"("rope_scaling":{"mrope_section":[16,24,24]})";
    EXPECT_THAT(read_scheme(qwen("something_new", sections))[0].assumptions,
                Contains(StartsWith("positions are those of Qwen2-VL")));
    EXPECT_THAT(read_scheme(qwen("qwen2_vl", sections))[0].assumptions,
                Each(Not(HasSubstr("positions are"))));
}

TEST(ModelSchemes, QwenOmniCountsSeconds) {
    const std::string sections = R"("rope_scaling":{"mrope_section":[16,24,24]})";
    const auto rule_of = [](const std::string& config) {
        return std::get<MultimodalRule>(read_scheme(config)[0].scheme.positions);
    };
    const MultimodalRule usual = rule_of(qwen("qwen2_5_omni_text", sections));
    EXPECT_EQ(usual.family, MultimodalFamily::qwen2_5_omni);
    EXPECT_EQ(usual.tokens_per_second, 25);
    EXPECT_EQ(usual.chunk_steps, 50);
    const MultimodalRule whole = rule_of(
        std::string(
            R"({"model_type":"qwen3_omni_moe","thinker_config":{"position_id_per_seconds":13,)") +
        kVision + R"(,"text_config":{"model_type":"qwen3_omni_moe_text",)" + kText + "," +
        R"("rope_scaling":{"mrope_section":[24,20,20]}}}})");
    EXPECT_EQ(whole.family, MultimodalFamily::qwen3_omni);
    EXPECT_EQ(whole.tokens_per_second, 13);
    const std::string chunks = R"({"model_type":"qwen2_5_omni_thinker","seconds_per_chunk":3,)" +
                               std::string(kVision) +
                               R"(,"text_config":{"model_type":"qwen2_5_omni_text",)" + kText +
                               "," + R"("rope_scaling":{"mrope_section":[16,24,24]}}})";
    EXPECT_EQ(rule_of(chunks).chunk_steps, 75);
}

TEST(ModelSchemes, ATowerAloneIsReadByTheEndingOfItsType) {
    for (const char* type : {"qwen2_vl_vision", "qwen3_vl_vision", "qwen3_5_vision",
                             "qwen3_omni_moe_vision_encoder", "glm4v_vision", "glm_ocr_vision",
                             "ernie4_5_vl_moe_vision", "DFNRope_vision_transformer"}) {
        SCOPED_TRACE(type);
        const auto parts = read_scheme(
            std::string(R"({"model_type":")") + type +
            R"(","depth":24,"hidden_size":1536,"num_heads":12,"num_attention_heads":12,"patch_size":14})");
        ASSERT_EQ(parts.size(), 1U);
        EXPECT_EQ(parts[0].kind, "vision");
        EXPECT_EQ(parts[0].scheme.id, "qwen2_vl_vision");
        EXPECT_EQ(parts[0].scheme.head_dim, 128);
    }
}

TEST(ModelSchemes, APartThatIsNotKnownIsNamedWhenItIsAskedFor) {
    const Model model =
        model_of(R"({"model_type":"llava",)" + kText +
                 R"(,"vision_config":{"model_type":"clip_vision","hidden_size":64}})");
    ASSERT_EQ(model.parts.size(), 1U);
    EXPECT_THAT(input_error([&] { model.part("vision"); }),
                AllOf(HasSubstr("vision_config: model_type 'clip_vision' is not known"),
                      HasSubstr("part:")));
    EXPECT_THAT(input_error([&] { model_of("{" + kText + "}").part("vision"); }),
                HasSubstr("'vision' is not a part of config.json; give text"));
}

/// Wan's repository calls the class WanModel and states the channels of all heads.
TEST(ModelSchemes, WansOwnFileStatesAllHeads) {
    EXPECT_EQ(read_scheme(R"({"_class_name":"WanModel","dim":1024,"num_heads":16})")
                  .at(0)
                  .scheme.head_dim,
              64);
    EXPECT_EQ(read_scheme(R"({"_class_name":"WanModel"})").at(0).scheme.head_dim, 128);
    EXPECT_THAT(scheme_refusal(R"({"_class_name":"WanModel","dim":1024,"num_heads":15})"),
                HasSubstr("dim: 1024 does not give 15 heads a head_dim"));
}

/// A model of diffusers turns in several axes; a spectrum of one would be wrong.
TEST(ModelSchemes, AnotherModelOfDiffusersIsRefused) {
    EXPECT_THAT(
        scheme_refusal(R"({"_class_name":"NewVideoTransformer3DModel","attention_head_dim":128,)"
                       R"("num_attention_heads":32,"rope_theta":10000.0})"),
        HasSubstr("_class_name: 'NewVideoTransformer3DModel' is not a known model"));
}

TEST(ModelSchemes, AClassThatSaysHowAxesShareAHeadIsInferred) {
    const auto parts =
        read_scheme(R"({"_class_name":"NewImageTransformer2DModel","attention_head_dim":128,)"
                    R"("axes_dims_rope":[32,32],"theta":500})");
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_THAT(parts[0].inferred, HasSubstr("'NewImageTransformer2DModel' is not known"));
    EXPECT_EQ(parts[0].scheme.head_dim, 128);
    EXPECT_EQ(parts[0].scheme.pair_count(), 32);
    EXPECT_EQ(parts[0].scheme.pairs[1], (ChannelPair{2, 3}));
    EXPECT_EQ(axis_of(parts[0].scheme, 15), 0);
    EXPECT_EQ(axis_of(parts[0].scheme, 16), 1);
    EXPECT_DOUBLE_EQ(parts[0].scheme.heads[0].omega_rad(1)[0], std::pow(500.0, -2.0 / 32));
}

/// Values of the classes themselves, as their files of the hub leave nothing out.
TEST(ModelSchemes, ClassesOfDiffusersAreReadByTheirRow) {
    const auto scheme = [](const std::string& name, const std::string& more = "") {
        const auto parts = read_scheme(R"({"_class_name":")" + name + "\"" + more + "}");
        EXPECT_EQ(parts[0].inferred, "") << name;
        return parts[0].scheme;
    };
    EXPECT_EQ(scheme("ChromaTransformer2DModel").head_dim, 128);
    EXPECT_EQ(scheme("HiDreamImageTransformer2DModel").pair_count(), 32);
    EXPECT_EQ(scheme("SkyReelsV2Transformer3DModel").id, "wan21");
    EXPECT_EQ(scheme("AllegroTransformer3DModel").pairs[0], (ChannelPair{0, 16}));
    EXPECT_EQ(scheme("MiniMaxH3Transformer3DModel").pair_count(), 48);
    EXPECT_EQ(axis_of(scheme("Cosmos3OmniTransformer"), 1), kHeight);
    EXPECT_EQ(scheme("LTX2VideoTransformer3DModel", R"(,"rope_type":"split")").pairs[0],
              (ChannelPair{0, 64}));
    EXPECT_EQ(scheme("StableAudioDiTModel").pair_count(), 16);
    EXPECT_THAT(scheme_refusal(R"({"_class_name":"MochiTransformer3DModel"})"),
                HasSubstr("_class_name: 'MochiTransformer3DModel' has learned frequencies"));
}

/// The table of timm's architectures: learned ones are refused as such, and all others are read.
TEST(ModelSchemes, ArchitecturesOfTimmNeedNoArguments) {
    constexpr const char* kTable = "assets/timm_models.json";
    const nlohmann::json table = parse_json_object(embedded_file(kTable).value(), kTable);
    Index read = 0, learned = 0;
    for (const auto& [name, arguments] : table.at("models").items()) {
        const std::string file = R"({"architecture":")" + name + R"(","pretrained_cfg":{}})";
        if (arguments.value("rope_type", "") == "mixed") {
            EXPECT_THAT(scheme_refusal(file), HasSubstr("mixed model are learned"));
            ++learned;
        } else {
            EXPECT_EQ(read_scheme(file).size(), 1U) << name;
            ++read;
        }
    }
    EXPECT_EQ(read, 45);
    EXPECT_EQ(learned, 6);
    EXPECT_EQ(read_scheme(R"({"architecture":"vit_base_patch16_dinov3","pretrained_cfg":{}})")
                  .at(0)
                  .scheme.pairs[0],
              (ChannelPair{0, 32}));
}

TEST(ModelSchemes, NaflexMayHaveSections) {
    const RotaryScheme scheme =
        read_scheme(R"({"architecture":"naflexvit_new","model_args":{"embed_dim":1152,)"
                    R"("num_heads":16,"rope_type":"mrope","rope_mrope_section":[8,12,10]}})")
            .at(0)
            .scheme;
    EXPECT_EQ(axis_of(scheme, 0), -1) << "time stands still";
    EXPECT_EQ(axis_of(scheme, 1), 0);
    EXPECT_EQ(axis_of(scheme, 29), 1);
    EXPECT_EQ(axis_of(scheme, 32), -1);
    EXPECT_DOUBLE_EQ(scheme.heads[0].omega_rad(1)[0], std::pow(1e4, -2.0 / 72));
}

TEST(ModelSchemes, TypesOfLayersThatSeeTurnInTheirOwnWay) {
    const auto parts = read_scheme(
        R"({"model_type":"cohere_compass","text_config":{"model_type":"cohere_compass_text",)"
        R"("hidden_size":2048,"num_attention_heads":16,"num_hidden_layers":2,"layer_types":)"
        R"(["sliding_attention","full_attention"],"rope_parameters":{"sliding_attention":)"
        R"({"rope_theta":50000.0,"mrope_section":[24,20,20]},"full_attention":{"rope_theta":)"
        R"(1000000.0,"mrope_section":[24,20,20]},"rope_theta":7}}})");
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].layer_type, "full_attention");
    EXPECT_EQ(axis_of(parts[0].scheme, 1), kHeight);
    EXPECT_DOUBLE_EQ(parts[1].scheme.heads[0].omega_rad(1)[kHeight], std::pow(5e4, -1.0 / 64));
}

TEST(ModelSchemes, ATowerIsReadWhereTheLanguageModelIsNot) {
    const Model model =
        model_of(qwen("qwen2_vl", R"("rope_scaling":{"type":"mrope","mrope_section":[16,24]})"));
    EXPECT_EQ(model.part("vision").scheme.id, "qwen2_vl_vision");
    EXPECT_THAT(input_error([&] { model.part(); }), HasSubstr("mrope_section: 2 numbers"));
}

TEST(ModelSchemes, ALengthChangesTheSharedSpectrum) {
    const Part part = read_scheme(
        qwen("qwen2_vl", R"("max_position_embeddings":64,"rope_scaling":{"rope_type":"dynamic",)"
                         R"("factor":2.0,"mrope_section":[16,24,24]})"))[0];
    const Part longer = part.at_length(128);
    const RopeSpec& line = *longer.shared;
    EXPECT_EQ(line.seq_len, 128);
    for (Index pair = 0; pair < 64; ++pair) {
        EXPECT_EQ(longer.scheme.heads[0].omega_rad(pair)[axis_of(part.scheme, pair)],
                  make_spectrum(line).inv_freq_rad[pair]);
    }
    EXPECT_LT(longer.scheme.heads[0].omega_rad(63)[kWidth],
              part.scheme.heads[0].omega_rad(63)[kWidth]);
}

TEST(ModelSchemes, TowersMayStateTheirBaseInRopeParameters) {
    const auto speed = [](const std::string& type, const std::string& more) {
        const auto parts =
            read_scheme(R"({"model_type":")" + type +
                        R"(","hidden_size":1152,"num_attention_heads":16)" + more + "}");
        return parts[0].scheme.heads[0].omega_rad(1);
    };
    const std::string stated = R"(,"rope_parameters":{"rope_theta":500})";
    EXPECT_EQ(speed("qwen3_vl_vision", "")[0], std::pow(1e4, -4.0 / 72));
    EXPECT_EQ(speed("qwen3_vl_vision", stated)[0], std::pow(500.0, -4.0 / 72));
    EXPECT_EQ(speed("qwen2_vl_vision", stated)[0], std::pow(1e4, -4.0 / 72));
}

/// Baidu's own files of ERNIE 4.5 VL have other keys than those of transformers.
TEST(ModelSchemes, ErniesOwnFileAllocatesFrequencies) {
    const auto parts = read_scheme(
        R"({"model_type":"ernie4_5_moe_vl","hidden_size":2560,"num_attention_heads":20,)"
        R"("rope_theta":500000,"rope_3d":true,"freq_allocation":24,"spatial_conv_size":4,)"
        R"("temporal_conv_size":3,"vision_config":{"model_type":"DFNRope_vision_transformer",)"
        R"("embed_dim":1280,"num_heads":16}})");
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_THAT(parts[0].assumptions, ElementsAre());
    const RotaryScheme& text = parts[0].scheme;
    for (Index pair = 0; pair < 64; ++pair) {
        EXPECT_EQ(axis_of(text, pair), pair >= 40 ? kTime : pair % 2 == 0 ? kHeight : kWidth);
    }
    const auto& rule = std::get<MultimodalRule>(text.positions);
    EXPECT_EQ(rule.merge, 4);
    EXPECT_EQ(rule.temporal_merge, 3);
    EXPECT_EQ(parts[1].scheme.head_dim, 80);
}

TEST(ModelSchemes, CosmosAndWanNeedChannelsForEveryAxis) {
    const auto cosmos = [](const std::string& more) {
        return scheme_refusal(R"({"_class_name":"CosmosTransformer3DModel",)" + more + "}");
    };
    EXPECT_THAT(cosmos(R"("attention_head_dim":128,"rope_scale":[1.0,-1.0,1.0])"),
                HasSubstr("rope_scale: -1 for an axis of 42 channels"));
    EXPECT_THAT(cosmos(R"("attention_head_dim":8)"), HasSubstr("head_dim of 12 or more"));
    EXPECT_THAT(scheme_refusal(R"({"_class_name":"WanTransformer3DModel","attention_head_dim":4})"),
                HasSubstr("give an even number from 6 on"));
}

TEST(ModelSchemes, TextInOneAxisIsAPartToo) {
    const auto parts =
        read_scheme(R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32})");
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts[0].scheme.id, "text");
    EXPECT_THAT(parts[0].scheme.axes, ElementsAre("position"));
}

TEST(ModelSchemes, NamesTheKeyOfAMistake) {
    EXPECT_THAT(scheme_refusal(
                    qwen("qwen2_vl", R"("rope_scaling":{"type":"mrope","mrope_section":[16,24]})")),
                HasSubstr("config.json: rope_scaling.mrope_section: 2 numbers; 3 whole numbers"));
    EXPECT_THAT(scheme_refusal(qwen(
                    "qwen2_vl", R"("rope_scaling":{"type":"mrope","mrope_section":[16,24,23.5]})")),
                HasSubstr("mrope_section: 23.5; 3 whole numbers"));
    EXPECT_THAT(scheme_refusal(qwen(
                    "qwen2_vl", R"("rope_scaling":{"type":"mrope","mrope_section":[16,24,25]})")),
                HasSubstr("mrope_section: t 16, h 24, w 25 make 65 pairs; this model turns 64"));
    EXPECT_THAT(scheme_refusal(R"({"_class_name":"FluxTransformer2DModel","attention_head_dim":64,)"
                               R"("axes_dims_rope":[16,56,56]})"),
                HasSubstr("axes_dims_rope: [16, 56, 56] make 128 channels; attention_head_dim is "
                          "64"));
    EXPECT_THAT(
        scheme_refusal(R"({"_class_name":"Flux2Transformer2DModel","axes_dims_rope":[64,64]})"),
        HasSubstr("axes_dims_rope: 2 numbers; 4 whole numbers"));
    EXPECT_THAT(scheme_refusal(R"({"_class_name":"CogVideoXTransformer3DModel"})"),
                HasSubstr("use_rotary_positional_embeddings: this model has no rotary"));
    EXPECT_THAT(
        scheme_refusal(R"({"model_type":"moonvit","hidden_size":1150,"num_attention_heads":16})"),
        HasSubstr("does not give 16 heads a head_dim"));
    EXPECT_THAT(
        scheme_refusal(R"({"model_type":"moonvit","hidden_size":1120,"num_attention_heads":16})"),
        HasSubstr("config.json: head_dim: 70 does not fit moonvit; give a multiple of 4"));
    EXPECT_THAT(scheme_refusal(R"({"architecture":"x","model_args":{"rope_type":"mixed"}})"),
                HasSubstr("model_args.rope_type: the frequencies of a mixed model are learned"));
    EXPECT_THAT(scheme_refusal(R"({"architecture":"x","model_args":{"rope_type":"spiral"}})"),
                HasSubstr("cat, axial, mixed, mrope or dinov3 is expected"));
}

Tensor freqs_of(std::vector<std::int64_t> shape, Index count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i);
    }
    return make_tensor("freqs", std::move(shape), std::span<const float>(values));
}

TEST(ModelSchemes, MixedFrequenciesComeFromTheWeight) {
    for (const auto& shape : {std::vector<std::int64_t>{2, 3, 2, 4}, {2, 3, 8}}) {
        const Tensor freqs = freqs_of(shape, 48);
        const RotaryScheme scheme = mixed_scheme_of_weights(freqs.view(), 1, 2);
        EXPECT_EQ(scheme.head_dim, 8);
        ASSERT_EQ(scheme.heads.size(), 2U);
        EXPECT_EQ(scheme.heads[1].inv_freq_rad[2], 8 + 4 + 1);       // x of pair 1
        EXPECT_EQ(scheme.heads[1].inv_freq_rad[3], 24 + 8 + 4 + 1);  // y of pair 1
    }
    const Tensor freqs = freqs_of({2, 3, 2, 4}, 48);
    const auto refused = [&](Index layer, Index heads) {
        return input_error([&] { mixed_scheme_of_weights(freqs.view(), layer, heads); });
    };
    EXPECT_THAT(refused(3, 2), HasSubstr("freqs: shape [2, 3, 2, 4]; layer 3 is not one of its 3"));
    EXPECT_THAT(refused(0, 3), HasSubstr("frequencies of 3 heads are expected"));
    const Tensor flat = freqs_of({48}, 48);
    EXPECT_THAT(input_error([&] { mixed_scheme_of_weights(flat.view(), 0, 2); }),
                HasSubstr("freqs: shape [48]; [2, layers, heads, pairs]"));
}

}  // namespace
}  // namespace ropescope
