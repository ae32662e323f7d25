#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kDeepSeek =
    R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128,
        "qk_rope_head_dim": 64, "max_position_embeddings": 163840, "rope_theta": 10000,
        "rope_scaling": {"type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1,
                         "mscale": 1.0, "mscale_all_dim": 1.0,
                         "original_max_position_embeddings": 4096}})";

constexpr const char* kDynamic =
    R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "max_position_embeddings": 4096, "rope_theta": 10000.0,
        "rope_scaling": {"type": "dynamic", "factor": 2.0}})";

nlohmann::json inspect_json(const TempFolder& folder, const char* config,
                            std::vector<std::string> more = {}) {
    write_file_whole(folder / "config.json", config);
    std::vector<std::string> arguments = {"inspect", folder / "config.json", "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const RunResult run = run_ropescope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return nlohmann::json::parse(run.out);
}

TEST(Inspect, TheKeysOfAConfig) {
    const TempFolder folder;
    const nlohmann::json json = inspect_json(folder, kDeepSeek);
    EXPECT_EQ(json.at("model_type"), "deepseek_v3");
    EXPECT_EQ(json.at("head_dim"), 64);
    EXPECT_EQ(json.at("rotary_dim"), 64);
    EXPECT_EQ(json.at("base"), 10000);
    EXPECT_EQ(json.at("layout"), "interleaved");
    EXPECT_EQ(json.at("scaling").at("type"), "yarn");
    EXPECT_EQ(json.at("scaling").at("factor"), 40);
    EXPECT_EQ(json.at("attention_factor"), 1.0);
    EXPECT_NEAR(json.at("softmax_scale_factor").get<double>(), 1.8738542070926265, 1e-15);
    EXPECT_TRUE(json.at("seq_len").is_null());
    EXPECT_EQ(json.at("inv_freq").size(), 32U);
    EXPECT_EQ(json.at("wavelengths").size(), 32U);
    EXPECT_NEAR(json.at("inv_freq").back().get<double>(), 3.3338035804083101e-06, 1e-20);
}

TEST(Inspect, TheLengthOfTheSequence) {
    const TempFolder folder;
    const nlohmann::json at_once = inspect_json(folder, kDynamic);
    const nlohmann::json longer = inspect_json(folder, kDynamic, {"--seq-len", "16384"});
    EXPECT_EQ(longer.at("seq_len"), 16384);
    const double ratio =
        at_once.at("inv_freq").back().get<double>() / longer.at("inv_freq").back().get<double>();
    EXPECT_NEAR(ratio, 7.0, 1e-12);  // 2 x 4 - (2 - 1)
}

TEST(Inspect, WhetherTheBaseAllowsAContext) {
    const auto context = [](const std::string& model, const std::string& length) {
        const RunResult run =
            run_ropescope({"inspect", model, "--context", length, "--format", "json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return nlohmann::json::parse(run.out);
    };
    const nlohmann::json llama = context("llama-2-7b", "4096").at("context");
    EXPECT_EQ(llama.at("length"), 4096);
    EXPECT_EQ(llama.at("pairs"), 64);
    EXPECT_EQ(llama.at("stays"), false);
    EXPECT_EQ(llama.at("first_negative"), 1707);
    EXPECT_EQ(llama.at("still_pairs"), 0);
    EXPECT_NEAR(llama.at("least_base"), 28700, 300);
    EXPECT_NEAR(llama.at("all_bases_from"), 59000, 500);
    EXPECT_GT(llama.at("bases").size(), 3U);
    const nlohmann::json& published = llama.at("published");
    const auto own = std::ranges::find(published, "Llama 2 7B", [](const nlohmann::json& model) {
        return model.at("title").get<std::string>();
    });
    ASSERT_NE(own, published.end());
    EXPECT_EQ(own->at("base"), 10000);
    EXPECT_EQ(own->at("context"), 4096);
    EXPECT_EQ(own->at("first_negative"), 1707);
    const nlohmann::json phi = context("phi-2", "2048").at("context");
    EXPECT_EQ(phi.at("still_pairs"), 24);
    EXPECT_EQ(phi.at("first_negative"), 474);
    EXPECT_TRUE(phi.at("first_negative_whole_head").is_null());
    const nlohmann::json gemma = context("gemma-3-1b", "1000");
    EXPECT_EQ(gemma.at("layer_types").at("full_attention").at("context").at("stays"), true);
    EXPECT_FALSE(gemma.contains("context"));
    // The axes of a text in several share one base.
    const nlohmann::json ernie = context("ernie-4.5-vl-28b", "4096");
    EXPECT_EQ(ernie.at("context").at("pairs"), 64);
    EXPECT_EQ(ernie.at("context").at("stays"), true);
    EXPECT_EQ(ernie.at("base"), 500000.0);
    const RunResult text = run_ropescope({"inspect", "llama-3-8b", "--context", "20000"});
    EXPECT_THAT(text.out, AllOf(HasSubstr("a context of 20000 positions"),
                                HasSubstr("first below zero at distance 18438: not to 20000"),
                                HasSubstr("stay at or above zero to the end of their own context"),
                                HasSubstr("arXiv:2405.14591")));
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"inspect", "llama-3-8b", "--context", "0"},
                                               {"inspect", "llama-3-8b", "--context", "1048577"},
                                               {"inspect", "flux.1", "--context", "100"}}) {
        const RunResult run = run_ropescope(wrong);
        EXPECT_EQ(run.exit_code, 2) << run.out;
        EXPECT_THAT(run.err, HasSubstr("--context"));
    }
}

