// --junit of the instruments, and the examples of docs/verify/ci that use it.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/safetensors.h"
#include "core/rope/routes.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Queries and keys of two layers, the second of which turns by another base.
void write_layers(const std::string& path, double base, double base_of_second) {
    std::vector<Tensor> tensors;
    for (const auto& [layer, its_base] : {std::pair{0, base}, std::pair{1, base_of_second}}) {
        const RopeSpec spec{.head_dim = 32, .rotary_dim = 32, .base = its_base};
        for (const std::string side : {"q", "k"}) {
            std::vector<double> before, after;
            for (std::int64_t row = 0; row < 48; ++row) {
                std::vector<double> x(32);
                for (std::size_t c = 0; c < x.size(); ++c) {
                    x[c] = to_float(std::sin((side == "q" ? 0.3 : 1.9) + 5.0 * to_double(row) +
                                             static_cast<double>(c * c)));
                }
                const std::vector<double> y = rotate_by_elements(spec, x, row);
                before.insert(before.end(), x.begin(), x.end());
                after.insert(after.end(), y.begin(), y.end());
            }
            const std::string name = "layers." + std::to_string(layer) + "." + side;
            tensors.push_back(make_tensor_as(Dtype::f32, name, {1, 1, 48, 32}, before));
            tensors.push_back(make_tensor_as(Dtype::f32, name + "_rot", {1, 1, 48, 32}, after));
        }
    }
    write_safetensors(path, tensors);
}

class JunitOption : public testing::Test {
  protected:
    JunitOption() {
        write_layers(right_, 5e5, 5e5);
        write_layers(wrong_, 5e5, 1e4);
        write_file_whole(config_, R"({"model_type": "llama", "hidden_size": 64,
            "num_attention_heads": 2, "rope_theta": 500000.0})");
    }
    std::string junit() const { return read_file(xml_); }

    TempFolder folder_;
    const std::string right_ = folder_ / "right.safetensors",
                      wrong_ = folder_ / "wrong.safetensors", config_ = folder_ / "config.json",
                      xml_ = folder_ / "results.xml";
};

TEST_F(JunitOption, DiagnoseWritesATestForEachLayer) {
    EXPECT_EQ(run_ropescope({"diagnose", right_, "--expect", config_, "--junit", xml_}).exit_code,
              0);
    EXPECT_THAT(junit(), AllOf(HasSubstr("<testsuite name=\"ropescope diagnose\" tests=\"3\" "
                                         "failures=\"0\""),
                               HasSubstr("name=\"layer 1\"")));
    EXPECT_EQ(run_ropescope({"diagnose", wrong_, "--expect", config_, "--junit", xml_}).exit_code,
              1);
    EXPECT_THAT(junit(),
                AllOf(HasSubstr("failures=\"2\""), HasSubstr("base 10000, expected 500000")));
}

TEST_F(JunitOption, DiffWritesATestForEachLayer) {
    EXPECT_EQ(run_ropescope({"diff", right_, wrong_, "--junit", xml_}).exit_code, 1);
    EXPECT_THAT(junit(), AllOf(HasSubstr("<testsuite name=\"ropescope diff\" tests=\"2\" "
                                         "failures=\"1\""),
                               HasSubstr("name=\"layer 1\" time=\"0.000000\"><failure "
                                         "message=\"they part in the rotation: layer 1, q_rot")));
}

TEST_F(JunitOption, VectorsAndTablesToo) {
    const std::string pack = folder_ / "pack";
    ASSERT_EQ(run_ropescope({"vectors", "--config", config_, "-o", pack}).exit_code, 0);
    EXPECT_EQ(run_ropescope({"vectors", "--list", "--junit", xml_}).exit_code, 2);
    const std::string table = folder_ / "inv_freq.safetensors";
    std::vector<double> frequencies;
    for (int pair = 0; pair < 16; ++pair) {
        frequencies.push_back(std::pow(5e5, -pair / 16.0));
    }
    write_safetensors(
        table, std::vector<Tensor>{make_tensor_as(Dtype::f32, "inv_freq", {16}, frequencies)});
    const RunResult run = run_ropescope({"diagnose", table, "--expect", config_, "--junit", xml_});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(junit(),
                AllOf(HasSubstr("tests=\"1\" failures=\"0\""), HasSubstr("name=\"inv_freq\"")));
    EXPECT_EQ(run_ropescope({"diff", table, table}).exit_code, 0);
}

/// The environment in which the examples find the program and the files.
RunOptions surroundings(const std::string& dump, const std::string& config) {
    const std::string program = std::filesystem::path(program_path()).parent_path();
    RunOptions options;
    options.environment = {{"PATH", program + ":/usr/local/bin:/usr/bin:/bin"},
                           {"ROPE_DUMP", dump},
                           {"ROPE_CONFIG", config},
                           {"PYTHONDONTWRITEBYTECODE", "1"}};
    return options;
}

TEST_F(JunitOption, TheExampleForPytestHasATestForEachLayer) {
    if (run_command({"/usr/bin/python3", "-c", "import pytest"}).exit_code != 0) {
        GTEST_SKIP() << "pytest is not installed";
    }
    const auto run = [&](const std::string& dump) {
        RunOptions options = surroundings(dump, config_);
        options.directory = folder_.path();
        return run_command({"/usr/bin/python3", "-m", "pytest", "-p", "no:cacheprovider",
                            source_dir() + "/docs/verify/ci/test_rope_dump.py"},
                           options);
    };
    const RunResult passed = run(right_), failed = run(wrong_);
    EXPECT_EQ(passed.exit_code, 0) << passed.out << passed.err;
    EXPECT_THAT(passed.out, HasSubstr("3 passed"));
    EXPECT_EQ(failed.exit_code, 1);
    EXPECT_THAT(failed.out, HasSubstr("2 failed, 1 passed"));
    EXPECT_THAT(failed.out, HasSubstr("base 10000, expected 500000"));
}

TEST_F(JunitOption, TheExampleForCtestRuns) {
    if (run_command({"/bin/sh", "-c", "command -v cmake && command -v ctest"}).exit_code != 0) {
        GTEST_SKIP() << "CMake is not installed";
    }
    const auto run = [&](const std::string& dump) {
        RunOptions options = surroundings(dump, config_);
        options.directory = folder_.path();
        const std::string build = folder_ / "build";
        return run_command({"/bin/sh", "-c",
                            "cmake -S " + source_dir() + "/docs/verify/ci -B " + build +
                                " -DDUMP_ROPE='cp;" + dump + "' -DROPE_CONFIG=" + config_ +
                                " && ctest --test-dir " + build + " --output-on-failure"},
                           options);
    };
    const RunResult passed = run(right_), failed = run(wrong_);
    EXPECT_EQ(passed.exit_code, 0) << passed.out << passed.err;
    EXPECT_THAT(passed.out, HasSubstr("100% tests passed"));
    EXPECT_NE(failed.exit_code, 0);
    EXPECT_THAT(failed.out, HasSubstr("rope_is_as_configured"));
}

}  // namespace
}  // namespace ropescope::test
