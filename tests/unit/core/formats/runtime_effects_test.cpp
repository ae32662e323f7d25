// What the scalings of core/formats/runtimes do in the end: which length chooses the frequencies,
// and how large cos and sin are. Expected numbers are worked out by hand.
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/formats/runtimes/comparison.h"
#include "tests/unit/core/formats/runtime_readings.h"

namespace ropescope::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

constexpr double kLn2 = 0.69314718055994531;

/// Phi-3 from 4096 to 131072 positions: 32 = 2^5 and 4096 = 2^12, so that LongRoPE's factor is
/// sqrt(1 + 5/12).
std::string long_phi(std::string_view inside) {
    return fmt::format(R"({{"model_type": "phi3", "hidden_size": 4096, "num_attention_heads": 32,
        "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
        "rope_scaling": {{"type": "longrope", "short_factor": [1.0], "long_factor": [2.0]{}{}}}}})",
                       inside.empty() ? "" : ", ", inside);
}

TEST(RuntimeEffects, WhichLengthChoosesTheFrequencies) {
    const auto formula = [](std::string_view name, const std::string& file) {
        return value(name, file, "frequencies").get<std::string>();
    };
    for (const char* name : {"transformers-4", "transformers-5"}) {
        EXPECT_THAT(formula(name, long_phi("")), HasSubstr("the length at hand")) << name;
    }
    EXPECT_THAT(formula("vllm", long_phi("")), HasSubstr("by max_model_len at load"));
    EXPECT_THAT(formula("llama.cpp", long_phi("")), HasSubstr("by the context at load"));
    const std::string dynamic =
        config("llama", R"("rope_scaling": {"type": "dynamic", "factor": 2})");
    EXPECT_THAT(formula("transformers-4", dynamic), HasSubstr("n the length at hand"));
    EXPECT_EQ(formula("transformers-5", dynamic), formula("transformers-4", dynamic));
    EXPECT_THAT(formula("vllm", dynamic), HasSubstr("once at load"));
    EXPECT_EQ(formula("llama.cpp", dynamic), "base^(-2i/d)") << "it passes the type over";
}

TEST(RuntimeEffects, VllmsNtkIsNoOtherPrograms) {
    const std::string plain = config("llama", R"("rope_scaling": {"type": "ntk", "factor": 2})");
    EXPECT_EQ(value("vllm", plain, "frequencies"), "(base s)^(-2i/d) / s^(2/d)");
    EXPECT_EQ(value("transformers-5", plain, "frequencies"), "refused");
    EXPECT_EQ(value("transformers-5", plain, "attention factor"), "refused");
    const std::string mixed =
        config("llama", R"("rope_scaling": {"type": "ntk", "factor": 2, "mixed_b": 0.6})");
    EXPECT_EQ(value("vllm", mixed, "frequencies"), "base^(-2i/d) / s^((2(i+1)/d)^mixed_b)");
    EXPECT_EQ(value("vllm", mixed, "attention factor"), 1);
}

double attention(std::string_view runtime, const std::string& config) {
    const Json factor = value(runtime, config, "attention factor");
    return factor.is_number() ? factor.get<double>() : -1;
}

TEST(RuntimeEffects, YarnsAttentionFactorInTheEnd) {
    const auto yarn = [](std::string_view type, std::string_view inside) {
        return config(type, fmt::format(R"("rope_scaling": {{"type": "yarn", "factor": 4.0,
            "original_max_position_embeddings": 2048{}{}}})",
                                        inside.empty() ? "" : ", ", inside));
    };
    constexpr double kUsual = 1 + 0.2 * kLn2;  // 0.1 ln 4 + 1
    for (const char* name : kEach) {
        EXPECT_DOUBLE_EQ(attention(name, yarn("qwen2", "")), kUsual) << name;
        EXPECT_EQ(attention(name, config("llama", "")), 1) << name;
    }
    const std::string stated = yarn("qwen2", R"("attention_factor": 1.5)");
    EXPECT_EQ(attention("transformers-4", stated), 1.5);
    EXPECT_EQ(attention("transformers-5", stated), 1.5);
    EXPECT_DOUBLE_EQ(attention("vllm", stated), kUsual) << "it reads attn_factor alone";
    EXPECT_DOUBLE_EQ(attention("llama.cpp", stated), kUsual);
    EXPECT_THAT(answer(read("llama.cpp", stated), "attention factor").note,
                HasSubstr("overwritten when a context is made"));
    const std::string times = yarn("qwen2", R"("attn_factor": 0.5)");
    EXPECT_DOUBLE_EQ(attention("vllm", times), 0.5 * kUsual);
    EXPECT_DOUBLE_EQ(attention("transformers-5", times), kUsual);
    EXPECT_DOUBLE_EQ(attention("llama.cpp", times), kUsual);
    const std::string no_ramp =
        yarn("qwen2", R"("attention_factor": 1.5, "extrapolation_factor": 0)");
    EXPECT_EQ(attention("llama.cpp", no_ramp), 1.5) << "nothing sets it anew";
    EXPECT_TRUE(value("llama.cpp", no_ramp, "frequencies").is_null());
    // m(1/2) = 1 + 0.1 ln 2
    const std::string half = yarn("deepseek_v3", R"("mscale": 0.5, "mscale_all_dim": 1.0)");
    constexpr double kHalf = 1 + 0.1 * kLn2;
    for (const char* name : {"transformers-4", "transformers-5", "vllm"}) {
        EXPECT_DOUBLE_EQ(attention(name, half), kHalf / kUsual) << name;
    }
    EXPECT_EQ(attention("llama.cpp", half), 1);
    const std::string alone = yarn("deepseek_v3", R"("mscale": 0.5)");
    EXPECT_DOUBLE_EQ(attention("transformers-5", alone), kUsual) << "it takes both or none";
    EXPECT_DOUBLE_EQ(attention("vllm", alone), kHalf);
    EXPECT_DOUBLE_EQ(attention("llama.cpp", alone), kUsual);
}