TEST(Inspect, LayersThatDiffer) {
    const TempFolder folder;
    const nlohmann::json json =
        inspect_json(folder, R"({"model_type": "modernbert", "hidden_size": 768,
            "num_attention_heads": 12, "num_hidden_layers": 22, "global_rope_theta": 160000.0,
            "local_rope_theta": 10000.0, "global_attn_every_n_layers": 3})");
    EXPECT_EQ(json.at("base"), 160000);
    EXPECT_EQ(json.at("layer_types").at("sliding_attention").at("base"), 10000);
    EXPECT_EQ(json.at("layer_types").at("full_attention").at("layers"), 8);
    EXPECT_EQ(json.at("layer_types").at("sliding_attention").at("layers"), 14);
}

std::string golden_folder(const std::string& name) {
    return source_dir() + "/tests/golden/" + name;
}

nlohmann::json parameters_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "inspect");
    arguments.insert(arguments.end(), {"--format", "json"});
    const RunResult run = run_ropescope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return nlohmann::json::parse(run.out).at("parameters");
}

TEST(Inspect, TheSeedsConfigurationRowForRow) {
    const nlohmann::json expected =
        nlohmann::json::parse(read_file(golden_folder("seed000/param_table_real_config.json")));
    const nlohmann::json found = parameters_of({"--d2l-roformer"});
    EXPECT_EQ(found.at("total"), 77509632);
    ASSERT_EQ(found.at("rows").size(), expected.at("rows").size());
    for (std::size_t i = 0; i < expected.at("rows").size(); ++i) {
        EXPECT_EQ(found.at("rows")[i].at("name"), expected.at("rows")[i].at("layer"));
        EXPECT_EQ(found.at("rows")[i].at("count"), expected.at("rows")[i].at("params"));
    }
    EXPECT_EQ(found.at("rows")[0].at("shape"), (std::vector<int>{4, 1024, 32000}));
    EXPECT_EQ(found.at("rows")[2].at("shape"), nullptr);
}

TEST(Inspect, TakesTheFormerNameOfTheNotebooksConfiguration) {
    EXPECT_EQ(parameters_of({"--seed-config"}), parameters_of({"--d2l-roformer"}));
}

