#include "core/formats/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/support/input_error.h"
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
    ModelConfig, Families,
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
        FamilyCase{"notebook",
                   R"({"hidden_size":32,"n_heads":4,"num_attention_heads":8,"head_dim":64,
                       "rope_base":1000000.0,"block_size":16})",
                   {8, 8, 1e6, kInterleaved},
                   4}),
    [](const auto& test) { return std::string(test.param.name); });

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
    EXPECT_THAT(model.assumptions, ElementsAre(HasSubstr("'new_one'")));
    EXPECT_THAT(input_error([] {
                    parse(R"({"model_type":"gpt2","hidden_size":768,"num_attention_heads":12})");
                }),
                AllOf(HasSubstr("m/config.json: model_type"), HasSubstr("'gpt2'")));
}

TEST(ModelConfig, TheLanguageModelOfAMultimodalOne) {
    const ModelConfig model = parse(R"({"model_type":"llava","text_config":)" + llama("") + "}");
    EXPECT_EQ(model.model_type, "llama");
    EXPECT_EQ(model.rope.base, 500000);
    EXPECT_THAT(model.assumptions, ElementsAre(HasSubstr("text_config")));
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

struct Refusal {
    const char* name;
    std::string json;
    std::vector<std::string> says;
};
void PrintTo(const Refusal& refusal, std::ostream* out) {
    *out << refusal.name;
}

std::vector<Refusal> refusals() {
    const std::string heads = R"({"model_type":"llama","num_attention_heads":)";
    const std::string hidden = R"({"model_type":"llama","hidden_size":)";
    return {
        {"Empty", "", {"byte 0", "not valid JSON"}},
        {"Cut", R"({"hidden_size": 40)", {"byte 18", "not valid JSON"}},
        {"Array", "[1]", {"byte 0", "object"}},
        {"Nul", std::string("{}\0", 3), {"byte 2", "NUL"}},
        {"NotUtf8", "{\"a\": \"\xff\"}", {"byte 7", "not valid JSON"}},
        {"HugeNumber", R"({"rope_theta": 1e999})", {"not valid JSON", "1e999"}},
        {"DeepNesting", std::string(1 << 20, '['), {"64 deep"}},
        {"Yarn",
         llama(R"(, "rope_scaling": {"rope_type": "yarn"})"),
         {"rope_scaling.factor", "missing", "'yarn'", "number"}},
        {"UnknownMethod",
         llama(R"(, "rope_scaling": {"type": "yarm", "factor": 4})"),
         {"rope_scaling.type", "'yarm' is not known", "'yarn'", "llama3"}},
        {"Llama3InRopeParameters",
         llama(R"(, "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000,
                    "factor": 8, "high_freq_factor": 4})"),
         {"rope_parameters.low_freq_factor", "missing", "'llama3'"}},
        {"Llama3RampTurnedAround",
         llama(R"(, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 4,
                    "high_freq_factor": 4, "original_max_position_embeddings": 4096})"),
         {"rope_scaling.low_freq_factor: 4", "below high_freq_factor 4"}},
        {"FactorBelowOne",
         llama(R"(, "rope_scaling": {"type": "linear", "factor": 0.5})"),
         {"rope_scaling.factor: 0.5", "at least 1"}},
        {"FactorIsText",
         llama(R"(, "rope_scaling": {"type": "linear", "factor": "4"})"),
         {"rope_scaling.factor", "number", "\"4\""}},
        {"OriginalBeyondTheTarget",
         llama(R"(, "rope_scaling": {"type": "yarn", "factor": 4,
                    "original_max_position_embeddings": 32768})"),
         {"rope_scaling.original_max_position_embeddings: 32768", "8192"}},
        {"OriginalIsZero",
         llama(R"(, "rope_scaling": {"type": "yarn", "factor": 4,
                    "original_max_position_embeddings": 0})"),
         {"rope_scaling.original_max_position_embeddings", "1 to", "'0'"}},
        {"TwoTypes",
         llama(R"(, "rope_scaling": {"type": "yarn", "rope_type": "linear", "factor": 4})"),
         {"rope_scaling.rope_type: 'linear' contradicts type 'yarn'"}},
        {"ScalingAndParametersDiffer",
         llama(R"(, "rope_parameters": {"rope_type": "linear", "factor": 2},
                    "rope_scaling": {"rope_type": "linear", "factor": 4})"),
         {"rope_scaling.factor", "'4' contradicts rope_parameters.factor '2'"}},
        {"DefaultWithAFactor",
         llama(R"(, "rope_scaling": {"type": "default", "factor": 4})"),
         {"rope_scaling.factor: 4", "'default'"}},
        {"LongRopeWithTooFewFactors",
         llama(R"(, "rope_scaling": {"type": "longrope", "short_factor": [1, 1],
                    "long_factor": [1, 1], "original_max_position_embeddings": 4096})"),
         {"rope_scaling.short_factor: 2 entries", "rotary_dim 128", "64"}},
        {"LongRopeWithoutFactors",
         llama(R"(, "rope_scaling": {"type": "longrope", "factor": 4})"),
         {"rope_scaling.short_factor", "missing", "list"}},
        {"LongRopeFactorIsText",
         llama(R"(, "rope_scaling": {"type": "longrope", "short_factor": ["1"]})"),
         {"rope_scaling.short_factor", "a list of at most", "an array"}},
        {"YarnBetasTurnedAround",
         llama(R"(, "rope_scaling": {"type": "yarn", "factor": 4, "beta_fast": 1,
                    "beta_slow": 32})"),
         {"rope_scaling.beta_fast: 1", "beta_slow 32"}},
        {"YarnAttentionFactor",
         llama(R"(, "rope_scaling": {"type": "yarn", "factor": 4, "attention_factor": -1})"),
         {"rope_scaling.attention_factor: -1", "above 0"}},
        {"DynamicWithoutALength",
         R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1,
             "rope_scaling":{"type":"dynamic","factor":2}})",
         {"rope_scaling.max_position_embeddings", "missing"}},
        {"ScalingWithoutAType",
         llama(R"(, "rope_scaling": {"factor": 4})"),
         {"rope_scaling.rope_type", "missing"}},
        {"ScalingIsANumber", llama(R"(, "rope_scaling": 4)"), {"rope_scaling", "an object", "'4'"}},
        {"TypeIsANumber",
         llama(R"(, "rope_scaling": {"type": 4})"),
         {"rope_scaling.type", "a string", "'4'"}},
        {"ThetaIsText", llama(R"(, "rope_theta": "1e6")"), {"rope_theta", "number", "1e6"}},
        {"ThetaIsZero", llama(R"(, "rope_theta": 0)"), {"rope_theta", "> 0", "'0'"}},
        {"ThetaIsNegative", llama(R"(, "rope_theta": -1.5)"), {"rope_theta", "'-1.5'"}},
        {"ThetaInRopeParameters",
         llama(R"(, "rope_parameters": {"rope_theta": []})"),
         {"rope_parameters.rope_theta", "an array"}},
        {"NoHiddenSize", heads + "8}", {"hidden_size", "missing", "1 to 16777216"}},
        {"NoHeads", hidden + "64}", {"num_attention_heads", "missing", "1 to 65536"}},
        {"HiddenIsText",
         hidden + R"("64","num_attention_heads":8})",
         {"hidden_size", "integer", "\"64\""}},
        {"HiddenIsReal", hidden + R"(64.0,"num_attention_heads":8})", {"hidden_size", "'64.0'"}},
        {"HiddenIsNegative", hidden + R"(-64,"num_attention_heads":8})", {"hidden_size", "'-64'"}},
        {"HiddenBeyond64Bits",
         hidden + R"(18446744073709551615,"num_attention_heads":8})",
         {"hidden_size", "18446744073709551615"}},
        {"HeadsAreZero", heads + R"(0,"hidden_size":64})", {"num_attention_heads", "'0'"}},
        {"HeadsDoNotDivide", heads + R"(7,"hidden_size":64})", {"hidden_size", "64", "7 heads"}},
        {"HeadDimTooLarge", heads + R"(1,"hidden_size":16384})", {"hidden_size", "4096"}},
        {"HeadDimOdd", heads + R"(8,"hidden_size":56})", {"head_dim", "7", "hidden_size 56"}},
        {"HeadDimZero", llama(R"(, "head_dim": 0)"), {"head_dim", "'0'"}},
        {"KvHeadsDoNotDivide",
         llama(R"(, "num_key_value_heads": 5)"),
         {"num_key_value_heads", "5", "32"}},
        {"FactorAboveOne",
         llama(R"(, "partial_rotary_factor": 1.5)"),
         {"partial_rotary_factor", "<= 1", "'1.5'"}},
        {"FactorGivesNothing",
         llama(R"(, "partial_rotary_factor": 0.001)"),
         {"rotary_dim", "head_dim x 0.001"}},
        {"WidthBeyondTheHead",
         R"({"model_type":"gptj","n_embd":4096,"n_head":16,"rotary_dim":512})",
         {"rotary_dim", "512", "256"}},
        {"Alibi",
         R"({"model_type":"falcon","hidden_size":64,"num_attention_heads":1,"alibi":true})",
         {"alibi", "no RoPE"}},
        {"ModelTypeIsANumber", R"({"model_type":1})", {"model_type", "a string"}},
        {"ContextIsNegative",
         llama(R"(, "max_position_embeddings": -1)"),
         {"max_position_embeddings", "'-1'"}},
    };
}

