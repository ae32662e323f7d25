// What runtimes make of the families of 2025 and 2026: layers without RoPE, widths, sections and
// scalings in which they differ.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/core/formats/runtime_readings.h"

namespace ropescope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::ordered_json;

constexpr const char* kStill = "layers without RoPE";
constexpr const char* kRead[] = {"transformers-5", "llama.cpp", "vllm"};

/// layer_types of eight layers; the second of each two has a window.
constexpr const char* kTwoKinds =
    R"("layer_types": ["full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention"])";

TEST(RuntimeFamilies, LlamaCppLeavesRopeOutOfEveryFourthLayerWhateverTheFileSays) {
    for (const char* type : {"afmoe", "cohere2"}) {
        const std::string file = config(type, kTwoKinds);
        EXPECT_EQ(value("transformers-5", file, kStill), Json({0, 2, 4, 6})) << type;
        EXPECT_EQ(value("vllm", file, kStill), Json({0, 2, 4, 6})) << type;
        EXPECT_EQ(value("llama.cpp", file, kStill), Json({3, 7})) << type;
        EXPECT_EQ(answer(read("vllm", file), kStill).from, "layer_types") << type;
        for (const char* name : kRead) {
            EXPECT_EQ(value(name, config(type, ""), kStill), Json({3, 7})) << type << name;
        }
    }
    const std::string one_kind =
        config("llama4_text", R"("no_rope_layers": [1, 1], "layer_types": ["full_attention"])");
    EXPECT_EQ(value("transformers-5", one_kind, kStill), "none");
    EXPECT_EQ(value("llama.cpp", one_kind, kStill), "none");
    const std::string chunks = config("llama4_text", R"("no_rope_layers": [1, 1])");
    EXPECT_EQ(value("transformers-5", chunks, kStill), "none");
    EXPECT_EQ(value("llama.cpp", chunks, kStill), Json({3, 7}));
}

TEST(RuntimeFamilies, Exaone4sLayersWithFullAttention) {
    const std::string small = config("exaone4", R"("sliding_window": 4096)");
    EXPECT_EQ(value("transformers-5", small, kStill), Json({3, 7}));
    EXPECT_EQ(value("vllm", small, kStill), Json({3, 7}));
    EXPECT_EQ(value("llama.cpp", small, kStill), "none") << "it knows the model by its 64 layers";
    std::string large = small;
    large.replace(large.find("\"num_hidden_layers\": 8"), 22, "\"num_hidden_layers\": 64");
    for (const char* name : kRead) {
        EXPECT_EQ(value(name, large, kStill).size(), 16U) << name;
    }
    const std::string no_window =
        config("exaone4", R"("sliding_window": null, "layer_types": ["full_attention"])");
    for (const char* name : kRead) {
        EXPECT_EQ(value(name, no_window, kStill), "none") << name;
    }
    EXPECT_EQ(value("llama.cpp", config("exaone_moe", kTwoKinds), kStill), Json({0, 2, 4, 6}));
}

TEST(RuntimeFamilies, DenseLayersOfCohere2MoeTurn) {
    const std::string dense =
        R"("first_k_dense_replace": 1, "prefix_dense_sliding_window_pattern": {}, )";
    const auto file = [&](const char* pattern) {
        return config("cohere2_moe",
                      std::string(dense).replace(dense.find("{}"), 2, pattern) + kTwoKinds);
    };
    for (const char* name : kRead) {
        EXPECT_EQ(value(name, file("1"), kStill), Json({2, 4, 6})) << name;
    }
    EXPECT_EQ(value("transformers-5", file("2"), kStill), Json({0, 2, 4, 6}));
    EXPECT_EQ(value("llama.cpp", file("2"), kStill), Json({2, 4, 6}));
}

TEST(RuntimeFamilies, GraniteHybridTurnsByItsKeyOrByItsLayers) {
    const std::string hybrid =
        config("granitemoehybrid",
               R"("position_embedding_type": "rope", "layer_types": ["mamba", "attention"])");
    EXPECT_EQ(value("transformers-5", hybrid, kStill), "none");
    EXPECT_EQ(value("vllm", hybrid, kStill), "none");
    EXPECT_EQ(value("llama.cpp", hybrid, kStill), "all");
    EXPECT_THAT(unread("llama.cpp", hybrid), ElementsAre("position_embedding_type"));
    EXPECT_THAT(unread("vllm", hybrid), IsEmpty());
    const std::string silent = config("granitemoehybrid", "");
    EXPECT_EQ(value("transformers-5", silent, kStill), "all");
    EXPECT_EQ(value("vllm", silent, kStill), "all");
}

