// What each family of models means by the keys of its config.json.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "core/formats/model_config.h"
#include "core/rope/spectrum.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

ModelConfig parse(const std::string& json) {
    return parse_model_config(json, "m/config.json");
}

struct FamilyCase {
    const char* name;
    std::string json;
    RopeSpec rope;
    int n_kv_heads;
};
void PrintTo(const FamilyCase& family, std::ostream* out) {
    *out << family.name;
}

class Families : public testing::TestWithParam<FamilyCase> {};

TEST_P(Families, AreReadInTheirOwnWords) {
    const ModelConfig model = parse(GetParam().json);
    EXPECT_EQ(model.rope.head_dim, GetParam().rope.head_dim);
    EXPECT_EQ(model.rope.rotary_dim, GetParam().rope.rotary_dim);
    EXPECT_EQ(model.rope.base, GetParam().rope.base);
    EXPECT_EQ(model.rope.layout, GetParam().rope.layout);
    EXPECT_EQ(model.n_kv_heads, GetParam().n_kv_heads);
}

constexpr Layout kHalf = Layout::half_split;
constexpr Layout kInterleaved = Layout::interleaved;

// Expected numbers by the models' papers and modeling files, not by this program's table.
INSTANTIATE_TEST_SUITE_P(
    ModelFamilies, Families,
    testing::Values(
        FamilyCase{"gpt_neox",
                   R"({"model_type":"gpt_neox","hidden_size":6144,"num_attention_heads":64,
                       "rotary_pct":0.25,"rotary_emb_base":10000})",
                   {96, 24, 10000, kHalf},
                   64},
        FamilyCase{"gpt_neox_v5",
                   R"({"model_type":"gpt_neox","hidden_size":6144,"num_attention_heads":64,
                       "rope_parameters":{"rope_type":"default","rope_theta":20000,
                                          "partial_rotary_factor":0.5}})",
                   {96, 48, 20000, kHalf},
                   64},
        FamilyCase{"gptj",
                   R"({"model_type":"gptj","n_embd":4096,"n_head":16,"rotary_dim":64})",
                   {256, 64, 10000, kInterleaved},
                   16},
        FamilyCase{"phi",
                   R"({"model_type":"phi","hidden_size":2560,"num_attention_heads":32,
                       "partial_rotary_factor":0.4,"rope_theta":10000.0})",
                   {80, 32, 10000, kHalf},
                   32},
        FamilyCase{"gemma",
                   R"({"model_type":"gemma","hidden_size":2048,"num_attention_heads":8,
                       "num_key_value_heads":1,"head_dim":256,"rope_theta":10000.0})",
                   {256, 256, 10000, kHalf},
                   1},
        FamilyCase{"falcon",
                   R"({"model_type":"falcon","hidden_size":4544,"num_attention_heads":71,
                       "num_kv_heads":71,"multi_query":true,"new_decoder_architecture":false,
                       "alibi":false})",
                   {64, 64, 10000, kHalf},
                   1},
        FamilyCase{"stablelm",
                   R"({"model_type":"stablelm","hidden_size":2560,"num_attention_heads":32,
                       "partial_rotary_factor":0.25,"rope_theta":10000})",
                   {80, 20, 10000, kHalf},
                   32},
        FamilyCase{"roformer",
                   R"({"model_type":"roformer","hidden_size":768,"num_attention_heads":12,
                       "rope_theta":5})",
                   {64, 64, 10000, kInterleaved},
                   12},
        FamilyCase{"cohere",
                   R"({"model_type":"cohere","hidden_size":8192,"num_attention_heads":64,
                       "rope_theta":8000000.0})",
                   {128, 128, 8e6, kInterleaved},
                   64},
        FamilyCase{"qwen3",
                   R"({"model_type":"qwen3","hidden_size":1024,"num_attention_heads":16,
                       "num_key_value_heads":8,"head_dim":128,"rope_theta":1000000})",
                   {128, 128, 1e6, kHalf},
                   8},
        // GLM-4 9B and Baichuan 7B as their own code reads them.
        FamilyCase{"chatglm",
                   R"({"model_type":"chatglm","hidden_size":4096,"num_attention_heads":32,
                       "kv_channels":128,"multi_query_attention":true,"multi_query_group_num":2,
                       "num_layers":40,"seq_length":131072,"rope_ratio":500})",
                   {128, 64, 5e6, kInterleaved},
                   2},
        FamilyCase{"baichuan",
                   R"({"model_type":"baichuan","hidden_size":4096,"num_attention_heads":32,
                       "max_position_embeddings":4096})",
                   {128, 128, 10000, kHalf},
                   32},
        FamilyCase{"dbrx",
                   R"({"model_type":"dbrx","d_model":6144,"n_heads":48,"n_layers":40,
                       "max_seq_len":32768,"attn_config":{"kv_n_heads":8,"rope_theta":500000}})",
                   {128, 128, 500000, kHalf},
                   8},
        FamilyCase{"minimax_m2",
                   R"({"model_type":"minimax_m2","hidden_size":3072,"num_attention_heads":48,
                       "num_key_value_heads":8,"head_dim":128,"rotary_dim":64,
                       "rope_theta":5000000})",
                   {128, 64, 5e6, kHalf},
                   8},
        FamilyCase{"minimax_m2_v5",
                   R"({"model_type":"minimax_m2","hidden_size":3072,"num_attention_heads":48,
                       "num_key_value_heads":8,"head_dim":128,"rope_parameters":{
                       "rope_theta":5000000,"partial_rotary_factor":0.5}})",
                   {128, 64, 5e6, kHalf},
                   8},
        FamilyCase{"qwen3_next",
                   R"({"model_type":"qwen3_next","hidden_size":2048,"num_attention_heads":16,
                       "num_key_value_heads":2,"head_dim":256,"rope_theta":10000000})",
                   {256, 64, 1e7, kHalf},
                   2},
        FamilyCase{"nomic_bert",
                   R"({"model_type":"nomic_bert","n_embd":768,"n_head":12,"n_layer":12,
                       "n_positions":2048,"rotary_emb_base":1000,"rotary_emb_fraction":1.0,
                       "rotary_emb_interleaved":false})",
                   {64, 64, 1000, kHalf},
                   12},
        FamilyCase{"helium",
                   R"({"model_type":"helium","hidden_size":2048,"num_attention_heads":20,
                       "num_key_value_heads":20})",
                   {128, 128, 100000, kInterleaved},
                   20},
        FamilyCase{"bamba",
                   R"({"model_type":"bamba","hidden_size":4096,"num_attention_heads":32,
                       "num_key_value_heads":8,"partial_rotary_factor":1.0})",
                   {128, 64, 10000, kHalf},
                   8},
        FamilyCase{"notebook",
                   R"({"hidden_size":32,"n_heads":4,"num_attention_heads":8,"head_dim":64,
                       "rope_base":1000000.0,"block_size":16})",
                   {8, 8, 1e6, kInterleaved},
                   4}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ModelFamilies, TheSizesOfALanguageModelInsideAnother) {
    // LLaVA 1.5 7B as published: its text_config says how it differs from LlamaConfig.
    const ModelConfig llava = parse(
        R"({"model_type":"llava","text_config":{"_name_or_path":"lmsys/vicuna-7b-v1.5",
            "max_position_embeddings":4096,"model_type":"llama"}})");
    EXPECT_EQ(llava.rope, (RopeSpec{128, 128, 10000, kHalf}));
    EXPECT_EQ(llava.n_heads, 32);
    EXPECT_THAT(llava.assumptions, AllOf(testing::Contains("hidden_size is missing: 4096"),
                                         testing::Contains("num_attention_heads is missing: 32")));
    const ModelConfig omni = parse(R"({"model_type":"omni","thinker_config":{"text_config":
            {"model_type":"llama","hidden_size":64,"num_attention_heads":2,"rope_theta":5e5}}})");
    EXPECT_EQ(omni.rope.base, 500000);
    const ModelConfig paligemma = parse(
        R"({"model_type":"paligemma","hidden_size":2048,"text_config":{"model_type":"gemma",
            "hidden_size":2048,"num_attention_heads":8,"num_key_value_heads":1}})");
    EXPECT_EQ(paligemma.rope, (RopeSpec{256, 256, 10000, kHalf}));
    EXPECT_THAT(omni.assumptions,
                ElementsAre(HasSubstr("thinker_config"), HasSubstr("text_config")));
}