class RefusedConfig : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedConfig, NamesFileKeyAndExpectation) {
    const std::string message = input_error([] { parse(GetParam().json); });
    EXPECT_TRUE(message.starts_with("m/config.json: ")) << message;
    EXPECT_LT(message.size(), 400U) << message;
    for (const std::string& part : GetParam().says) {
        EXPECT_THAT(message, HasSubstr(part));
    }
}

INSTANTIATE_TEST_SUITE_P(ModelConfig, RefusedConfig, testing::ValuesIn(refusals()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ModelConfig, ReadsAFileOrItsFolder) {
    const test::TempFolder folder;
    std::filesystem::create_directory(folder / "llama-x");
    write_file_whole(folder / "llama-x/config.json", llama(""));
    EXPECT_EQ(read_model_config(folder / "llama-x").title, "llama-x");
    EXPECT_EQ(read_model_config(folder / "llama-x/config.json").rope.base, 500000);
    EXPECT_THAT(input_error([&] { read_model_config(folder.path()); }),
                AllOf(HasSubstr("config.json"), HasSubstr("No such file")));
}

TEST(ModelPresets, AreCompleteFacts) {
    const std::vector<ModelConfig>& presets = model_presets();
    EXPECT_GE(presets.size(), 20U);
    std::vector<std::string> ids;
    for (const ModelConfig& preset : presets) {
        EXPECT_NO_THROW(validate(preset.rope)) << preset.id;
        EXPECT_FALSE(preset.title.empty()) << preset.id;
        EXPECT_FALSE(preset.source.empty()) << preset.id;
        EXPECT_GT(preset.max_positions, 0) << preset.id;
        EXPECT_GT(preset.n_layers, 0) << preset.id;
        EXPECT_THAT(preset.assumptions, IsEmpty()) << preset.id;
        EXPECT_THAT(ids, testing::Not(testing::Contains(preset.id)));
        ids.push_back(preset.id);
    }
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

TEST(ModelPresets, AnUnknownIdNamesItsNeighbours) {
    EXPECT_THAT(input_error([] { model_preset("lama-2-7b"); }),
                AllOf(HasSubstr("'lama-2-7b'"), HasSubstr("'llama-2-7b'")));
}

}  // namespace
}  // namespace ropescope