/// What a pipe gives is gone once it is read, so every command reads its input once.
TEST(Inspect, APipeIsReadOnce) {
    const TempFolder folder;
    const nlohmann::json of_file = inspect_json(folder, kDeepSeek);
    const std::string config = folder / "config.json";
    const auto piped = [](const std::string& script) {
        return run_command({"sh", "-c", script, program_path()});
    };
    const RunResult config_run =
        piped("cat '" + config + "' | \"$0\" inspect /dev/stdin --format json");
    ASSERT_EQ(config_run.exit_code, 0) << config_run.err;
    EXPECT_EQ(nlohmann::json::parse(config_run.out).at("inv_freq"), of_file.at("inv_freq"));
    const std::string golden = golden_folder("hf_roformer_base/config.json");
    const RunResult encoder = piped("cat '" + golden + "' | \"$0\" inspect /dev/stdin");
    EXPECT_EQ(encoder.exit_code, 0) << encoder.err;
    EXPECT_THAT(encoder.out, HasSubstr("Total params"));
    const std::string weights = golden_folder("hf_roformer_base/inputs.safetensors");
    const RunResult tensors = piped("cat '" + weights + "' | \"$0\" inspect /dev/stdin");
    EXPECT_EQ(tensors.exit_code, 0) << tensors.err;
    EXPECT_THAT(tensors.out, HasSubstr("/dev/stdin: safetensors, "));
    const std::vector<float> values(128, 1.0F);
    const std::string npy = folder / "x.npy";
    write_npy(npy, make_tensor("x", {2, 64}, std::span(values)).view());
    const RunResult array = piped("cat '" + npy + "' | \"$0\" inspect /dev/stdin");
    EXPECT_EQ(array.exit_code, 0) << array.err;
    EXPECT_THAT(array.out, HasSubstr("[2, 64]"));
    const RunResult rotated =
        piped("cat '" + npy + "' | \"$0\" rotate /dev/stdin -o '" + npy + ".npy'");
    EXPECT_EQ(rotated.exit_code, 0) << rotated.err;
    // A scene names its model, and more than one part of the program opens it.
    const RunResult scene = piped(
        "cat '" + config + "' | \"$0\" figure model --set model=/dev/stdin -o '" + npy + ".csv'");
    EXPECT_EQ(scene.exit_code, 2);
    EXPECT_THAT(scene.err, HasSubstr("/dev/stdin: is a pipe or a device; a regular file"));
}

#ifndef ROPESCOPE_SANITIZED  // sanitizers map more memory than the limit below
TEST(Inspect, OfADeviceOnlyWhatAFormatAllowsIsRead) {
    // With less memory than the gigabyte that the program would read.
    const TempFolder folder;
    std::filesystem::create_symlink("/dev/zero", folder / "x.npz");
    std::filesystem::create_symlink("/dev/zero", folder / "x.safetensors");
    for (const std::string& arguments :
         {std::string("inspect /dev/zero"), "inspect " + (folder / "x.npz").string(),
          "inspect " + (folder / "x.safetensors").string(),
          std::string("rotate /dev/zero -o a.npy"),
          std::string("--scene /dev/zero figure rotation -o a.csv")}) {
        const RunResult run =
            run_command({"sh", "-c", "ulimit -v 900000; \"$0\" " + arguments, program_path()});
        EXPECT_EQ(run.exit_code, 2) << arguments << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    }
}
#endif

TEST(Inspect, APipeInAFolderDoesNotWait) {
    for (const std::string name :
         {"config.json", "model.safetensors", "vocab.txt", "model.safetensors.index.json"}) {
        const TempFolder folder;
        write_file_whole(folder / "config.json", kDeepSeek);
        std::filesystem::remove(folder / name);
        ASSERT_EQ(::mkfifo((folder / name).c_str(), 0600), 0);
        const std::string path = folder.path();
        RunOptions soon;
        soon.timeout = std::chrono::seconds(20 * kPatience);
        const RunResult run = run_ropescope({"inspect", path}, soon);
        EXPECT_GE(run.exit_code, 0) << name;
        if (run.exit_code != 0) {
            EXPECT_THAT(run.err, HasSubstr(name + ": is a pipe or a device"));
        }
        EXPECT_EQ(
            run_ropescope({"encode", "--model", path, "--text", "a", "-o", path + "/x.npy"}, soon)
                .exit_code,
            2);
        EXPECT_EQ(run_ropescope({"figure", "attention", "--set", "attention_source=folder", "--set",
                                 "attention_folder=" + path, "-o", path + "/x.csv"},
                                soon)
                      .exit_code,
                  2);
    }
}