TEST(RuntimeFamilies, ChannelsThatAKeyCounts) {
    const std::string file = config("minimax_m2", R"("rotary_dim": 64)");
    EXPECT_EQ(value("transformers-5", file, "rotary_dim"), 128);
    EXPECT_THAT(unread("transformers-5", file), ElementsAre("rotary_dim"));
    EXPECT_EQ(value("llama.cpp", file, "rotary_dim"), 64);
    EXPECT_EQ(value("vllm", file, "rotary_dim"), 64);
    const std::string both =
        config("minimax_m2", R"("rotary_dim": 64, "partial_rotary_factor": 0.25)");
    EXPECT_EQ(value("vllm", both, "rotary_dim"), 32);
    EXPECT_EQ(value("llama.cpp", both, "rotary_dim"), 64);
    EXPECT_EQ(value("llama.cpp", config("minimax_m2", ""), "rotary_dim"), "refused");
    const std::string bailing =
        config("bailing_moe", R"("rotary_dim": 64, "partial_rotary_factor": 0.25)");
    EXPECT_EQ(value("vllm", bailing, "rotary_dim"), 64);
    EXPECT_EQ(value("llama.cpp", bailing, "rotary_dim"), 128);
    EXPECT_EQ(value("llama.cpp", config("solar_open", ""), "rotary_dim"), 64);
    const std::string heads = config("olmo", R"("head_dim": 64)");
    EXPECT_EQ(value("transformers-5", heads, "head_dim"), 64);
    EXPECT_EQ(value("vllm", heads, "head_dim"), 128) << "it divides hidden_size by the heads";
}

TEST(RuntimeFamilies, HowPairsAreSharedAmongTheAxes) {
    const auto file = [](const char* more) {
        return config("qwen3_vl_text",
                      std::string(R"("rope_parameters": {"rope_theta": 5e6)") + more + "}");
    };
    const std::string turns = file(R"(, "mrope_section": [24, 20, 20], "mrope_interleaved": true)");
    for (const char* name : kRead) {
        EXPECT_EQ(value(name, turns, "sections"), "t 24, h 20, w 20, in turn") << name;
        EXPECT_THAT(unread(name, turns), IsEmpty()) << name;
    }
    const std::string silent = file(R"(, "mrope_section": [24, 20, 20])");
    EXPECT_EQ(value("vllm", silent, "sections"), "t 24, h 20, w 20, in bands");
    EXPECT_EQ(value("transformers-5", silent, "sections"), "t 24, h 20, w 20, in turn");
    EXPECT_EQ(value("transformers-5", file(""), "sections"), "t 24, h 20, w 20, in turn");
    EXPECT_EQ(value("llama.cpp", file(""), "sections"), "refused");
    EXPECT_EQ(value("vllm", file(""), "sections"), "none");
    const std::string older = config(
        "qwen2_vl_text", R"("rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]})");
    for (const char* name : kRead) {
        EXPECT_EQ(value(name, older, "sections"), "t 16, h 24, w 24, in bands") << name;
        EXPECT_EQ(value(name, older, "scaling").at("type"), "none") << name;
    }
}

/// transformers asks for PhiMoE's frequencies without a length, so that they are those of a short
/// text; the factor on cos and sin does change with the length.
TEST(RuntimeFamilies, PhiMoesLongFactors) {
    const auto file = [](const char* more) {
        return config("phimoe", fmt::format(R"("rope_scaling": {{"type": "longrope"{},
            "original_max_position_embeddings": 4096, "short_factor": [1.0], "long_factor": [2.0]}})",
                                            more));
    };
    const std::string whole = file(R"(, "short_mscale": 1.0, "long_mscale": 1.25)");
    EXPECT_EQ(value("transformers-5", whole, "frequencies"),
              "base^(-2i/d) / short_factor at every length");
    for (const char* name : {"transformers-5", "vllm"}) {
        EXPECT_EQ(value(name, whole, "attention factor"), Json({{"short", 1.0}, {"long", 1.25}}))
            << name;
    }
    EXPECT_DOUBLE_EQ(value("llama.cpp", whole, "attention factor").get<double>(),
                     std::sqrt(1 + std::log(2.0) / std::log(4096.0)));
    EXPECT_THAT(unread("llama.cpp", whole),
                ElementsAre("rope_scaling.long_mscale", "rope_scaling.short_mscale"));
    EXPECT_EQ(value("transformers-5", file(""), "frequencies"), "refused");
    EXPECT_EQ(value("vllm", config("phimoe", ""), "base"), 1e6);
    EXPECT_EQ(value("llama.cpp", config("phimoe", R"("rope_theta": 1e4)"), "base"), 1e4);
}

TEST(RuntimeFamilies, HunyuanVlsFourAxes) {
    const auto file = [](const char* type, const char* sections) {
        return config("hunyuan_vl", fmt::format(R"("rope_scaling": {{"type": "{}", "alpha": 1000.0,
            "{}": [16, 16, 16, 16]}})",
                                                type, sections));
    };
    const std::string first = file("xdrope", "xdrope_section");
    const std::string later = file("dynamic", "mrope_section");
    for (const char* name : kRead) {
        EXPECT_EQ(value(name, first, "sections"), "16, 16, 16, 16, in bands") << name;
        EXPECT_EQ(value(name, first, "frequencies"), "(base alpha^(d/(d-2)))^(-2i/d)") << name;
        EXPECT_EQ(value(name, later, "frequencies"), "(base alpha^(d/(d-2)))^(-2i/d)") << name;
        EXPECT_THAT(unread(name, first), IsEmpty()) << name;
    }
    EXPECT_EQ(value("llama.cpp", later, "sections"), "16, 16, 16, 16, in bands");
    EXPECT_EQ(value("vllm", later, "sections"), "none") << "it knows xdrope_section alone";
    EXPECT_THAT(unread("vllm", later), ElementsAre("rope_scaling.mrope_section"));
    EXPECT_EQ(value("transformers-5", config("hunyuan_vl", ""), "sections"), "refused");
}

