// What runtimes make of a file's parts and keys: where the language model stands, keys that a
// converter never writes, and those without which it ends with an error.
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/core/formats/runtime_readings.h"

namespace ropescope::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSections = R"("rope_theta": 2e6, "rope_scaling": {"rope_type": "default",
    "type": "default", "mrope_section": [16, 24, 24]})";

TEST(RuntimeKeys, TheFirstFilesOfVisionModelsAreFlat) {
    for (const char* type : {"qwen2_vl", "qwen2_5_vl", "paddleocr_vl"}) {
        for (const char* name : kToday) {
            const std::string file = config(type, kSections);
            EXPECT_EQ(value(name, file, "sections"), "t 16, h 24, w 24, in bands") << type << name;
            EXPECT_EQ(value(name, file, "base"), 2e6) << type << name;
        }
    }
    const std::string silent = config("paddleocr_vl", "");
    EXPECT_EQ(value("transformers-5", silent, "sections"), "refused");
    EXPECT_EQ(value("llama.cpp", silent, "sections"), "none");
    EXPECT_EQ(value("transformers-5", silent, "base"), 5e5);
    EXPECT_EQ(value("llama.cpp", silent, "base"), 1e4);
}

TEST(RuntimeKeys, TheThinkersTextIsTheLanguageModel) {
    const auto file = [](const char* type, const std::string& keys) {
        return fmt::format(R"({{"model_type": "{0}", "thinker_config": {{
            "model_type": "{0}_thinker", "text_config": {1}}}}})",
                           type, config(fmt::format("{}_text", type), keys));
    };
    for (const char* name : kToday) {
        EXPECT_EQ(value(name, file("qwen2_5_omni", kSections), "sections"),
                  "t 16, h 24, w 24, in bands")
            << name;
    }
    const std::string omni = file("qwen3_omni_moe", kSections);
    EXPECT_EQ(value("transformers-5", omni, "sections"), "t 16, h 24, w 24, in turn");
    EXPECT_EQ(value("llama.cpp", omni, "sections"), "t 16, h 24, w 24, in turn");
    EXPECT_EQ(value("vllm", omni, "sections"), "t 16, h 24, w 24, in bands")
        << "mrope_interleaved is not in the file";
    const std::string older =
        file("qwen2_5_omni", R"("rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]})");
    EXPECT_TRUE(value("transformers-5", older, "scaling").contains("refused"))
        << "only Qwen2-VL's configuration renames it";
    EXPECT_EQ(value("vllm", older, "scaling").at("type"), "none");
}

TEST(RuntimeKeys, APartWithoutATypeHasThatOfTheWholesText) {
    const std::string file = R"({"model_type": "llava", "text_config": {"hidden_size": 4096,
        "num_attention_heads": 32, "rope_theta": 3e5}})";
    for (const char* name : kEach) {
        EXPECT_EQ(value(name, file, "base"), 3e5) << name;
    }
}

TEST(RuntimeKeys, AKeyThatSaysAnotherFamilyIsFollowed) {
    const std::string ocr = config("deepseek_v2", R"("use_mla": false)");
    for (const char* name : kToday) {
        EXPECT_EQ(read(name, ocr).unknown, "model_type 'deepseek' is not known to this table")
            << name;
    }
}

TEST(RuntimeKeys, ConvertersThatWriteNoBase) {
    const std::string linear =
        R"("rope_theta": 5e5, "rope_scaling": {"rope_type": "linear", "factor": 2.0})";
    for (const char* type : {"falcon", "glm", "minicpm3"}) {
        const std::string file = config(type, std::string(R"("qk_rope_head_dim": 32, )") + linear);
        for (const char* name : {"transformers-5", "vllm"}) {
            EXPECT_EQ(value(name, file, "base"), 5e5) << type << name;
            EXPECT_EQ(value(name, file, "scaling").at("type"), "linear") << type << name;
        }
        EXPECT_EQ(value("llama.cpp", file, "base"), 1e4) << type;
        EXPECT_EQ(value("llama.cpp", file, "scaling").at("type"), "none") << type;
        EXPECT_THAT(unread("llama.cpp", file), Contains("rope_theta")) << type;
        EXPECT_THAT(answer(read("llama.cpp", file), "scaling").source.file,
                    HasSubstr("conversion/"))
            << type;
    }
}

TEST(RuntimeKeys, ChatGlmsBaseIsARatio) {
    const std::string file = config("chatglm", R"("rope_ratio": 50, "original_rope": true)");
    for (const char* name : {"llama.cpp", "vllm"}) {
        EXPECT_EQ(value(name, file, "base"), 5e5) << name;
        EXPECT_EQ(answer(read(name, file), "base").from, "rope_ratio") << name;
        EXPECT_EQ(value(name, file, "rotary_dim"), 64) << name;
        EXPECT_EQ(value(name, file, "layout"), "interleaved") << name;
        EXPECT_THAT(unread(name, file), IsEmpty()) << name;
    }
    const std::string halves = config("chatglm", R"("original_rope": false)");
    EXPECT_EQ(value("vllm", halves, "layout"), "half_split");
    EXPECT_EQ(value("llama.cpp", halves, "layout"), "interleaved");
    EXPECT_EQ(read("vllm", config("chatglm", "")).unknown,
              "without original_rope it ends with an error");
}

