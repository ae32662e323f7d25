// What each family of models means by the keys of its config.json.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/base/file.h"
#include "core/formats/json_object.h"
#include "core/formats/model_config.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"
#include "tests/support/input_error.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

ModelConfig parse_family(const std::string& json) {
    return parse_model_config(json, "m/config.json");
}

constexpr Layout kHalfSplit = Layout::half_split;
constexpr Layout kInterleaved = Layout::interleaved;

/// What a file means, by the models' papers and modeling files, not by this program's table.
struct FamilyCase {
    std::string name, config, model_type;
    RopeSpec rope;
    int n_kv_heads = 0;
};
void PrintTo(const FamilyCase& family, std::ostream* out) {
    *out << family.name;
}

std::vector<FamilyCase> family_cases() {
    const std::filesystem::path file =
        std::filesystem::path(test::source_dir()) / "tests/golden/families.json";
    const nlohmann::json json = parse_json_object(read_file(file), file.string());
    std::vector<FamilyCase> cases;
    for (const nlohmann::json& each : json.at("cases")) {
        cases.push_back({.name = each.at("name"),
                         .config = each.at("config").dump(),
                         .model_type = each.at("config").value("model_type", ""),
                         .rope = {each.at("head_dim"), each.at("rotary_dim"), each.at("base"),
                                  parse_layout(each.at("layout").get<std::string>())},
                         .n_kv_heads = each.at("n_kv_heads")});
    }
    return cases;
}

class Families : public testing::TestWithParam<FamilyCase> {};

TEST_P(Families, AreReadInTheirOwnWords) {
    const ModelConfig model = parse_family(GetParam().config);
    EXPECT_EQ(model.confidence, Confidence::known);
    EXPECT_EQ(model.rope.head_dim, GetParam().rope.head_dim);
    EXPECT_EQ(model.rope.rotary_dim, GetParam().rope.rotary_dim);
    EXPECT_EQ(model.rope.base, GetParam().rope.base);
    EXPECT_EQ(model.rope.layout, GetParam().rope.layout);
    EXPECT_EQ(model.n_kv_heads, GetParam().n_kv_heads);
}
INSTANTIATE_TEST_SUITE_P(ModelFamilies, Families, testing::ValuesIn(family_cases()),
                         [](const auto& test) { return test.param.name; });

TEST(ModelFamilies, EveryRowIsHeldToNumbersFromElsewhere) {
    const std::vector<FamilyCase> cases = family_cases();
    for (const ModelFamily& family : model_families()) {
        const bool notebook = family.model_type == kNotebookType;  // its files name no type
        EXPECT_GT(
            std::ranges::count(cases, notebook ? "" : family.model_type, &FamilyCase::model_type),
            0)
            << family.model_type << " has no case in tests/golden/families.json";
    }
}

