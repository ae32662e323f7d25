// What runtimes make of families whose layers turn differently by type: objects, bases, widths and
// scalings for each type, and the types that a model lacks.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/unit/core/formats/runtime_readings.h"

namespace ropescope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kTwoTypes =
    R"("layer_types": ["full_attention", "sliding_attention", "full_attention"])";

TEST(RuntimeLayerTypes, TypesOfLayersWithTheirOwnWidths) {
    const std::string file = config("gemma4_text", R"("head_dim": 256, "global_head_dim": 512,
        "rope_parameters": {"full_attention": {"rope_type": "proportional",
            "partial_rotary_factor": 0.25, "rope_theta": 1e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 5000.0}})");
    for (const char* name : kToday) {
        EXPECT_EQ(value(name, file, "head_dim", "full_attention"), 512) << name;
        EXPECT_EQ(value(name, file, "rotary_dim", "full_attention"), 128) << name;
        EXPECT_EQ(value(name, file, "rotary_dim", "sliding_attention"), 256) << name;
        EXPECT_EQ(value(name, file, "base", "sliding_attention"), 5000) << name;
    }
    const std::string silent = config("gemma4_text", "");
    EXPECT_EQ(value("vllm", silent, "scaling", "full_attention").at("type"), "proportional");
    EXPECT_EQ(read("llama.cpp", silent).unknown,
              "without rope_parameters.full_attention it ends with an error");
    EXPECT_TRUE(read("llama.cpp", silent).fails);
    const std::string mellum = config("mellum", R"("rope_parameters": {
        "full_attention": {"rope_type": "default", "rope_theta": 5e5},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}})");
    EXPECT_EQ(value("transformers-5", mellum, "base", "sliding_attention"), 1e4);
    EXPECT_EQ(value("llama.cpp", mellum, "base", "sliding_attention"), 5e5);
    EXPECT_THAT(unread("llama.cpp", mellum),
                ElementsAre("rope_parameters.sliding_attention.rope_theta"));
}

TEST(RuntimeLayerTypes, TypesOfLayersThatTheModelLacksAreNotAsked) {
    const std::string file = config("laguna", R"("head_dim": 128,
        "layer_types": ["full_attention", "full_attention"], "rope_parameters": {
            "full_attention": {"rope_theta": 5e5, "partial_rotary_factor": 0.5}})");
    for (const char* name : kToday) {
        EXPECT_EQ(value(name, file, "rotary_dim", "full_attention"), 64) << name;
        for (const runtimes::TakenQuantity& each : read(name, file).answers) {
            EXPECT_NE(each.layer_type, "sliding_attention") << name;
        }
    }
    const std::string flat = config("laguna", R"("head_dim": 128, "partial_rotary_factor": 0.25,
        "rope_parameters": {"rope_theta": 3e5}, "swa_rope_parameters": {"rope_theta": 2e4}, )" +
                                                  std::string(kTwoTypes));
    EXPECT_EQ(value("vllm", flat, "base", "full_attention"), 3e5);
    EXPECT_EQ(value("vllm", flat, "base", "sliding_attention"), 2e4);
    EXPECT_EQ(value("vllm", flat, "rotary_dim", "sliding_attention"), 32);
    EXPECT_TRUE(read("transformers-5", flat).fails);
    EXPECT_TRUE(read("llama.cpp", flat).fails);
}

TEST(RuntimeLayerTypes, Step35HasListsOfBasesAndShares) {
    const auto file = [](const char* only) {
        return config("step3p5", fmt::format(R"("head_dim": 128,
            "layer_types": ["full_attention", "sliding_attention", "sliding_attention"],
            "rope_theta": [5e6, 1e4, 2e4], "partial_rotary_factors": [0.5, 1.0, 1.0],
            "rope_scaling": {{"rope_type": "llama3", "factor": 2.0, "low_freq_factor": 1.0,
                "high_freq_factor": 32.0, "original_max_position_embeddings": 131072}}{})",
                                             only));
    };
    const std::string full_alone = file(R"(, "yarn_only_types": ["full_attention"])");
    for (const char* name : {"llama.cpp", "vllm"}) {
        EXPECT_EQ(value(name, full_alone, "base", "full_attention"), 5e6) << name;
        EXPECT_EQ(value(name, full_alone, "base", "sliding_attention"), 1e4) << name;
        EXPECT_EQ(value(name, full_alone, "rotary_dim", "full_attention"), 64) << name;
        EXPECT_EQ(value(name, full_alone, "rotary_dim", "sliding_attention"), 128) << name;
        EXPECT_EQ(value(name, full_alone, "scaling", "full_attention").at("type"), "llama3");
        EXPECT_EQ(value(name, full_alone, "scaling", "sliding_attention").at("type"), "none");
    }
    EXPECT_EQ(value("vllm", file(""), "scaling", "sliding_attention").at("type"), "llama3");
    EXPECT_EQ(value("llama.cpp", file(""), "scaling", "sliding_attention").at("type"), "none");
    const auto bases = [](const char* list) {
        return config("step3p5", fmt::format(R"("rope_theta": {},
            "layer_types": ["full_attention", "sliding_attention"])",
                                             list));
    };
    EXPECT_THAT([&] { read("vllm", bases("[5e6]")); },
                testing::ThrowsMessage<InputError>(HasSubstr("rope_theta: [1]: a number above 0")));
    EXPECT_THAT([&] { read("vllm", bases("[0, 1e4]")); },
                testing::ThrowsMessage<InputError>(HasSubstr("rope_theta: [0]: a number above 0")));
    EXPECT_EQ(value("vllm", bases("7000.0"), "base", "sliding_attention"), 7000);
}

