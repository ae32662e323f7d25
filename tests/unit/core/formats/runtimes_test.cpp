// How each runtime reads a config.json, by the rules of core/formats/runtimes: cases worked out by
// hand from the sources that the rules name.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/json_object.h"
#include "core/formats/runtimes/comparison.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/core/formats/runtime_readings.h"

namespace ropescope::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

TEST(Runtimes, AnOldFileIsReadAlike) {
    const std::string file = config("llama", R"("rope_theta": 500000.0)");
    for (const char* name : kEach) {
        EXPECT_EQ(value(name, file, "base"), 500000) << name;
        EXPECT_EQ(value(name, file, "head_dim"), 128) << name;
        EXPECT_EQ(value(name, file, "rotary_dim"), 128) << name;
        EXPECT_EQ(value(name, file, "layout"), "half_split") << name;
        EXPECT_EQ(value(name, file, "scaling"), Json({{"type", "none"}})) << name;
        EXPECT_THAT(unread(name, file), IsEmpty()) << name;
    }
}

TEST(Runtimes, TheBaseOfANewFileIsLostInTransformers4Only) {
    const std::string file =
        config("llama", R"("rope_parameters": {"rope_type": "default", "rope_theta": 500000.0})");
    EXPECT_EQ(value("transformers-4", file, "base"), 10000);
    EXPECT_EQ(answer(read("transformers-4", file), "base").from, "");
    EXPECT_THAT(unread("transformers-4", file), ElementsAre("rope_parameters.rope_theta"));
    for (const char* name : {"transformers-5", "llama.cpp", "vllm"}) {
        EXPECT_EQ(value(name, file, "base"), 500000) << name;
        EXPECT_EQ(answer(read(name, file), "base").from, "rope_parameters.rope_theta") << name;
        EXPECT_THAT(unread(name, file), IsEmpty()) << name;
    }
}

TEST(Runtimes, AnUnreadBaseThatIsTheDefaultIsNoLoss) {
    const std::string file = config("llama", R"("rope_parameters": {"rope_theta": 10000})");
    EXPECT_THAT(unread("transformers-4", file), IsEmpty());
}

TEST(Runtimes, RopeScalingTakesThePlaceOfRopeParameters) {
    const std::string file = config("llama", R"("rope_parameters": {"rope_theta": 500000.0},
                                                "rope_scaling": {"type": "linear", "factor": 2})");
    // transformers 5 drops rope_parameters, and the base with them; llama.cpp drops rope_scaling.
    EXPECT_EQ(value("transformers-5", file, "base"), 10000);
    EXPECT_EQ(value("transformers-5", file, "scaling"), Json({{"type", "linear"}, {"factor", 2}}));
    EXPECT_THAT(unread("transformers-5", file), ElementsAre("rope_parameters.rope_theta"));
    EXPECT_EQ(value("llama.cpp", file, "base"), 500000);
    EXPECT_EQ(value("llama.cpp", file, "scaling"), Json({{"type", "none"}}));
    EXPECT_THAT(unread("llama.cpp", file), ElementsAre("rope_scaling.factor", "rope_scaling.type"));
}

TEST(Runtimes, DefaultsOfCohereDiffer) {
    const std::string file = config("cohere", "");
    EXPECT_EQ(value("transformers-4", file, "base"), 10000);
    EXPECT_EQ(value("llama.cpp", file, "base"), 10000);
    EXPECT_EQ(value("transformers-5", file, "base"), 500000);
    EXPECT_EQ(value("vllm", file, "base"), 500000);
    for (const char* name : kEach) {
        EXPECT_EQ(value(name, file, "layout"), "interleaved") << name;
    }
}

TEST(Runtimes, GptNeoxHasKeysOfItsOwn) {
    const std::string file = config("gpt_neox", R"("rotary_emb_base": 20000, "rotary_pct": 0.5)");
    for (const char* name : kEach) {
        EXPECT_EQ(value(name, file, "base"), 20000) << name;
        EXPECT_EQ(value(name, file, "rotary_dim"), 64) << name;
        EXPECT_EQ(value(name, config("gpt_neox", ""), "rotary_dim"), 32) << name;
    }
}