TEST(ModelFamilies, DeepSeekV4HasTwoBases) {
    // Layers without a compressor turn at the usual base; YaRN belongs to the others and, unlike
    // elsewhere, multiplies neither cos nor sin.
    const std::string sizes = R"({"model_type":"deepseek_v4","hidden_size":4096,)"
                              R"("num_attention_heads":64,"head_dim":512,"qk_rope_head_dim":64,)"
                              R"("num_hidden_layers":5,"max_position_embeddings":1048576,)";
    const std::string yarn = R"("factor":16,"beta_fast":32,"beta_slow":1,)"
                             R"("original_max_position_embeddings":65536)";
    for (const std::string& more :
         {R"("compress_ratios":[0,0,4,128,4,0],"rope_theta":10000,"compress_rope_theta":160000,)"
          R"("rope_scaling":{"type":"yarn",)" +
              yarn + "}}",
          R"("layer_types":["sliding_attention","sliding_attention","compressed_sparse_attention",)"
          R"("heavily_compressed_attention","compressed_sparse_attention"],"rope_parameters":{)"
          R"("main":{"rope_type":"default","rope_theta":10000,"partial_rotary_factor":0.125},)"
          R"("compress":{"rope_type":"yarn","rope_theta":160000,"attention_factor":1.0,)"
          R"("partial_rotary_factor":0.125,)" +
              yarn + "}}}"}) {
        const ModelConfig model = parse_family(sizes + more);
        ASSERT_EQ(model.layer_ropes.size(), 2U) << more;
        const auto& [compress, compressed, with] = model.layer_ropes[0];
        const auto& [main, plain, without] = model.layer_ropes[1];
        EXPECT_EQ(compress, "compress");
        EXPECT_EQ(compressed, 3);
        EXPECT_EQ(plain, 2);
        EXPECT_EQ(without, (RopeSpec{64, 64, 10000, kInterleaved}));
        const Spectrum spectrum = make_spectrum(with);
        EXPECT_EQ(spectrum.attention_factor, 1.0);
        EXPECT_EQ(spectrum.softmax_scale_factor, 1.0);
        // Python, float64: YaRN's ramp from pair 15 to 25 of base 160000, original length 65536.
        EXPECT_NEAR(spectrum.inv_freq_rad[0], 1.0, 1e-15);
        EXPECT_NEAR(spectrum.inv_freq_rad[31], 5.6805290369099757e-07, 1e-20);
    }
}

TEST(ModelFamilies, MimoV2TurnsItsSlidingLayersFaster) {
    const ModelConfig model = parse_family(
        R"({"model_type":"mimo_v2_flash","hidden_size":4096,"num_attention_heads":64,
            "num_hidden_layers":6,"head_dim":192,"swa_head_dim":192,"partial_rotary_factor":0.334,
            "rope_theta":5000000,"swa_rope_theta":10000,"hybrid_layer_pattern":[0,1,1,1,1,0]})");
    ASSERT_EQ(model.layer_ropes.size(), 2U);
    EXPECT_EQ(model.layer_ropes[0].rope, (RopeSpec{192, 64, 5e6, kHalfSplit}));
    EXPECT_EQ(model.layer_ropes[0].layers, 2);
    EXPECT_EQ(model.layer_ropes[1].rope, (RopeSpec{192, 64, 1e4, kHalfSplit}));
    EXPECT_EQ(model.layer_ropes[1].layers, 4);
}

TEST(ModelFamilies, StepGivesAListWithABaseForEachLayer) {
    const auto step = [](const char* bases) {
        return parse_family(fmt::format(
            R"({{"model_type":"step3p5","hidden_size":4096,"num_attention_heads":64,"head_dim":128,
                "num_hidden_layers":3,"rope_theta":{},"partial_rotary_factors":[0.5,1.0,1.0],
                "layer_types":["full_attention","sliding_attention","sliding_attention"]}})",
            bases));
    };
    const ModelConfig model = step("[5000000.0,10000.0,10000.0]");
    ASSERT_EQ(model.layer_ropes.size(), 2U);
    EXPECT_EQ(model.layer_ropes[0].rope, (RopeSpec{128, 64, 5e6, kHalfSplit}));
    EXPECT_EQ(model.layer_ropes[1].rope, (RopeSpec{128, 128, 1e4, kHalfSplit}));
    EXPECT_EQ(model.layer_ropes[1].layers, 2);
    EXPECT_THAT(input_error([&] { step("[5000000.0,10000.0,20000.0]"); }),
                AllOf(HasSubstr("rope_theta[2]"), HasSubstr("differ")));
    EXPECT_THAT(input_error([&] { step("[\"a\",1,1]"); }), HasSubstr("rope_theta"));
}