TEST(RuntimeLayerTypes, MimoV2FlashIsReadByTypeOrByKeysBeside) {
    const std::string beside = config("mimo_v2_flash", R"("head_dim": 192, "swa_head_dim": 192,
        "hybrid_layer_pattern": [0, 1], "rope_theta": 4e6, "swa_rope_theta": 2e4,
        "partial_rotary_factor": 0.25)");
    for (const char* name : {"llama.cpp", "vllm"}) {
        EXPECT_EQ(value(name, beside, "base", "full_attention"), 4e6) << name;
        EXPECT_EQ(value(name, beside, "base", "sliding_attention"), 2e4) << name;
        EXPECT_EQ(value(name, beside, "rotary_dim", "full_attention"), 48) << name;
    }
    EXPECT_EQ(value("transformers-5", beside, "base", "full_attention"), 5e6);
    EXPECT_EQ(value("transformers-5", beside, "rotary_dim", "sliding_attention"), 64);
    EXPECT_THAT(unread("transformers-5", beside),
                ElementsAre("partial_rotary_factor", "rope_theta", "swa_rope_theta"));
    const std::string by_type = config("mimo_v2_flash", R"("head_dim": 192, "rope_parameters": {
        "full_attention": {"rope_type": "default", "rope_theta": 3e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 3e4}})");
    EXPECT_EQ(value("transformers-5", by_type, "base", "sliding_attention"), 3e4);
    EXPECT_EQ(value("llama.cpp", by_type, "rotary_dim", "full_attention"), "refused");
    EXPECT_THAT(read("vllm", by_type).unknown, HasSubstr("rope_parameters by type of layer"));
}

TEST(RuntimeLayerTypes, ModernBertsTwoBases) {
    const std::string beside =
        config("modernbert", R"("global_rope_theta": 3e5, "local_rope_theta": 2e4)");
    const std::string by_type = config("modernbert", R"("rope_parameters": {
        "full_attention": {"rope_theta": 3e5}, "sliding_attention": {"rope_theta": 2e4}})");
    for (const std::string& file : {beside, by_type}) {
        for (const char* name : kToday) {
            EXPECT_EQ(value(name, file, "base", "full_attention"), 3e5) << name;
            EXPECT_EQ(value(name, file, "base", "sliding_attention"), 2e4) << name;
        }
    }
    const std::string silent = config("modernbert", "");
    EXPECT_EQ(value("vllm", silent, "base", "full_attention"), 160000);
    EXPECT_EQ(value("vllm", silent, "base", "sliding_attention"), 10000);
    const std::string scaled =
        config("modernbert", R"("rope_scaling": {"rope_type": "linear", "factor": 2.0})");
    EXPECT_EQ(value("vllm", scaled, "scaling", "sliding_attention").at("type"), "linear");
    EXPECT_EQ(value("llama.cpp", scaled, "scaling", "full_attention").at("type"), "none");
}

TEST(RuntimeLayerTypes, DeepSeekV4ScalesLayersWithACompressor) {
    const std::string file = config("deepseek_v4", R"("head_dim": 512, "qk_rope_head_dim": 64,
        "compress_ratios": [0, 4], "compress_rope_theta": 2e5, "rope_theta": 9000.0,
        "rope_scaling": {"type": "yarn", "factor": 16.0, "beta_fast": 32, "beta_slow": 1,
            "original_max_position_embeddings": 65536})");
    for (const char* name : kToday) {
        EXPECT_EQ(value(name, file, "base", "compress"), 2e5) << name;
        EXPECT_EQ(value(name, file, "base", "main"), 9000) << name;
        EXPECT_EQ(value(name, file, "rotary_dim", "main"), 64) << name;
        EXPECT_EQ(value(name, file, "layout", "main"), "interleaved") << name;
        EXPECT_EQ(value(name, file, "scaling", "compress").at("type"), "yarn") << name;
        EXPECT_EQ(value(name, file, "attention factor", "compress"), 1.0) << name;
        EXPECT_EQ(value(name, file, "scaling", "main").at("type"),
                  std::string_view(name) == "vllm" ? "yarn" : "none")
            << name;
    }
    const std::string saved = config("deepseek_v4", R"("partial_rotary_factor": 0.25,
        "rope_parameters": {"main": {"rope_type": "default", "rope_theta": 8000.0},
            "compress": {"rope_type": "yarn", "factor": 4.0, "rope_theta": 7000.0,
                "attention_factor": 1.5, "original_max_position_embeddings": 4096}})");
    EXPECT_EQ(value("transformers-5", saved, "base", "compress"), 7000);
    EXPECT_EQ(value("transformers-5", saved, "attention factor", "compress"), 1.5);
    EXPECT_EQ(value("transformers-5", saved, "rotary_dim", "main"), 128);
    EXPECT_EQ(value("llama.cpp", saved, "rotary_dim", "main"), "refused");
    EXPECT_EQ(value("llama.cpp", saved, "scaling", "compress").at("type"), "none");
    EXPECT_THAT(read("vllm", saved).unknown, HasSubstr("rope_parameters by type of layer"));
}

}  // namespace
}  // namespace ropescope::test