TEST(Inspect, TheSeedsSummaryLineForLine) {
    const RunResult run = run_ropescope({"inspect", "--d2l-roformer"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::istringstream summary(
        read_file(golden_folder("seed000/torchinfo_summary_real_config.txt")));
    std::string expected;
    for (std::string line; std::getline(summary, line) && !line.starts_with("Trainable");) {
        line.erase(line.find_last_not_of(' ') + 1);
        expected += line.starts_with('=') ? "" : line + "\n";
    }
    EXPECT_THAT(expected, HasSubstr("Total params: 77,509,632"));
    EXPECT_THAT(run.out, HasSubstr(expected));
}

TEST(Inspect, TheParametersOfAnEncodersFolder) {
    const nlohmann::json notebook = parameters_of({golden_folder("seed000")});
    EXPECT_EQ(notebook.at("rows").size(), 14);
    EXPECT_EQ(notebook.at("rows")[1],
              nlohmann::json::parse(R"({"name": "Embedding: 1-1", "shape": [4, 16, 32],
                                        "count": 2048})"));
    EXPECT_EQ(notebook.at("total"), 21312);
    const nlohmann::json shorter =
        parameters_of({golden_folder("hf_roformer_base"), "--seq-len", "11"});
    EXPECT_EQ(shorter.at("total"), 20242);
    EXPECT_EQ(shorter.at("rows")[0].at("shape"), (std::vector<int>{4, 11, 50}));
}

TEST(Inspect, WeightsThatDoNotFitAreTold) {
    const TempFolder folder;
    write_file_whole(folder / "config.json", read_file(golden_folder("seed000/config.json")));
    std::filesystem::copy(golden_folder("hf_roformer_base/model.safetensors"), folder.path());
    const RunResult run = run_ropescope({"inspect", folder.path()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("tensors do not fit the config"),
                               HasSubstr("model.safetensors: safetensors")));
    const nlohmann::json parameters = parameters_of({folder.path()});
    EXPECT_EQ(parameters.at("rows")[0].at("name"), "cls.predictions.bias") << "what is stored";
}

TEST(Inspect, OneThingToLookAt) {
    const RunResult none = run_ropescope({"inspect"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("give a path, a published model or --d2l-roformer"));
    const RunResult both = run_ropescope({"inspect", "x", "--d2l-roformer"});
    EXPECT_EQ(both.exit_code, 2);
    EXPECT_THAT(both.err, HasSubstr("give one"));
}

TEST(Inspect, TextForAPerson) {
    const TempFolder folder;
    write_file_whole(folder / "config.json", kDeepSeek);
    const RunResult run = run_ropescope({"inspect", folder.path()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("yarn, factor 40"), HasSubstr("times 1.873854207"),
                               HasSubstr("interleaved"), HasSubstr("turns in 163840")));
}

TEST(Inspect, ErrorsAreOneLineAndExitCodeTwo) {
    const TempFolder folder;
    write_file_whole(folder / "config.json",
                     R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1,
                         "rope_scaling": {"type": "linear", "factor": 0.5}})");
    const RunResult refused = run_ropescope({"inspect", folder.path()});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("rope_scaling.factor: 0.5"), HasSubstr("at least 1")));
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1);
    write_file_whole(folder / "config.json", kDynamic);
    const RunResult zero = run_ropescope({"inspect", folder.path(), "--seq-len", "0"});
    EXPECT_EQ(zero.exit_code, 2);
    EXPECT_THAT(zero.err, HasSubstr("--seq-len: 0"));
}