TEST(ModelFamilies, GtesNtkIsItsOwn) {
    const std::string gte =
        R"({"model_type":"new","hidden_size":768,"num_attention_heads":12,"rope_theta":20000,
            "position_embedding_type":"rope","max_position_embeddings":8192,
            "rope_scaling":{"type":"ntk","factor":8.0)";
    const ModelConfig model = parse_family(gte + "}}");
    const Spectrum spectrum = make_spectrum(model.rope);
    for (int pair = 0; pair < 32; ++pair) {
        // vLLM: base times the factor, then all frequencies by factor^(2/d).
        const double theirs = std::pow(20000.0 * 8, -pair / 32.0) / std::pow(8.0, 2 / 64.0);
        EXPECT_NEAR(spectrum.inv_freq_rad[pair] / theirs, 1, 1e-14) << pair;
    }
    EXPECT_EQ(spectrum.attention_factor, 1.0);
    EXPECT_FALSE(depends_on_seq_len(model.rope.scaling)) << "one factor a pair at every length";
    EXPECT_THAT(model.assumptions, testing::Contains(HasSubstr("GTE's own")));
    EXPECT_THAT(input_error([&] { parse_family(gte + R"(,"mixed_b":0.8}})"); }),
                HasSubstr("mixed_b"));
    const ModelConfig llama =
        parse_family(R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1,
                  "rope_scaling":{"type":"ntk","factor":8.0}})");
    EXPECT_EQ(llama.rope.scaling, Scaling(NtkScaling{8}));
    EXPECT_THAT(llama.assumptions, testing::Contains(HasSubstr("another formula")));
}

TEST(ModelFamilies, TheLongContextOfZamba2IsSaid) {
    const ModelConfig model =
        parse_family(R"({"model_type":"zamba2","hidden_size":2560,"num_attention_heads":32,
                  "max_position_embeddings":4096,"use_mem_rope":true,"use_long_context":true})");
    EXPECT_EQ(model.max_positions, 16384);
    EXPECT_THAT(model.assumptions,
                testing::Contains("use_long_context multiplies the base 10000 by 8^(160/158) at "
                                  "every length and means a context of 16384 positions"));
}

TEST(ModelFamilies, TheFirstInternLmKeepsItsBaseInAnObject) {
    const std::string sizes = R"({"model_type":"internlm","hidden_size":4096,)"
                              R"("num_attention_heads":32,"max_position_embeddings":2048,)";
    EXPECT_EQ(parse_family(sizes + R"("rotary":{"base":30000,"type":"origin"}})").rope,
              (RopeSpec{128, 128, 30000, kHalfSplit}));
    ModelConfig model =
        parse_family(sizes + R"("rotary":{"base":10000,"type":"dynamic","scaling_factor":2.0}})");
    EXPECT_EQ(model.rope.scaling, Scaling(DynamicNtkScaling{2, 2048}));
    // 10000 (2 * 8192 / 2048 - 1)^(128 / 126), in Python.
    model.rope.seq_len = 8192;
    EXPECT_NEAR(make_spectrum(model.rope).inv_freq_rad[63], 1.649688549556369e-05, 1e-18);
}

TEST(ModelFamilies, WhatTheParametersDoNotSayIsMentioned) {
    const auto assumed = [](const char* json, const char* text) {
        EXPECT_THAT(parse_family(json).assumptions, testing::Contains(HasSubstr(text))) << json;
    };
    assumed(R"({"model_type":"deepseek_v32","hidden_size":7168,"num_attention_heads":128})",
            "indexer that chooses keys turns half-split");
    assumed(R"({"model_type":"nomic_bert","n_embd":768,"n_head":12,"rotary_emb_base":1000,
                "rotary_scaling_factor":2})",
            "this key was not read: rotary_scaling_factor 2");
    assumed(R"({"model_type":"gptj","n_embd":4096,"n_head":16,"rotary_dim":64,"rope_theta":5e5})",
            "this key was not read: rope_theta");
    assumed(R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1,"vision_config":
                {"rope_theta":100}})",
            "this key was not read: vision_config.rope_theta 100");
    // Their softmax is scaled by nothing, and nothing says otherwise.
    for (const char* type : {"glm_moe_dsa", "longcat_flash"}) {
        const ModelConfig model = parse_family(
            fmt::format(R"({{"model_type":"{}","hidden_size":64,"num_attention_heads":1}})", type));
        EXPECT_EQ(make_spectrum(model.rope).softmax_scale_factor, 1.0);
        EXPECT_THAT(model.assumptions, testing::Not(testing::Contains(HasSubstr("softmax"))));
    }
}

