// GGUF files where commands take a configuration.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/index.h"
#include "core/formats/safetensors.h"
#include "tests/support/gguf_bytes.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string written(const TempFolder& folder, const std::string& architecture) {
    const std::string path = folder / (architecture + ".gguf");
    write_gguf(path, gguf_model(architecture, 8, 16, 4).bytes());
    return path;
}

/// q and q_rot of one head in pairs of neighbouring channels, at base 10000.
std::string interleaved_dump(const TempFolder& folder) {
    constexpr Index kTurned = 12, kHeadDim = 16;
    std::vector<float> q, turned;
    for (Index token = 0; token < kTurned; ++token) {
        for (Index pair = 0; pair < kHeadDim / 2; ++pair) {
            const auto number = static_cast<double>(token * kHeadDim + pair);
            const auto x = static_cast<float>(std::sin(1 + 3.7 * number));
            const auto y = static_cast<float>(std::cos(2 + 1.3 * number));
            const double angle = static_cast<double>(token) *
                                 std::pow(1e4, -2.0 * static_cast<double>(pair) / kHeadDim);
            q.insert(q.end(), {x, y});
            turned.push_back(static_cast<float>(x * std::cos(angle) - y * std::sin(angle)));
            turned.push_back(static_cast<float>(x * std::sin(angle) + y * std::cos(angle)));
        }
    }
    const std::vector<std::int64_t> shape = {1, 1, kTurned, kHeadDim};
    const std::vector<Tensor> tensors = {
        make_tensor("q", shape, std::span<const float>(q)),
        make_tensor("q_rot", shape, std::span<const float>(turned))};
    write_safetensors(folder / "dump.safetensors", tensors);
    return folder / "dump.safetensors";
}

TEST(GgufCli, DiffNamesWhatTheConverterLeftOut) {
    const TempFolder folder;
    std::ofstream(folder / "config.json")
        << R"({"model_type":"gpt_oss","hidden_size":512,"num_attention_heads":8,"head_dim":64,)"
           R"("num_key_value_heads":8,"num_hidden_layers":4,"max_position_embeddings":8192,)"
           R"("rope_theta":150000,"rope_scaling":{"rope_type":"yarn","factor":32.0,"truncate":false,)"
           R"("original_max_position_embeddings":4096}})";
    Gguf file = gguf_model("gpt-oss", 8, 64, 4, 150000.0F);
    file.add("gpt-oss.rope.scaling.type", "yarn")
        .add("gpt-oss.rope.scaling.factor", 32.0F)
        .add("gpt-oss.rope.scaling.original_context_length", std::uint32_t{4096});
    write_gguf(folder / "model.gguf", file.bytes());
    const RunResult run = run_ropescope({"diff", folder / "config.json", folder / "model.gguf"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("truncate false"), HasSubstr("gguf:gpt-oss"),
                               HasSubstr("pairs turn at other speeds")));
}

TEST(GgufCli, InspectShowsTheModel) {
    const TempFolder folder;
    const RunResult run = run_ropescope({"inspect", written(folder, "llama"), "--format", "json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto shown = nlohmann::json::parse(run.out);
    EXPECT_EQ(shown.at("confidence"), "known");
    EXPECT_EQ(shown.at("model_type"), "gguf:llama");
    EXPECT_EQ(shown.at("layout"), "interleaved");
    EXPECT_EQ(shown.at("head_dim"), 16);
    EXPECT_EQ(shown.at("num_hidden_layers"), 4);
    EXPECT_THAT(shown.at("assumptions").dump(), HasSubstr("the converter reorders q and k"));
    const RunResult unknown =
        run_ropescope({"inspect", written(folder, "quasar"), "--format", "json"});
    EXPECT_EQ(nlohmann::json::parse(unknown.out).at("confidence"), "inferred");
}

TEST(GgufCli, ADumpIsHeldToTheFile) {
    const TempFolder folder;
    const std::string dump = interleaved_dump(folder);
    const RunResult right = run_ropescope({"diagnose", dump, "--expect", written(folder, "llama")});
    EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
    const RunResult wrong = run_ropescope({"diagnose", dump, "--expect", written(folder, "qwen2")});
    EXPECT_EQ(wrong.exit_code, 1) << wrong.out << wrong.err;
    EXPECT_THAT(wrong.out, HasSubstr("expected half-split"));
}

TEST(GgufCli, FiguresAndVectorsTakeIt) {
    const TempFolder folder;
    const std::string path = written(folder, "qwen2");
    const RunResult figure =
        run_ropescope({"figure", "model", "--set", "model=" + path, "-o", folder / "model.txt"});
    EXPECT_EQ(figure.exit_code, 0) << figure.err;
    const RunResult vectors =
        run_ropescope({"vectors", "--config", path, "-o", folder / "vectors"});
    EXPECT_EQ(vectors.exit_code, 0) << vectors.err;
    EXPECT_TRUE(std::filesystem::exists(folder / "vectors/index.json"));
}

TEST(GgufCli, RefusalsAreOneLine) {
    const TempFolder folder;
    const RunResult none = run_ropescope({"inspect", written(folder, "mamba")});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("'mamba' has no RoPE: it has no attention"));
    const RunResult compared =
        run_ropescope({"inspect", written(folder, "llama"), "--compare", "vllm"});
    EXPECT_EQ(compared.exit_code, 2);
    EXPECT_THAT(compared.err, AllOf(HasSubstr("is a GGUF file"), HasSubstr("config.json")));
    write_gguf(folder / "cut.gguf", "GGUF\3");
    const RunResult cut = run_ropescope({"inspect", folder / "cut.gguf"});
    EXPECT_EQ(cut.exit_code, 2);
    EXPECT_THAT(cut.err, HasSubstr("cut.gguf: byte 4: the version: 4 bytes are expected"));
}

}  // namespace
}  // namespace ropescope::test