TEST(Inspect, AModelWithoutRopeIsRefusedByName) {
    const TempFolder folder;
    write_file_whole(folder / "config.json",
                     R"({"model_type": "bert", "hidden_size": 768, "num_attention_heads": 12,
                         "position_embedding_type": "absolute"})");
    const RunResult run = run_ropescope({"inspect", folder.path()});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, AllOf(HasSubstr("'bert' has no RoPE"), HasSubstr("expected")));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
}

TEST(Inspect, AModelThatIsNotKnownIsMarkedBeforeAnyNumber) {
    const TempFolder folder;
    const char* config = R"({"model_type": "new_one", "hidden_size": 64, "num_attention_heads": 1,
                             "rope_theta": 30000, "swa_rope_theta": 10000, "rope_mystery": 3,
                             "time_step_limit": [0.0, Infinity]})";
    const nlohmann::json json = inspect_json(folder, config);
    EXPECT_EQ(json.at("confidence"), "inferred");
    EXPECT_THAT(json.at("assumptions")[0].get<std::string>(), HasSubstr("'new_one' is not known"));
    EXPECT_EQ(json.at("layer_types").at("sliding_attention").at("base"), 10000);
    const std::string path = folder / "config.json";
    const RunResult run = run_ropescope({"inspect", path});
    EXPECT_TRUE(run.out.starts_with("INFERRED, not known: model_type 'new_one' is not known"))
        << run.out;
    EXPECT_THAT(run.out, HasSubstr("this key was not read: rope_mystery 3"));
    EXPECT_EQ(inspect_json(folder, kDeepSeek).at("confidence"), "known");
    const std::string report = folder / "model.txt";
    write_file_whole(path, config);
    const RunResult drawn =
        run_ropescope({"--set", "model=" + path, "figure", "model", "-o", report});
    EXPECT_EQ(drawn.exit_code, 0);
    EXPECT_THAT(drawn.err, HasSubstr("inferred, not known"));
    EXPECT_THAT(read_file(report), AllOf(HasSubstr(": inferred from the names of its keys"),
                                         HasSubstr("inferred, not known: model_type 'new_one'")));
    for (const char* view : {"spectrum", "context", "layouts", "rotation"}) {
        run_ropescope({"--set", "model=" + path, "figure", view, "-o", report});
        EXPECT_TRUE(read_file(report).starts_with("INFERRED, not known: model_type 'new_one'"))
            << view;
        run_ropescope({"--set", "model=llama-3-8b", "figure", view, "-o", report});
        EXPECT_EQ(read_file(report).find("INFERRED"), std::string::npos) << view;
    }
}

TEST(Inspect, SeveralAxesOfAnUnknownModelAreRefusedInOneLine) {
    const TempFolder folder;
    write_file_whole(folder / "config.json",
                     R"({"model_type": "another_vit", "hidden_size": 384, "patch_size": 16,
                         "num_attention_heads": 6, "rope_theta": 100.0})");
    const RunResult run = run_ropescope({"inspect", folder / "config.json"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr("turns in several axes"));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
}

TEST(Inspect, WhatIsAssumedIsSaidWhereverAFileIsRead) {
    const TempFolder folder;
    const std::string config = folder / "config.json";
    write_file_whole(config, R"({"model_type": "gpt_oss", "hidden_size": 128, "head_dim": 32,
                                 "num_attention_heads": 4, "rope_theta": 150000,
                                 "max_position_embeddings": 131072})");
    const auto assumed = AllOf(HasSubstr("assumed: rope_parameters is missing"), HasSubstr("yarn"));
    const RunResult inspected = run_ropescope({"inspect", config});
    EXPECT_THAT(inspected.out, assumed);
    const std::string report = folder / "scores.txt";
    const RunResult drawn =
        run_ropescope({"--set", "model=" + config, "figure", "scores", "-o", report});
    EXPECT_EQ(drawn.exit_code, 0);
    EXPECT_THAT(drawn.err, assumed);
    // 0.1 ln 32 + 1 = 1.3466, squared 1.8133.
    EXPECT_THAT(read_file(report), HasSubstr("In the model times 1.813 (attention factor 1.347"));
    const RunResult precise =
        run_ropescope({"--set", "model=" + config, "figure", "absolute", "-o", report});
    EXPECT_EQ(precise.exit_code, 0);
    EXPECT_THAT(read_file(report), HasSubstr("Shown without the scene's YaRN scaling."));
}