TEST(Runtimes, AShareOfTheHeadOnlyWhereItsCodeReadsOne) {
    const std::string phi = config("phi", R"("partial_rotary_factor": 0.25)");
    for (const char* name : kEach) {
        EXPECT_EQ(value(name, phi, "rotary_dim"), 32) << name;
        EXPECT_EQ(value(name, config("phi", ""), "rotary_dim"), 64) << name;
    }
    const std::string llama = config("llama", R"("partial_rotary_factor": 0.5)");
    EXPECT_EQ(value("vllm", llama, "rotary_dim"), 64);
    EXPECT_EQ(value("llama.cpp", llama, "rotary_dim"), 128);
    EXPECT_THAT(unread("llama.cpp", llama), ElementsAre("partial_rotary_factor"));
    EXPECT_TRUE(value("transformers-5", llama, "rotary_dim").is_null());
    EXPECT_THAT(answer(read("transformers-5", llama), "rotary_dim").note,
                HasSubstr("not known to this table"));
}

TEST(Runtimes, EachTakesItsOwnKeysOfYarn) {
    const std::string file = config("qwen2", R"("rope_scaling": {"rope_type": "yarn", "factor": 4.0,
            "original_max_position_embeddings": 2048, "attention_factor": 1.5, "truncate": false})");
    const Json whole{{"type", "yarn"},
                     {"factor", 4.0},
                     {"attention_factor", 1.5},
                     {"truncate", false},
                     {"original_max_position_embeddings", 2048}};
    EXPECT_EQ(value("transformers-4", file, "scaling"), whole);
    EXPECT_EQ(value("transformers-5", file, "scaling"), whole);
    EXPECT_THAT(unread("vllm", file), ElementsAre("rope_scaling.attention_factor"));
    EXPECT_THAT(unread("llama.cpp", file), ElementsAre("rope_scaling.truncate"));
}

TEST(Runtimes, VllmLeavesSomeFamiliesToTransformers) {
    const std::string file = config("smollm3", R"("rope_scaling": {"rope_type": "yarn",
        "factor": 4.0, "original_max_position_embeddings": 2048, "attention_factor": 1.5})");
    EXPECT_THAT(unread("vllm", file), IsEmpty());
    const std::string ntk = config("smollm3", R"("rope_scaling": {"type": "ntk", "factor": 2})");
    EXPECT_EQ(value("vllm", ntk, "scaling"), Json({{"refused", "ntk"}}));
    EXPECT_THAT(answer(read("vllm", file), "scaling").source.file,
                HasSubstr("huggingface/transformers v5.15.0"));
    EXPECT_THAT(answer(read("llama.cpp", file), "head_dim").source.file,
                HasSubstr("huggingface/transformers v4.57.6"));
}

TEST(Runtimes, WhereTheTrainedLengthIsLookedFor) {
    const std::string file = config("qwen2", R"("rope_scaling": {"type": "yarn", "factor": 4})");
    EXPECT_EQ(value("transformers-4", file, "scaling").at("original_max_position_embeddings"),
              8192);
    EXPECT_TRUE(
        value("llama.cpp", file, "scaling").at("original_max_position_embeddings").is_null());
    const std::string beside = config("qwen2", R"("original_max_position_embeddings": 1024,
            "rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 2048})");
    const char* key = "original_max_position_embeddings";
    EXPECT_EQ(value("transformers-4", beside, "scaling").at(key), 2048);
    EXPECT_EQ(value("transformers-5", beside, "scaling").at(key), 1024);
    EXPECT_EQ(value("vllm", beside, "scaling").at(key), 1024);
    EXPECT_EQ(value("llama.cpp", beside, "scaling").at(key), 2048);
}

