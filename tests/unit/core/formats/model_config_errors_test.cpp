// Configurations that are refused: one line with the file, the key and what is expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/formats/model_config.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::HasSubstr;

ModelConfig parse_refused(const std::string& json) {
    return parse_model_config(json, "m/config.json");
}

/// A complete llama configuration with `more` keys, some of them in place of its own.
std::string refused_llama(const std::string& more) {
    std::string text = R"({"model_type": "llama")";
    for (const std::string own :
         {R"("hidden_size": 4096)", R"("num_attention_heads": 32)", R"("num_key_value_heads": 8)",
          R"("max_position_embeddings": 8192)", R"("rope_theta": 500000.0)"}) {
        const bool replaced = more.find(own.substr(0, own.find(':'))) != std::string::npos;
        text += replaced ? "" : ", " + own;
    }
    return text + more + "}";
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
         refused_llama(R"(, "rope_scaling": {"rope_type": "yarn"})"),
         {"rope_scaling.factor", "missing", "'yarn'", "number"}},
        {"UnknownMethod",
         refused_llama(R"(, "rope_scaling": {"type": "yarm", "factor": 4})"),
         {"rope_scaling.type", "'yarm' is not known", "'yarn'", "llama3"}},
        {"Llama3InRopeParameters",
         refused_llama(R"(, "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000,
                    "factor": 8, "high_freq_factor": 4})"),
         {"rope_parameters.low_freq_factor", "missing", "'llama3'"}},
        {"Llama3RampTurnedAround",
         refused_llama(
             R"(, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 4,
                    "high_freq_factor": 4, "original_max_position_embeddings": 4096})"),
         {"rope_scaling.low_freq_factor: 4", "below high_freq_factor 4"}},
        {"FactorBelowOne",
         refused_llama(R"(, "rope_scaling": {"type": "linear", "factor": 0.5})"),
         {"rope_scaling.factor: 0.5", "at least 1"}},
        {"FactorIsText",
         refused_llama(R"(, "rope_scaling": {"type": "linear", "factor": "4"})"),
         {"rope_scaling.factor", "number", "\"4\""}},
        {"OriginalIsZero",
         refused_llama(R"(, "rope_scaling": {"type": "yarn", "factor": 4,
                    "original_max_position_embeddings": 0})"),
         {"rope_scaling.original_max_position_embeddings", "1 to", "'0'"}},
        {"TwoTypes",
         refused_llama(R"(, "rope_scaling": {"type": "yarn", "rope_type": "linear", "factor": 4})"),
         {"rope_scaling.rope_type: 'linear' contradicts type 'yarn'"}},
        {"ScalingAndParametersDiffer",
         refused_llama(R"(, "rope_parameters": {"rope_type": "linear", "factor": 2},
                    "rope_scaling": {"rope_type": "linear", "factor": 4})"),
         {"rope_scaling.factor", "'4' contradicts rope_parameters.factor '2'"}},
        {"DefaultWithAFactor",
         refused_llama(R"(, "rope_scaling": {"type": "default", "factor": 4})"),
         {"rope_scaling.factor: 4", "'default'"}},
        {"LongRopeWithTooFewFactors",
         refused_llama(R"(, "rope_scaling": {"type": "longrope", "short_factor": [1, 1],
                    "long_factor": [1, 1], "original_max_position_embeddings": 4096})"),
         {"rope_scaling.short_factor: 2 entries", "rotary_dim 128", "64"}},
        {"LongRopeWithoutFactors",
         refused_llama(R"(, "rope_scaling": {"type": "longrope", "factor": 4})"),
         {"rope_scaling.short_factor", "missing", "list"}},
        {"LongRopeFactorIsText",
         refused_llama(R"(, "rope_scaling": {"type": "longrope", "short_factor": ["1"]})"),
         {"rope_scaling.short_factor[0]", "a number is expected", "\"1\""}},
        {"LongRopeFactorsAreANumber",
         refused_llama(R"(, "rope_scaling": {"type": "longrope", "short_factor": 1})"),
         {"rope_scaling.short_factor", "a list of at most", "'1'"}},
        {"AlphaBelowOne",
         refused_llama(R"(, "rope_scaling": {"type": "dynamic", "alpha": 0.5})"),
         {"rope_scaling.alpha: 0.5", "at least 1"}},
        {"KeyTwice", R"({"a": {"b": 1}, "b": {"b": [{"b": 2}], "b": 3}})", {"b: is there twice"}},
        {"YarnBetasTurnedAround",
         refused_llama(R"(, "rope_scaling": {"type": "yarn", "factor": 4, "beta_fast": 1,
                    "beta_slow": 32})"),
         {"rope_scaling.beta_fast: 1", "beta_slow 32"}},
        {"YarnAttentionFactor",
         refused_llama(
             R"(, "rope_scaling": {"type": "yarn", "factor": 4, "attention_factor": -1})"),
         {"rope_scaling.attention_factor: -1", "above 0"}},
        {"LongRopeTargetBelowTheOriginalLength",
         R"({"model_type":"phi3","hidden_size":8,"num_attention_heads":2,"rope_theta":10000,
             "max_position_embeddings":3,"original_max_position_embeddings":4096,
             "rope_scaling":{"type":"longrope","short_factor":[1,1],"long_factor":[1,1]}})",
         {"rope_scaling.rope_type", "original_max_position_embeddings 4096",
          "max_position_embeddings 3, which is shorter"}},
        {"YarnFactorsThatOverflow",
         refused_llama(R"(, "rope_scaling": {"type": "yarn", "factor": 4, "mscale": 1,
                    "mscale_all_dim": 1e300})"),
         {"rope_scaling.mscale_all_dim: 1e+300", "up to 1000000"}},
        {"BaseWhosePowersAreInfinite",
         R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1,"rope_theta":1e-320})",
         {"rope_theta", "from 1e-300", "1e-320"}},
        {"DynamicWithoutALength",
         R"({"model_type":"llama","hidden_size":64,"num_attention_heads":1,
             "rope_scaling":{"type":"dynamic","factor":2}})",
         {"rope_scaling.rope_type", "needs max_position_embeddings"}},
        {"ScalingWithoutAType",
         refused_llama(R"(, "rope_scaling": {"factor": 4})"),
         {"rope_scaling.rope_type", "missing"}},
        {"ScalingIsANumber",
         refused_llama(R"(, "rope_scaling": 4)"),
         {"rope_scaling", "an object", "'4'"}},
        {"TypeIsANumber",
         refused_llama(R"(, "rope_scaling": {"type": 4})"),
         {"rope_scaling.type", "a string", "'4'"}},
        {"ThetaIsText", refused_llama(R"(, "rope_theta": "1e6")"), {"rope_theta", "number", "1e6"}},
        {"ThetaIsZero",
         refused_llama(R"(, "rope_theta": 0)"),
         {"rope_theta", "from 1e-300", "'0'"}},
        {"ThetaIsNegative", refused_llama(R"(, "rope_theta": -1.5)"), {"rope_theta", "'-1.5'"}},
        {"ThetaInRopeParameters",
         refused_llama(R"(, "rope_parameters": {"rope_theta": []})"),
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
        {"HeadDimZero", refused_llama(R"(, "head_dim": 0)"), {"head_dim", "'0'"}},
        {"KvHeadsDoNotDivide",
         refused_llama(R"(, "num_key_value_heads": 5)"),
         {"num_key_value_heads", "5", "32"}},
        {"FactorAboveOne",
         refused_llama(R"(, "partial_rotary_factor": 1.5)"),
         {"partial_rotary_factor", "to 1 is expected", "'1.5'"}},
        {"FactorGivesNothing",
         refused_llama(R"(, "partial_rotary_factor": 0.001)"),
         {"rotary_dim", "head_dim x 0.001"}},
        {"WidthBeyondTheHead",
         R"({"model_type":"gptj","n_embd":4096,"n_head":16,"rotary_dim":512})",
         {"rotary_dim", "512", "256"}},
        {"Alibi",
         R"({"model_type":"falcon","hidden_size":64,"num_attention_heads":1,"alibi":true})",
         {"alibi", "no RoPE"}},
        {"AlibiOfAnUnknownType",
         R"({"model_type":"x","hidden_size":64,"num_attention_heads":1,"alibi":true,
             "rope_theta":1e4})",
         {"alibi", "no RoPE"}},
        {"Bert",
         R"({"model_type":"bert","hidden_size":768,"num_attention_heads":12})",
         {"model_type: 'bert' has no RoPE", "learns a vector for each position", "expected"}},
        {"AbsolutePositions",
         R"({"model_type":"x","hidden_size":64,"num_attention_heads":1,"rope_theta":1e4,
             "position_embedding_type":"absolute"})",
         {"position_embedding_type: 'absolute' is not rotary", "expected"}},
        {"EsmWithAbsolutePositions",
         R"({"model_type":"esm","hidden_size":64,"num_attention_heads":1,
             "position_embedding_type":"absolute"})",
         {"position_embedding_type", "no RoPE", "\"rotary\""}},
        {"Baichuan13B",
         R"({"model_type":"baichuan","hidden_size":5120,"num_attention_heads":40,
             "model_max_length":4096})",
         {"max_position_embeddings: is missing", "no RoPE"}},
        {"GraniteWithoutPositions",
         R"({"model_type":"granitemoehybrid","hidden_size":64,"num_attention_heads":1,
             "position_embedding_type":"nope"})",
         {"position_embedding_type", "no RoPE", "\"rope\""}},
        {"NemotronH",
         R"({"model_type":"nemotron_h","hidden_size":4096,"num_attention_heads":32,
             "time_step_limit":[0.0,Infinity],"rope_theta":10000})",
         {"model_type: 'nemotron_h' has no RoPE"}},
        {"ZambaWithoutRope",
         R"({"model_type":"zamba2","hidden_size":2560,"num_attention_heads":32,
             "use_mem_rope":false,"rope_theta":10000})",
         {"use_mem_rope", "no RoPE", "true"}},
        {"ZambaThatDoesNotSay",
         R"({"model_type":"zamba2","hidden_size":2560,"num_attention_heads":32})",
         {"use_mem_rope: is missing", "no RoPE"}},
        {"XlmRobertaThatLearnsPositions",
         R"({"model_type":"xlm-roberta","hidden_size":768,"num_attention_heads":12,
             "position_embedding_type":"absolute"})",
         {"position_embedding_type", "no RoPE", "\"rotary\""}},
        {"ConformerWithRelativePositions",
         R"({"model_type":"wav2vec2-conformer","hidden_size":1024,"num_attention_heads":16,
             "position_embeddings_type":"relative"})",
         {"position_embeddings_type", "no RoPE"}},
        {"InfiniteBase",
         R"({"model_type":"llama","rope_theta":Infinity,"hidden_size":64,
             "num_attention_heads":1})",
         {"rope_theta", "number", "\"Infinity\""}},
        {"NegativeInfinityInAList",
         refused_llama(R"(, "rope_scaling": {"type": "longrope", "short_factor": [-Infinity]})"),
         {"rope_scaling.short_factor[0]", "-Infinity"}},
        {"BrokenAfterNaN", R"({"a": NaN, "b": "NaN", c})", {"byte 23"}},
        {"DinoV3",
         R"({"model_type":"dinov3_vit","hidden_size":384,"num_attention_heads":6,"patch_size":16,
             "rope_theta":100.0})",
         {"'dinov3_vit' turns in two axes", "expected"}},
        {"Pixtral",
         R"({"model_type":"pixtral","hidden_size":1024,"num_attention_heads":16,"head_dim":64,
             "image_size":1024,"patch_size":16,"rope_theta":10000.0})",
         {"'pixtral' turns in two axes"}},
        {"Gemma4Vision",
         R"({"model_type":"gemma4_vision","hidden_size":768,"num_attention_heads":12})",
         {"'gemma4_vision' turns in two axes"}},
        {"UnknownVision",
         R"({"model_type":"see_1","hidden_size":64,"num_attention_heads":1,"rope_theta":1e4,
             "image_size":224})",
         {"image_size", "'see_1' is not known", "several axes"}},
        {"ThePartThatSees",
         R"({"model_type":"qwen2_vl","depth":32,"embed_dim":1280,"num_heads":16,"patch_size":14})",
         {"patch_size", "'qwen2_vl' that sees turns in two axes"}},
        {"UnknownVisionWithoutRope",
         R"({"model_type":"see_2","hidden_size":64,"num_attention_heads":1,"patch_size":14})",
         {"'see_2' is not known, and no key is about RoPE"}},
        {"NullModelType",
         R"({"model_type": null, "hidden_size": 64})",
         {"model_type: is null, and no key is about RoPE"}},
        {"NoModelType",
         R"({"hidden_size": 64})",
         {"model_type: is missing, and no key is about RoPE"}},
        {"AnArchitectureAlone",
         R"({"architecture": "vit_of_somebody"})",
         {"architecture: 'vit_of_somebody' is read as timm's if pretrained_cfg stands beside it"}},
        {"UnknownDiffusion",
         R"({"hidden_size":64,"num_attention_heads":1,"axes_dims_rope":[16,24,24],
             "rope_theta":1e4})",
         {"axes_dims_rope", "several axes"}},
        {"ChatGlmOfTwoStreams",
         R"({"model_type":"chatglm","hidden_size":4096,"num_attention_heads":32,
             "kv_channels":128,"position_encoding_2d":true,"num_layers":28})",
         {"position_encoding_2d", "two axes"}},
        {"ChatGlmThatDoesNotSay",
         R"({"model_type":"chatglm","hidden_size":4096,"num_attention_heads":32,
             "inner_hidden_size":16384})",
         {"position_encoding_2d", "two axes"}},
        {"UnknownWithASwitch",
         R"({"model_type":"x","hidden_size":64,"num_attention_heads":1,"rope_theta":1e4,
             "use_rope":false})",
         {"use_rope", "no RoPE"}},
        {"UnknownWithAlibi",
         R"({"model_type":"x","hidden_size":64,"num_attention_heads":1,"rope_theta":1e4,
             "position_encoding_type":"alibi"})",
         {"position_encoding_type: 'alibi' is not rotary"}},
        {"ModelTypeIsANumber", R"({"model_type":1})", {"model_type", "a string"}},
        {"ContextIsNegative",
         refused_llama(R"(, "max_position_embeddings": -1)"),
         {"max_position_embeddings", "'-1'"}},
    };
}

class RefusedConfig : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedConfig, NamesFileKeyAndExpectation) {
    const std::string message = input_error([] { parse_refused(GetParam().json); });
    EXPECT_TRUE(message.starts_with("m/config.json: ")) << message;
    EXPECT_LT(message.size(), 400U) << message;
    for (const std::string& part : GetParam().says) {
        EXPECT_THAT(message, HasSubstr(part));
    }
}

/// Qwen3-VL's own class writes such a file, and transformers computes with both lengths.
TEST(ModelConfigErrors, AnOriginalLengthBeyondTheTargetIsSaid) {
    const ModelConfig model = parse_model_config(
        R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1,
            "max_position_embeddings": 8192, "rope_scaling": {"type": "yarn", "factor": 4,
            "original_max_position_embeddings": 32768}})",
        "m/config.json");
    EXPECT_THAT(model.assumptions, testing::Contains(HasSubstr("32768 counts, though")));
}

INSTANTIATE_TEST_SUITE_P(ModelConfig, RefusedConfig, testing::ValuesIn(refusals()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace ropescope