TEST(RuntimeEffects, LongRopesAttentionFactorInTheEnd) {
    const double by_lengths = std::sqrt(1 + 5.0 / 12);
    for (const char* name : kEach) {
        EXPECT_DOUBLE_EQ(attention(name, long_phi("")), by_lengths) << name;
    }
    const std::string stated = long_phi(R"("attention_factor": 1.25)");
    EXPECT_EQ(attention("transformers-4", stated), 1.25);
    EXPECT_EQ(attention("transformers-5", stated), 1.25);
    EXPECT_DOUBLE_EQ(attention("llama.cpp", stated), by_lengths);
    EXPECT_DOUBLE_EQ(attention("vllm", stated), by_lengths);
    const std::string factor = long_phi(R"("factor": 8)");  // 2^3: sqrt(1 + 3/12)
    EXPECT_DOUBLE_EQ(attention("transformers-4", factor), by_lengths);
    EXPECT_DOUBLE_EQ(attention("transformers-5", factor), std::sqrt(1.25));
    EXPECT_EQ(
        value("vllm", long_phi(R"("short_mscale": 1.0, "long_mscale": 1.2)"), "attention factor"),
        Json({{"short", 1.0}, {"long", 1.2}}));
}

/// The file's numbers are read alike, and yet the scaling is another one.
TEST(RuntimeEffects, AScalingIsAlikeOnlyIfItDoesTheSame) {
    const auto differing = [](std::string_view names, const std::string& text) {
        std::vector<std::string> rows;
        const runtimes::Comparison found = runtimes::compare(
            runtimes::runtimes_named(names), {.text = text, .origin = "config.json"});
        for (const runtimes::Row& row : found.rows) {
            if (row.differs) {
                rows.push_back(row.name);
            }
        }
        return rows;
    };
    const std::string phi = long_phi("");
    EXPECT_EQ(value("transformers-5", phi, "scaling"), value("vllm", phi, "scaling"));
    EXPECT_THAT(differing("transformers-5,vllm", phi), ElementsAre("scaling", "frequencies"));
    const std::string stated = long_phi(R"("attention_factor": 1.25)");
    EXPECT_THAT(differing("transformers-5,llama.cpp", stated),
                ElementsAre("scaling", "frequencies", "attention factor"));
    EXPECT_THAT(differing("transformers-4,transformers-5", stated), IsEmpty());
    const std::string linear =
        config("llama", R"("rope_scaling": {"type": "linear", "factor": 2})");
    EXPECT_THAT(differing("transformers-4,transformers-5,llama.cpp,vllm", linear), IsEmpty());
    const std::string layers = config("gemma3_text", R"("rope_scaling":
        {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048,
         "attention_factor": 1.5})");
    EXPECT_THAT(differing("transformers-5,vllm", layers),
                ElementsAre("scaling (full_attention)", "attention factor (full_attention)"));
}

TEST(RuntimeEffects, EveryScalingThatIsAppliedSaysWhatItDoes) {
    for (const runtimes::Runtime& runtime : runtimes::all_runtimes()) {
        const auto holds = [&](const std::vector<runtimes::ScalingRule>& rules,
                               std::string_view of) {
            for (const runtimes::ScalingRule& rule : rules) {
                EXPECT_TRUE(rule.fate != runtimes::Fate::applied || !rule.formula.empty())
                    << runtime.name << ": " << rule.type << " " << of;
                EXPECT_LE(rule.formula.size(), 80U) << "the command would cut it: " << rule.formula;
                const bool stretches = rule.method == "yarn" || rule.method == "longrope";
                EXPECT_TRUE(!stretches || rule.fate != runtimes::Fate::applied ||
                            rule.attention != runtimes::Attention::one)
                    << runtime.name << ": " << rule.type << " " << of;
            }
        };
        holds(runtime.scalings, "");
        for (const runtimes::Family& family : runtime.families) {
            holds(family.scalings, family.model_type);
        }
    }
}

}  // namespace
}  // namespace ropescope::test