TEST(Inspect, AContextBeyondWhatIsDrawnIsRefusedWhereItIsDrawn) {
    const TempFolder folder;
    const std::string config = folder / "config.json";
    write_file_whole(config, R"({"model_type": "llama", "hidden_size": 64, "rope_theta": 10000,
                                 "num_attention_heads": 4, "max_position_embeddings": 1000000000000})");
    EXPECT_EQ(run_ropescope({"inspect", config}).exit_code, 0);
    const RunResult drawn =
        run_ropescope({"--set", "model=" + config, "figure", "spectrum", "-o", folder / "x.txt"});
    EXPECT_EQ(drawn.exit_code, 2);
    EXPECT_THAT(drawn.err, AllOf(HasSubstr("config.json: original_length: '1000000000000'"),
                                 HasSubstr("536870912")));
    EXPECT_EQ(std::count(drawn.err.begin(), drawn.err.end(), '\n'), 1);
}

constexpr const char* kMovedBase =
    R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "max_position_embeddings": 8192,
        "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0}})";

TEST(InspectCompare, SaysWhereRuntimesDifferAndWhy) {
    const TempFolder folder;
    const std::string config = folder / "config.json";
    write_file_whole(config, kMovedBase);
    const RunResult run = run_ropescope(
        {"inspect", config, "--compare", "transformers-4,transformers-5,llama.cpp,vllm"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(
        run.out,
        AllOf(HasSubstr("They differ in base.\n"), HasSubstr("  transformers-4  10000   default\n"),
              HasSubstr("  vllm            500000  from rope_parameters.rope_theta"),
              HasSubstr("The same: head_dim 128; rotary_dim 128; layout half_split; "
                        "scaling none; frequencies base^(-2i/d); attention factor 1; "
                        "layers without RoPE none.\n"),
              HasSubstr("transformers-4 does not read rope_parameters.rope_theta "
                        "500000 and silently takes base 10000.\n"),
              HasSubstr("base, scaling, frequencies, attention factor: "
                        "src/transformers/modeling_rope_utils.py: "
                        "RotaryEmbeddingConfigMixin.convert_rope_params_to_dict")));
    EXPECT_LT(run.out.find("They differ"), run.out.find("The same"));
}

TEST(Inspect, TheLayersThatTurnNothing) {
    const TempFolder folder;
    constexpr const char* kCohere2 = R"({"model_type": "cohere2", "hidden_size": 256,
        "num_attention_heads": 4, "num_hidden_layers": 40})";
    const nlohmann::json json = inspect_json(folder, kCohere2);
    EXPECT_EQ(json.at("layers_without_rope").size(), 10U);
    EXPECT_EQ(json.at("layers_without_rope").at(1), 7);
    EXPECT_THAT(run_ropescope({"inspect", folder / "config.json"}).out,
                HasSubstr("without RoPE       10 of 40 layers: 3, 7, 11 ... 39\n"));
    EXPECT_FALSE(inspect_json(folder, kDeepSeek).contains("layers_without_rope"));
}