TEST(Runtimes, ScalingThatIsIgnoredOrRefused) {
    constexpr const char* kLlama3 =
        R"("rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
           "high_freq_factor": 4.0, "original_max_position_embeddings": 4096})";
    EXPECT_EQ(value("llama.cpp", config("llama", kLlama3), "scaling").at("type"), "llama3");
    EXPECT_EQ(value("llama.cpp", config("qwen2", kLlama3), "scaling").at("type"), "none");
    EXPECT_EQ(value("vllm", config("qwen2", kLlama3), "scaling").at("type"), "llama3");
    const std::string ntk = config("llama", R"("rope_scaling": {"type": "ntk", "factor": 2})");
    EXPECT_EQ(value("vllm", ntk, "scaling").at("type"), "ntk");
    EXPECT_EQ(value("transformers-4", ntk, "scaling"), Json({{"refused", "ntk"}}));
    EXPECT_EQ(value("transformers-5", ntk, "scaling"), Json({{"refused", "ntk"}}));
    EXPECT_EQ(value("llama.cpp", ntk, "scaling"), Json({{"type", "none"}}));
    const std::string dynamic =
        config("llama", R"("rope_scaling": {"type": "dynamic", "factor": 2})");
    EXPECT_EQ(value("llama.cpp", dynamic, "scaling").at("type"), "none");
    const std::string untyped = config("llama", R"("rope_scaling": {"factor": 2})");
    EXPECT_TRUE(value("transformers-4", untyped, "scaling").contains("refused"));
    EXPECT_EQ(value("transformers-5", untyped, "scaling"), Json({{"type", "none"}}));
    const std::string no_factor = config("llama", R"("rope_scaling": {"type": "linear"})");
    EXPECT_TRUE(value("transformers-5", no_factor, "scaling").contains("refused"));
    EXPECT_EQ(value("llama.cpp", no_factor, "scaling"), Json({{"type", "none"}}));
}

TEST(Runtimes, TypesOfLayers) {
    const std::string older =
        config("gemma3_text", R"("rope_theta": 2e6, "rope_local_base_freq": 5000.0,
                                 "rope_scaling": {"rope_type": "linear", "factor": 8.0})");
    const std::string newer = config("gemma3_text", R"("rope_parameters": {
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 2e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 5000.0}})");
    for (const char* name : kEach) {
        EXPECT_EQ(value(name, older, "base", "full_attention"), 2e6) << name;
        EXPECT_EQ(value(name, older, "base", "sliding_attention"), 5000) << name;
        EXPECT_EQ(value(name, older, "scaling", "full_attention").at("factor"), 8) << name;
        EXPECT_EQ(value(name, older, "scaling", "sliding_attention").at("type"), "none") << name;
        EXPECT_EQ(value(name, older, "head_dim", "full_attention"), 256) << name;
    }
    for (const char* name : {"transformers-5", "llama.cpp", "vllm"}) {
        EXPECT_EQ(value(name, newer, "base", "full_attention"), 2e6) << name;
        EXPECT_EQ(value(name, newer, "base", "sliding_attention"), 5000) << name;
        EXPECT_EQ(value(name, newer, "scaling", "full_attention").at("factor"), 8) << name;
    }
    EXPECT_EQ(value("transformers-4", newer, "base", "full_attention"), 1e6);
    EXPECT_EQ(value("transformers-4", newer, "base", "sliding_attention"), 1e4);
}

TEST(Runtimes, Olmo3sOwnBaseReachesOnlyHalfOfItsLayersInTransformers5) {
    const std::string file = config("olmo3", R"("rope_theta": 1000.0)");
    EXPECT_EQ(value("transformers-4", file, "base", "sliding_attention"), 1000);
    EXPECT_EQ(value("transformers-5", file, "base", "full_attention"), 1000);
    EXPECT_EQ(value("transformers-5", file, "base", "sliding_attention"), 500000);
}

TEST(Runtimes, DeepSeeksOrderOfChannels) {
    const std::string file =
        config("deepseek_v3", R"("qk_rope_head_dim": 64, "rope_interleave": false)");
    EXPECT_EQ(value("transformers-4", file, "layout"), "half_split");
    EXPECT_EQ(value("transformers-5", file, "layout"), "half_split");
    EXPECT_EQ(value("vllm", file, "layout"), "interleaved");
    EXPECT_EQ(value("llama.cpp", file, "layout"), "interleaved");
    EXPECT_THAT(unread("vllm", file), ElementsAre("rope_interleave"));
    EXPECT_EQ(value("vllm", file, "head_dim"), 64);
}