TEST(ModelFamilies, TheSizesOfALanguageModelInsideAnother) {
    // LLaVA 1.5 7B as published: its text_config says how it differs from LlamaConfig.
    const ModelConfig llava = parse_family(
        R"({"model_type":"llava","text_config":{"_name_or_path":"lmsys/vicuna-7b-v1.5",
            "max_position_embeddings":4096,"model_type":"llama"}})");
    EXPECT_EQ(llava.rope, (RopeSpec{128, 128, 10000, kHalfSplit}));
    EXPECT_EQ(llava.n_heads, 32);
    EXPECT_THAT(llava.assumptions, AllOf(testing::Contains("hidden_size is missing: 4096"),
                                         testing::Contains("num_attention_heads is missing: 32")));
    const ModelConfig omni = parse_family(R"({"model_type":"omni","thinker_config":{"text_config":
            {"model_type":"llama","hidden_size":64,"num_attention_heads":2,"rope_theta":5e5}}})");
    EXPECT_EQ(omni.rope.base, 500000);
    const ModelConfig paligemma = parse_family(
        R"({"model_type":"paligemma","hidden_size":2048,"text_config":{"model_type":"gemma",
            "hidden_size":2048,"num_attention_heads":8,"num_key_value_heads":1}})");
    EXPECT_EQ(paligemma.rope, (RopeSpec{256, 256, 10000, kHalfSplit}));
    EXPECT_THAT(omni.assumptions,
                ElementsAre(HasSubstr("thinker_config"), HasSubstr("text_config")));
}

TEST(ModelFamilies, DefaultScalingOfTheFamily) {
    const std::string gpt_oss = R"({"model_type":"gpt_oss","hidden_size":2880,)"
                                R"("num_attention_heads":64,"max_position_embeddings":131072)";
    for (const char* more : {"", R"(,"rope_scaling":null)"}) {
        const ModelConfig model = parse_family(gpt_oss + more + "}");
        const auto& yarn = std::get<YarnScaling>(model.rope.scaling);
        EXPECT_EQ(yarn.factor, 32);
        EXPECT_EQ(yarn.original_positions, 4096);
        EXPECT_FALSE(yarn.truncate);
        EXPECT_THAT(model.assumptions,
                    testing::Contains(AllOf(HasSubstr("rope_parameters"), HasSubstr("yarn"))));
    }
    const ModelConfig plain = parse_family(gpt_oss + R"(,"rope_scaling":{"type":"default"}})");
    EXPECT_EQ(plain.rope.scaling, Scaling(NoScaling{}));
    // Gemma 4's are by type of layer; its heads with full attention are wider.
    const ModelConfig gemma =
        parse_family(R"({"model_type":"gemma4_text","hidden_size":2304,"num_hidden_layers":35})");
    ASSERT_EQ(gemma.layer_ropes.size(), 2U);
    EXPECT_EQ(gemma.layer_ropes[0].rope,
              (RopeSpec{512, 512, 1e6, kHalfSplit, ProportionalScaling{0.25, 1}}));
    EXPECT_EQ(gemma.layer_ropes[0].layers, 6);  // the last one, too
    EXPECT_EQ(gemma.layer_ropes[1].rope, (RopeSpec{256, 256, 1e4, kHalfSplit}));
    const ModelConfig wide = parse_family(
        R"({"model_type":"gemma4_text","hidden_size":2304,"num_hidden_layers":12,
            "per_layer_config":{"5":{"head_dim":128},"11":{"head_dim":128}}})");
    EXPECT_EQ(wide.layer_ropes[0].rope.head_dim, 128);
}