TEST(ModelFamilies, DefaultScalingOfTheFamily) {
    const std::string gpt_oss = R"({"model_type":"gpt_oss","hidden_size":2880,)"
                                R"("num_attention_heads":64,"max_position_embeddings":131072)";
    for (const char* more : {"", R"(,"rope_scaling":null)"}) {
        const ModelConfig model = parse(gpt_oss + more + "}");
        const auto& yarn = std::get<YarnScaling>(model.rope.scaling);
        EXPECT_EQ(yarn.factor, 32);
        EXPECT_EQ(yarn.original_positions, 4096);
        EXPECT_FALSE(yarn.truncate);
        EXPECT_THAT(model.assumptions,
                    testing::Contains(AllOf(HasSubstr("rope_parameters"), HasSubstr("yarn"))));
    }
    const ModelConfig plain = parse(gpt_oss + R"(,"rope_scaling":{"type":"default"}})");
    EXPECT_EQ(plain.rope.scaling, Scaling(NoScaling{}));
    // Gemma 4's are by type of layer; its heads with full attention are wider.
    const ModelConfig gemma =
        parse(R"({"model_type":"gemma4_text","hidden_size":2304,"num_hidden_layers":35})");
    ASSERT_EQ(gemma.layer_ropes.size(), 2U);
    EXPECT_EQ(gemma.layer_ropes[0].rope,
              (RopeSpec{512, 512, 1e6, kHalf, ProportionalScaling{0.25, 1}}));
    EXPECT_EQ(gemma.layer_ropes[0].layers, 6);  // the last one, too
    EXPECT_EQ(gemma.layer_ropes[1].rope, (RopeSpec{256, 256, 1e4, kHalf}));
    const ModelConfig wide = parse(
        R"({"model_type":"gemma4_text","hidden_size":2304,"num_hidden_layers":12,
            "per_layer_config":{"5":{"head_dim":128},"11":{"head_dim":128}}})");
    EXPECT_EQ(wide.layer_ropes[0].rope.head_dim, 128);
}