TEST(Runtimes, LayersWithoutRope) {
    constexpr const char* kQuantity = "layers without RoPE";
    const std::string usual = config("smollm3", "");
    const std::string own = config("smollm3", R"("no_rope_layers": [1, 0, 1, 1, 1, 1, 1, 0])");
    for (const char* name : kEach) {
        EXPECT_EQ(value(name, usual, kQuantity), Json({3, 7})) << name;
        EXPECT_EQ(value(name, config("llama", ""), kQuantity), "none") << name;
    }
    EXPECT_EQ(value("transformers-5", own, kQuantity), Json({1, 7}));
    EXPECT_EQ(value("vllm", own, kQuantity), Json({1, 7}));
    EXPECT_EQ(value("llama.cpp", own, kQuantity), Json({3, 7}));
    EXPECT_THAT(unread("llama.cpp", own), ElementsAre("no_rope_layers"));
    EXPECT_THAT(unread("vllm", own), IsEmpty());
}

TEST(Runtimes, AMissingObjectStandsForTheFamilysOwn) {
    for (const char* name : kEach) {
        const Json scaling = value(name, config("gpt_oss", ""), "scaling");
        EXPECT_EQ(scaling.at("type"), "yarn") << name;
        EXPECT_EQ(scaling.at("factor"), 32) << name;
        EXPECT_EQ(scaling.at("original_max_position_embeddings"), 4096) << name;
        EXPECT_EQ(value(name, config("gpt_oss", ""), "base"), 150000) << name;
    }
}

TEST(Runtimes, TheLanguageModelsPartIsRead) {
    const std::string file = R"({"model_type": "mistral3", "text_config": )" +
                             config("mistral", R"("rope_theta": 7e6)") + "}";
    for (const char* name : kEach) {
        EXPECT_EQ(value(name, file, "base"), 7e6) << name;
    }
}

TEST(Runtimes, WhatNobodyCheckedIsNotGuessed) {
    for (const char* name : kEach) {
        EXPECT_THAT(read(name, config("brand_new", R"("rope_theta": 5e5)")).unknown,
                    HasSubstr("not known to this table"));
        EXPECT_THAT(read(name, R"({"rope_theta": 5e5})").unknown, HasSubstr("not known"));
        const std::string nested =
            config("llama", R"("rope_parameters": {"full_attention": {"rope_theta": 5e5}})");
        if (std::string_view(name) != "transformers-4") {
            EXPECT_THAT(read(name, nested).unknown, HasSubstr("not known to this table")) << name;
        }
    }
    // transformers 5 looks for full_attention in the flat object and ends with a KeyError.
    const std::string mixed = config("gemma3_text", R"("rope_parameters": {"rope_theta": 5e5},
                                                       "rope_scaling": {"type": "linear"})");
    EXPECT_THAT(read("transformers-5", mixed).unknown, HasSubstr("not known to this table"));
    const std::string odd = config("gpt_oss", R"("rope_scaling": {"type": "linear", "factor": 2})");
    EXPECT_TRUE(value("vllm", odd, "scaling").is_null());
}

TEST(Runtimes, EveryRuleNamesItsSource) {
    for (const runtimes::Runtime& runtime : runtimes::all_runtimes()) {
        EXPECT_EQ(runtime.commit.size(), 40U) << runtime.name;
        EXPECT_FALSE(runtime.families.empty()) << runtime.name;
        for (const runtimes::Family& family : runtime.families) {
            const std::string what = fmt::format("{} in {}", family.model_type, runtime.name);
            for (const runtimes::Source& source : {family.config, family.model}) {
                EXPECT_FALSE(source.file.empty() || source.function.empty()) << what;
            }
        }
        for (const runtimes::TakenQuantity& each :
             read(runtime.name, config("llama", R"("rope_theta": 1e6)")).answers) {
            EXPECT_FALSE(each.source.file.empty()) << runtime.name << ": " << each.quantity;
        }
    }
}