TEST(ModelFamilies, TypesOfLayersFollowTheFamilysPeriod) {
    const auto full_layers = [](const std::string& type, const std::string& more) {
        const ModelConfig model =
            parse_family(R"({"model_type":")" + type +
                         R"(","hidden_size":256,"num_attention_heads":4,"num_hidden_layers":8,
                      "head_dim":64)" +
                         more + "}");
        std::vector<Index> full;
        for (std::size_t layer = 0; layer < model.layer_types.size(); ++layer) {
            if (model.layer_types[layer] == "full_attention") {
                full.push_back(static_cast<Index>(layer));
            }
        }
        return full;
    };
    EXPECT_THAT(full_layers("gemma3_text", ""), ElementsAre(5));
    EXPECT_THAT(full_layers("gemma3_text", R"(,"sliding_window_pattern":3)"), ElementsAre(2, 5));
    EXPECT_THAT(full_layers("gemma4_text", ""), ElementsAre(5, 7));  // the last one, too
    EXPECT_THAT(full_layers("modernbert", ""), ElementsAre(0, 3, 6));
    EXPECT_THAT(full_layers("exaone4", R"(,"sliding_window_pattern":"LLG")"),
                ElementsAre(2, 5, 7));  // and the last one
    EXPECT_THAT(full_layers("exaone4", R"(,"sliding_window_pattern":0,"sliding_window":null)"),
                testing::SizeIs(8));
    EXPECT_THAT(full_layers("llama", ""), testing::IsEmpty());
    // A list goes before any period.
    EXPECT_THAT(
        full_layers("gemma3_text", R"(,"layer_types":["full_attention","sliding_attention"])"),
        ElementsAre(0));
}

/// Cohere 2 and AFMoE leave the rotation out in layers with full attention; EXAONE 4 unless the
/// file says that there is no window.
TEST(ModelFamilies, LayersWithFullAttentionMayTurnNothing) {
    const auto without = [](const std::string& type, const std::string& more) {
        return parse_family(R"({"model_type":")" + type +
                            R"(","hidden_size":256,"num_attention_heads":4,"num_hidden_layers":8)" +
                            more + "}")
            .layers_without;
    };
    EXPECT_THAT(without("cohere2", ""), ElementsAre(3, 7));
    EXPECT_THAT(without("afmoe", R"(,"global_attn_every_n_layers":2)"), ElementsAre(1, 3, 5, 7));
    EXPECT_THAT(without("exaone4", R"(,"sliding_window":4096)"), ElementsAre(3, 7));
    EXPECT_THAT(without("exaone4", ""), ElementsAre(3, 7)) << "the usual window is 4096";
    EXPECT_THAT(without("exaone4", R"(,"sliding_window":null)"), testing::IsEmpty());
    EXPECT_THAT(without("gemma3_text", R"(,"head_dim":64)"), testing::IsEmpty());
}

/// Whatever key says so: then nothing may be held to a rotation.
TEST(ModelFamilies, AModelWhoseLayersAllTurnNothingIsRefused) {
    const auto refused = [](const std::string& type, const std::string& more) {
        return test::input_error([&] {
            parse_family(R"({"model_type":")" + type +
                         R"(","hidden_size":256,"num_attention_heads":4,"num_hidden_layers":2,)" +
                         R"("layer_types":["full_attention","full_attention"])" + more + "}");
        });
    };
    EXPECT_THAT(refused("llama", R"(,"rope_parameters":{"full_attention":null})"),
                HasSubstr("layer_types: none of the layers has position embedding"));
    EXPECT_THAT(refused("cohere2", ""), HasSubstr("this model has no RoPE"));
}