TEST(RuntimeKeys, SharesThatNoKeyChanges) {
    const std::string glm = config("glm", R"("partial_rotary_factor": 0.25)");
    EXPECT_EQ(value("transformers-5", glm, "rotary_dim"), 32);
    EXPECT_EQ(value("llama.cpp", glm, "rotary_dim"), 32);
    EXPECT_EQ(value("vllm", glm, "rotary_dim"), 64);
    EXPECT_THAT(unread("vllm", glm), ElementsAre("partial_rotary_factor"));
    const std::string bamba =
        config("bamba", R"("partial_rotary_factor": 0.25, "attn_rotary_emb": 96)");
    EXPECT_EQ(value("transformers-5", bamba, "rotary_dim"), 64) << "half, whatever stands beside";
    EXPECT_EQ(value("llama.cpp", bamba, "rotary_dim"), 96);
    EXPECT_EQ(value("vllm", bamba, "rotary_dim"), 96);
    EXPECT_EQ(value("vllm", config("bamba", ""), "rotary_dim"), 128);
    const std::string minimax =
        config("minimax", R"("rotary_dim": 64, "partial_rotary_factor": 0.25)");
    EXPECT_EQ(value("vllm", minimax, "rotary_dim"), 64);
    EXPECT_EQ(value("vllm", config("minimax", ""), "rotary_dim"), 128);
    EXPECT_EQ(value("llama.cpp", config("minimax_m3_vl_text", R"("rotary_dim": 64)"), "rotary_dim"),
              64);
    EXPECT_EQ(
        value("transformers-5", config("minimax_m3_vl_text", R"("rotary_dim": 64)"), "rotary_dim"),
        128);
    EXPECT_EQ(value("vllm", config("persimmon", ""), "rotary_dim"), 64);
}

/// llama.cpp's converter looks for the width of the part that turns without a default, and of types
/// that its transformers does not know it gets the file as it is.
TEST(RuntimeKeys, TheConverterEndsWithoutTheWidthOfThePartThatTurns) {
    for (const char* type :
         {"kimi_k2", "deepseek_v32", "glm_moe_dsa", "glm4_moe_lite", "mistral4", "minicpm3"}) {
        const runtimes::Reading silent = read("llama.cpp", config(type, ""));
        EXPECT_TRUE(silent.fails) << type;
        EXPECT_EQ(silent.unknown, "without qk_rope_head_dim it ends with an error") << type;
        EXPECT_FALSE(read("llama.cpp", config(type, R"("qk_rope_head_dim": 32)")).fails) << type;
    }
    EXPECT_FALSE(read("llama.cpp", config("deepseek_v3", "")).fails)
        << "transformers 4.57.6 puts its default there";
    EXPECT_EQ(value("transformers-5", config("glm_moe_dsa", ""), "rotary_dim"), 64);
    const std::string part =
        config("glm_moe_dsa", R"("qk_rope_head_dim": 64, "partial_rotary_factor": 0.5)");
    EXPECT_EQ(value("llama.cpp", part, "rotary_dim"), 32);
}

TEST(RuntimeKeys, ScalingsThatConvertersWriteOver) {
    for (const char* type : {"eurobert", "bitnet"}) {
        const std::string file = config(type, R"("rope_theta": 3e5,
                "rope_scaling": {"rope_type": "linear", "factor": 2.0})");
        EXPECT_EQ(value("transformers-5", file, "scaling").at("type"), "linear") << type;
        EXPECT_EQ(value("llama.cpp", file, "scaling").at("type"), "none") << type;
        EXPECT_EQ(value("llama.cpp", file, "base"), 3e5) << type;
    }
    const std::string longrope = config("minicpm", R"("rope_scaling": {"rope_type": "longrope",
        "original_max_position_embeddings": 4096, "short_factor": [1.0], "long_factor": [2.0]})");
    EXPECT_EQ(value("llama.cpp", longrope, "attention factor"), 1.0);
    EXPECT_EQ(value("llama.cpp", longrope, "scaling").at("original_max_position_embeddings"), 8192)
        << "the converter writes no other length";
    EXPECT_DOUBLE_EQ(value("vllm", longrope, "attention factor").get<double>(),
                     std::sqrt(1 + std::log(2.0) / std::log(4096.0)));
}

TEST(RuntimeKeys, LongCatsRotaryEmbeddingAsksForHeadDim) {
    const std::string file = config("longcat_flash", R"("head_dim": 32, "qk_rope_head_dim": 64)");
    EXPECT_EQ(value("transformers-5", file, "head_dim"), 32);
    EXPECT_EQ(value("vllm", file, "head_dim"), 64);
    EXPECT_EQ(value("vllm", file, "base"), 1e7);
    EXPECT_EQ(value("vllm", file, "layout"), "interleaved");
    const std::string heads = config("flex_olmo", R"("head_dim": 64)");
    EXPECT_EQ(value("transformers-5", heads, "head_dim"), 64);
    EXPECT_EQ(value("vllm", heads, "head_dim"), 128);
    EXPECT_EQ(value("vllm", heads, "base"), 5e5);
}

}  // namespace
}  // namespace ropescope::test