TEST(Runtimes, TheirPageHasTheVersionsThatWereRead) {
    const std::string page = read_file(source_dir() + "/docs/runtimes.md");
    for (const runtimes::Runtime& runtime : runtimes::all_runtimes()) {
        EXPECT_THAT(page, HasSubstr(fmt::format("| {} | {} ", runtime.name, runtime.repository)));
        EXPECT_THAT(page, HasSubstr(runtime.version));
        EXPECT_THAT(page, HasSubstr(fmt::format("`{}`", runtime.commit.substr(0, 12))));
    }
}

TEST(Runtimes, NamesAreChecked) {
    const auto message = [](std::string_view names) -> std::string {
        try {
            runtimes::runtimes_named(names);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(message("transformer-4"), HasSubstr("did you mean 'transformers-4'"));
    EXPECT_THAT(message("vllm,,llama.cpp"), HasSubstr("'' is not a runtime"));
    EXPECT_THAT(message(""), HasSubstr("is not a runtime"));
    EXPECT_THAT(message("vllm,vllm"), HasSubstr("named twice"));
    EXPECT_EQ(runtimes::runtimes_named("vllm,transformers-5").size(), 2U);
}

TEST(Runtimes, AComparisonMarksTheRowsThatDiffer) {
    const TempFolder folder;
    write_file_whole(folder / "config.json",
                     config("llama", R"("rope_parameters": {"rope_theta": 500000.0})"));
    const runtimes::Comparison comparison =
        runtimes::compare(runtimes::all_runtimes(), read_config_text(folder / "config.json"));
    std::vector<std::string> differing;
    for (const runtimes::Row& row : comparison.rows) {
        if (row.differs) {
            differing.push_back(row.name);
        }
    }
    EXPECT_THAT(differing, ElementsAre("base"));
}

/// Numbers, words, lists and objects in the wrong places end in an InputError or in an answer.
TEST(Runtimes, AnyValueAtAnyKeyIsSurvived) {
    constexpr const char* kValues[] = {
        "null",
        "true",
        "-1",
        "0",
        "1e300",
        "1e-300",
        "\"yarn\"",
        "\"\"",
        "[]",
        "[0,1]",
        "[{}]",
        "{}",
        R"({"a": {}})",
        R"({"rope_type": "yarn"})",
        R"({"rope_type": 7})",
        R"({"type": "longrope", "short_factor": 3, "long_factor": {}})",
        R"({"rope_type": "linear", "factor": [1]})",
        R"({"full_attention": {"rope_theta": 0}})",
        "9223372036854775807"};
    constexpr const char* kKeys[] = {"rope_theta",
                                     "rope_scaling",
                                     "rope_parameters",
                                     "partial_rotary_factor",
                                     "head_dim",
                                     "hidden_size",
                                     "num_attention_heads",
                                     "num_hidden_layers",
                                     "model_type",
                                     "text_config",
                                     "no_rope_layers",
                                     "no_rope_layer_interval",
                                     "rotary_pct",
                                     "rope_interleave",
                                     "rope_local_base_freq",
                                     "max_position_embeddings",
                                     "rotary_emb_base",
                                     "original_max_position_embeddings",
                                     "qk_rope_head_dim"};
    constexpr const char* kTypes[] = {"llama",       "gemma3_text", "gpt_neox", "phi3",
                                      "deepseek_v3", "gpt_oss",     "smollm3"};
    constexpr unsigned kSeed = 20261122;
    std::mt19937 random(kSeed);
    const auto one_of = [&](const auto& list) { return list[random() % std::size(list)]; };
    const std::span<const runtimes::Runtime> all = runtimes::all_runtimes();
    int answered = 0;
    for (int i = 0; i < 4000; ++i) {
        nlohmann::json file = nlohmann::json::parse(config(one_of(kTypes), ""));
        for (unsigned n = 0; n < 1 + random() % 3; ++n) {
            file[one_of(kKeys)] = nlohmann::json::parse(one_of(kValues));
        }
        for (const runtimes::Runtime& runtime : all) {
            try {
                answered += static_cast<int>(
                    runtimes::read_as(runtime, ConfigObject(file, "x")).answers.size() > 0);
            } catch (const InputError&) {
                continue;
            }
        }
    }
    EXPECT_GT(answered, 4000);  // of 16000; most single slips leave something to read
}

}  // namespace
}  // namespace ropescope::test