TEST(ModelFamilies, ScoresMayBeScaledByTheModelsOwnFactor) {
    const auto scale = [](const std::string& type, const std::string& more) {
        return parse_family(R"({"model_type":")" + type +
                            R"(","hidden_size":256,"num_attention_heads":4,"num_hidden_layers":8)" +
                            more + "}")
            .softmax_scale;
    };
    EXPECT_EQ(scale("llama", ""), std::nullopt);
    EXPECT_EQ(scale("gemma2", R"(,"query_pre_attn_scalar":144)"), 1.0 / 12.0);
    EXPECT_EQ(scale("gemma2", ""), 1.0 / 16.0);
    EXPECT_EQ(scale("granite", R"(,"attention_multiplier":0.0078125)"), 0.0078125);
    EXPECT_EQ(scale("gemma3n_text", ""), 1.0);
}

TEST(ModelFamilies, LayersWithoutPositionEmbeddingAreCounted) {
    const std::string llama4 = R"({"model_type":"llama4_text","hidden_size":5120,)"
                               R"("num_attention_heads":40,"num_hidden_layers":48)";
    EXPECT_THAT(parse_family(llama4 + "}").assumptions,
                testing::Contains(HasSubstr("12 of 48 layers use no position")));
    EXPECT_THAT(parse_family(llama4 + R"(,"no_rope_layers":[0,1,1]})").assumptions,
                testing::Contains(HasSubstr("1 of 48 layers use no position")));
    EXPECT_THAT(parse_family(llama4 + R"(,"no_rope_layer_interval":6})").assumptions,
                testing::Contains(HasSubstr("8 of 48 layers use no position")));
}

TEST(ModelFamilies, Llama4ScoutHasAStepInPlaceOfARamp) {
    // Its config.json as published; any other model's is refused.
    const std::string rest = R"("hidden_size":5120,"num_attention_heads":40,"rope_theta":5e5,
        "max_position_embeddings":10485760,"rope_scaling":{"rope_type":"llama3","factor":16.0,
        "low_freq_factor":1.0,"high_freq_factor":1.0,"original_max_position_embeddings":8192}})";
    const Spectrum spectrum =
        make_spectrum(parse_family(R"({"model_type":"llama4_text",)" + rest).rope);
    const std::vector<double> plain = default_inv_freq(128, 5e5);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const double turns = 8192 * plain[i] / (2 * std::numbers::pi);
        EXPECT_EQ(spectrum.inv_freq_rad[i], turns > 1 ? plain[i] : plain[i] / 16) << "pair " << i;
    }
    EXPECT_THAT(input_error([&] { parse_family(R"({"model_type":"llama",)" + rest); }),
                HasSubstr("low_freq_factor: 1 is not below"));
}

TEST(ModelFamilies, PhiMoeGivesAFactorForEachLength) {
    const auto model = [](const char* more) {
        return parse_family(fmt::format(
            R"({{"model_type":"phimoe","hidden_size":8,"num_attention_heads":2,
                "max_position_embeddings":64,"rope_scaling":{{"type":"longrope",
                "short_factor":[1,1],"long_factor":[2,4],
                "original_max_position_embeddings":8{}}}}})",
            more));
    };
    RopeSpec rope = model(R"(,"short_mscale":1.25,"long_mscale":1.5)").rope;
    EXPECT_EQ(make_spectrum(rope).attention_factor, 1.25);
    rope.seq_len = 9;
    EXPECT_EQ(make_spectrum(rope).attention_factor, 1.5);
    EXPECT_THAT(input_error([&] { model(R"(,"short_mscale":1.25)"); }),
                AllOf(HasSubstr("rope_scaling.long_mscale"), HasSubstr("missing")));
}

TEST(ModelFamilies, HunyuanStretchesTheBaseAtEveryLength) {
    const ModelConfig model =
        parse_family(R"({"model_type":"hunyuan_v1_dense","hidden_size":64,"num_attention_heads":4,
                  "rope_scaling":{"type":"dynamic","alpha":1000.0,"factor":1.0}})");
    EXPECT_EQ(model.rope.scaling, Scaling(NtkScaling{1000}));
    EXPECT_THAT(model.assumptions, testing::Contains(HasSubstr("alpha 1000")));
}

}  // namespace
}  // namespace ropescope