TEST(InspectCompare, AsJson) {
    const TempFolder folder;
    const nlohmann::json json =
        inspect_json(folder, kMovedBase, {"--compare", "transformers-4,vllm"});
    EXPECT_EQ(json.at("differ"), nlohmann::json({"base"}));
    const nlohmann::json& first = json.at("runtimes").at(0);
    EXPECT_EQ(first.at("name"), "transformers-4");
    EXPECT_EQ(first.at("version"), "v4.57.6");
    EXPECT_EQ(first.at("answers").at(0).at("quantity"), "base");
    EXPECT_EQ(first.at("answers").at(0).at("value"), 10000);
    EXPECT_EQ(first.at("answers").at(0).at("default"), true);
    EXPECT_EQ(first.at("not_read"), nlohmann::json({{"rope_parameters.rope_theta", 500000.0}}));
    EXPECT_EQ(json.at("runtimes").at(1).at("answers").at(0).at("from"),
              "rope_parameters.rope_theta");
}

TEST(InspectCompare, RefusesInOneLine) {
    const TempFolder folder;
    const std::string config = folder / "config.json";
    write_file_whole(config, kMovedBase);
    const std::vector<std::pair<std::vector<std::string>, std::string>> refusals = {
        {{config, "--compare", "transformer-5"}, "did you mean 'transformers-5'"},
        {{config, "--compare", "vllm,vllm"}, "named twice"},
        {{config, "--compare", "vllm", "--seq-len", "9"}, "--compare: it reads one config.json"},
        {{"--d2l-roformer", "--compare", "vllm"}, "--compare: it reads one config.json"},
        {{folder / "none.json", "--compare", "vllm"}, "none.json"}};
    for (const auto& [arguments, part] : refusals) {
        std::vector<std::string> command = {"inspect"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const RunResult run = run_ropescope(command);
        EXPECT_EQ(run.exit_code, 2) << part;
        EXPECT_THAT(run.err, HasSubstr(part));
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    }
    write_file_whole(config, R"({"model_type": "llama", "rope_theta": "large"})");
    const RunResult run = run_ropescope({"inspect", config, "--compare", "vllm"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("rope_theta: a number from 1e-300 to 1e+300 is expected"));
}

TEST(InspectCompare, AFamilyOutsideTheTableIsNotGuessed) {
    const TempFolder folder;
    const std::string config = folder / "config.json";
    write_file_whole(config, R"({"model_type": "brand_new", "rope_theta": 5e5})");
    const RunResult run = run_ropescope({"inspect", config, "--compare", "transformers-5,vllm"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out,
                AllOf(HasSubstr("There are no two readings to compare."),
                      HasSubstr("vllm: model_type 'brand_new' is not known to this table.")));
}

TEST(Inspect, APartBesideTheTextHasABaseAndALengthOfItsOwn) {
    const TempFolder folder;
    write_file_whole(
        folder / "config.json",
        R"({"model_type":"csm","hidden_size":2048,"num_attention_heads":32,)"
        R"("depth_decoder_config":{"model_type":"csm_depth_decoder_model","hidden_size":1024,)"
        R"("num_attention_heads":8,"head_dim":128,"rope_theta":400000.0,)"
        R"("rope_scaling":{"rope_type":"dynamic","factor":2.0},"max_position_embeddings":33}})");
    const std::string path = folder / "config.json";
    EXPECT_THAT(run_ropescope({"inspect", path}).out, HasSubstr("parts: text, depth_decoder"));
    const RunResult part = run_ropescope({"inspect", path, "--part", "depth_decoder"});
    EXPECT_THAT(part.out, HasSubstr("base               400000"));
    EXPECT_THAT(part.out, HasSubstr("turns in 33"));
    const nlohmann::json longer = nlohmann::json::parse(
        run_ropescope({"inspect", path, "--part", "depth_decoder", "--seq-len", "66", "--context",
                       "66", "--format", "json"})
            .out);
    EXPECT_EQ(longer.at("seq_len"), 66);
    EXPECT_EQ(longer.at("context").at("pairs"), 64);
    // Dynamic scaling: base (factor n / N - (factor - 1))^(d / (d - 2)), 3^(128/126) at n = 2 N.
    EXPECT_NEAR(longer.at("inv_freq")[1].get<double>(),
                std::pow(400000.0 * std::pow(3.0, 128.0 / 126.0), -1.0 / 64.0), 1e-12);
}

}  // namespace
}  // namespace ropescope::test