TEST(RuntimeFamilies, ColumnsOfAnEarlierRow) {
    const std::string file = config("gemma4_unified_text", R"("global_head_dim": 256)");
    EXPECT_EQ(value("transformers-5", file, "rotary_dim", "full_attention"), 64);
    EXPECT_THAT(answer(read("transformers-5", file), "layout", "full_attention").source.file,
                HasSubstr("modeling_gemma4_unified.py"));
    EXPECT_TRUE(read("llama.cpp", file).fails);
    EXPECT_THAT(read("vllm", file).unknown, HasSubstr("not known to this table"))
        << "null takes a column away";
}

TEST(RuntimeFamilies, HunyuansAlphaStretchesTheBase) {
    const std::string alpha =
        config("hunyuan_v1_dense", R"("rope_scaling": {"type": "dynamic", "alpha": 1000.0})");
    for (const char* name : kRead) {
        EXPECT_EQ(value(name, alpha, "frequencies"), "(base alpha^(d/(d-2)))^(-2i/d)") << name;
    }
    const std::string factor =
        config("hunyuan_v1_dense", R"("rope_scaling": {"type": "dynamic", "factor": 2.0})");
    EXPECT_THAT(value("transformers-5", factor, "frequencies").get<std::string>(),
                HasSubstr("n the length at hand"));
}

TEST(RuntimeFamilies, Ministral3sAttentionFactor) {
    const auto file = [](const char* all_dim) {
        return config("ministral3", std::string(R"("rope_parameters": {"rope_type": "yarn",
            "factor": 16.0, "original_max_position_embeddings": 16384, "mscale": 1.0,
            "mscale_all_dim": )") + all_dim +
                                        "}");
    };
    EXPECT_EQ(value("transformers-5", file("1.0"), "attention factor"), 1.0);
    EXPECT_EQ(value("llama.cpp", file("1.0"), "attention factor"), 1.0);
    const double whole = 0.1 * std::log(16.0) + 1.0, half = 0.05 * std::log(16.0) + 1.0;
    EXPECT_DOUBLE_EQ(value("vllm", file("1.0"), "attention factor").get<double>(), whole);
    for (const char* name : {"transformers-5", "llama.cpp"}) {
        EXPECT_DOUBLE_EQ(value(name, file("0.5"), "attention factor").get<double>(), whole / half)
            << name;
    }
}

TEST(RuntimeFamilies, AModelWithoutRopeHasNothingToCompare) {
    EXPECT_EQ(read("vllm", config("nemotron_h", "")).unknown,
              "model_type 'nemotron_h' has no RoPE: its layers know the order by recurrence");
}

/// Not every family was read at the runtime's own commit, and a default that was not is not known.
TEST(RuntimeFamilies, AReadingNamesTheCopyThatWasRead) {
    const runtimes::Reading copied = read("vllm", config("exaone4", ""));
    EXPECT_EQ(copied.runtime.repository, "local-inference-lab/vllm");
    EXPECT_EQ(copied.runtime.commit.size(), 40U);
    EXPECT_THAT(answer(copied, "head_dim").source.file,
                HasSubstr("zucchini-nlp/transformers 5.16.0.dev0"));
    EXPECT_EQ(read("vllm", config("llama", "")).runtime.repository, "vllm-project/vllm");
    EXPECT_THAT(answer(read("llama.cpp", config("exaone4", "")), "base").note,
                HasSubstr("not known to this table"));
}

/// Of every family with columns at least two runtimes read a file with its sizes, and say whence.
TEST(RuntimeFamilies, TwoRuntimesAtLeastReadEveryFamily) {
    int families = 0;
    for (const ModelFamily& family : model_families()) {
        if (family.runtimes == nullptr) {
            continue;
        }
        ++families;
        std::vector<std::string> readers;
        for (const runtimes::Runtime& runtime : runtimes::all_runtimes()) {
            const runtimes::Reading reading =
                read(runtime.name, config(family.model_type, R"("rotary_dim": 64)"));
            if (!reading.unknown.empty() && !reading.unknown.starts_with("without ")) {
                continue;
            }
            readers.emplace_back(runtime.name);
            for (const runtimes::TakenQuantity& each : reading.answers) {
                const std::string where = each.source.file + each.source.function;
                EXPECT_FALSE(each.source.file.empty() || where.find('{') != std::string::npos)
                    << family.model_type << " in " << runtime.name << ": " << each.quantity;
            }
        }
        EXPECT_GE(readers.size(), 2U) << family.model_type;
    }
    EXPECT_EQ(families, 111);
}

}  // namespace
}  // namespace ropescope::test
