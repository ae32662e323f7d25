// Every command and setting that takes a model takes it by the same names, and refuses alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using Arguments = std::vector<std::string>;

class ModelNames : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::vector<float> values(3 * 128, 0.5F);
        write_npy(x_, make_tensor("x", {3, 128}, std::span(values)).view());
        write_file_whole(layout_, R"({"layouts": [{"rows": [[{"text": 4}]]}]})");
        write_file_whole(folder_ / "config.json", kConfig);
    }
    /// A call of each kind.
    std::vector<Arguments> calls_with(const std::string& name) const {
        const std::string out = (folder_ / "figure.csv").string();
        const std::string vectors = (folder_ / "vectors").string();
        const std::string dump = source_dir() + "/tests/fuzz/corpus/dump/" + kDump;
        return {{"inspect", name},
                {"inspect", name, "--compare", "vllm"},
                {"rotate", x_, "-o", (folder_ / "y.npy").string(), "--config", name},
                {"positions", "--config", name, "--layout", layout_},
                {"vectors", "--config", name, "-o", vectors},
                {"diagnose", dump, "--expect", name},
                {"probe", "--config", name, "--", "true"},
                {"figure", "spectrum", "--set", "model=" + name, "-o", out},
                {"figure", "axes", "--set", "axes_model=" + name, "--set", "axes_tokens=text", "-o",
                 out},
                {"figure", "axes", "--set", "axes_model=" + name, "--set", "axes_tokens=text",
                 "--set", "axes_other=" + name, "-o", out}};
    }

    static constexpr const char* kConfig =
        R"({"model_type": "llama", "hidden_size": 1024, "num_attention_heads": 8})";
    static constexpr const char* kDump = "f16";
    TempFolder folder_;
    std::string x_ = (folder_ / "x.npy").string();
    std::string layout_ = (folder_ / "layout.json").string();
};

std::string line_of(const Arguments& arguments) {
    std::string line;
    for (const std::string& argument : arguments) {
        line += " " + argument;
    }
    return line;
}

TEST_F(ModelNames, AreTakenByEveryCommand) {
    for (const std::string& name : {std::string("llama-3-8b"), std::string("qwen2-vl-7b"),
                                    folder_.path().string(), (folder_ / "config.json").string()}) {
        for (const Arguments& call : calls_with(name)) {
            const RunResult run = run_ropescope(call);
            EXPECT_LT(run.exit_code, 2) << line_of(call) << ": " << run.err;
        }
    }
}

TEST_F(ModelNames, AreRefusedInOneSentence) {
    for (const Arguments& call : calls_with("lama-3-8b")) {
        const RunResult run = run_ropescope(call);
        EXPECT_EQ(run.exit_code, 2) << line_of(call);
        EXPECT_EQ(run.err,
                  "ropescope: 'lama-3-8b' is neither a file nor a published model; did you mean "
                  "'llama-3-8b', 'llama-2-7b' or 'llama-3-70b'?\n")
            << line_of(call);
    }
}

}  // namespace
}  // namespace ropescope::test