TEST(ModelFamilies, LayersWithoutPositionEmbeddingAreCounted) {
    const std::string llama4 = R"({"model_type":"llama4_text","hidden_size":5120,)"
                               R"("num_attention_heads":40,"num_hidden_layers":48)";
    EXPECT_THAT(parse(llama4 + "}").assumptions,
                testing::Contains(HasSubstr("12 of 48 layers use no position")));
    EXPECT_THAT(parse(llama4 + R"(,"no_rope_layers":[0,1,1]})").assumptions,
                testing::Contains(HasSubstr("1 of 48 layers use no position")));
    EXPECT_THAT(parse(llama4 + R"(,"no_rope_layer_interval":6})").assumptions,
                testing::Contains(HasSubstr("8 of 48 layers use no position")));
}

TEST(ModelFamilies, Llama4ScoutHasAStepInPlaceOfARamp) {
    // Its config.json as published; any other model's is refused.
    const std::string rest = R"("hidden_size":5120,"num_attention_heads":40,"rope_theta":5e5,
        "max_position_embeddings":10485760,"rope_scaling":{"rope_type":"llama3","factor":16.0,
        "low_freq_factor":1.0,"high_freq_factor":1.0,"original_max_position_embeddings":8192}})";
    const Spectrum spectrum = make_spectrum(parse(R"({"model_type":"llama4_text",)" + rest).rope);
    const std::vector<double> plain = default_inv_freq(128, 5e5);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const double turns = 8192 * plain[i] / (2 * std::numbers::pi);
        EXPECT_EQ(spectrum.inv_freq_rad[i], turns > 1 ? plain[i] : plain[i] / 16) << "pair " << i;
    }
    EXPECT_THAT(input_error([&] { parse(R"({"model_type":"llama",)" + rest); }),
                HasSubstr("low_freq_factor: 1 is not below"));
}

TEST(ModelFamilies, PhiMoeGivesAFactorForEachLength) {
    const auto model = [](const char* more) {
        return parse(fmt::format(
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
        parse(R"({"model_type":"hunyuan_v1_dense","hidden_size":64,"num_attention_heads":4,
                  "rope_scaling":{"type":"dynamic","alpha":1000.0,"factor":1.0}})");
    EXPECT_EQ(model.rope.scaling, Scaling(NtkScaling{1000}));
    EXPECT_THAT(model.assumptions, testing::Contains(HasSubstr("alpha 1000")));
}

}  // namespace
}  // namespace ropescope
