#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
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

TEST(Inspect, TheParametersOfAModelsFolder) {
    const RunResult run = run_ropescope(
        {"inspect", ROPESCOPE_SOURCE_DIR "/tests/golden/hf_roformer_base", "--format", "json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto parameters = nlohmann::json::parse(run.out).at("parameters");
    EXPECT_GT(parameters.at("rows").size(), 20);
    std::int64_t sum = 0;
    for (const auto& row : parameters.at("rows")) {
        EXPECT_NE(row.at("name"), "");
        sum += row.at("count").get<std::int64_t>();
    }
    EXPECT_EQ(parameters.at("total"), sum);
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

}  // namespace
}  // namespace ropescope::test
