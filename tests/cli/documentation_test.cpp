// The documents say what the program does: every command is described, every example runs.
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <sstream>

#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/rope/routes.h"
#include "tests/cli/pages.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;

/// The commands that --help lists below its heading.
std::vector<std::string> commands_of_help() {
    std::istringstream help(run_ropescope({"--help"}).out);
    std::vector<std::string> names;
    bool listing = false;
    for (std::string line; std::getline(help, line);) {
        if (line.starts_with("Subcommands:")) {
            listing = true;
        } else if (listing && line.empty()) {
            break;
        } else if (listing && line.starts_with("  ") && line.size() > 2 && line[2] != ' ') {
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
        }
    }
    return names;
}

TEST(Documentation, EveryCommandHasItsSectionAndItsLineInTheReadme) {
    const std::vector<std::string> commands = commands_of_help();
    EXPECT_GE(commands.size(), 1U);
    for (const std::string& command : commands) {
        EXPECT_THAT(page("docs/command-line.md"), HasSubstr("\n## " + command + "\n"));
        EXPECT_THAT(page("README.md"), HasSubstr("ropescope " + command)) << command;
    }
}

/// q and k as the config.json of the examples turns them.
void write_dump(const std::filesystem::path& path) {
    const RopeSpec spec{.head_dim = 16, .rotary_dim = 16, .base = 500000.0};
    constexpr std::int64_t kLength = 32;
    std::vector<float> before, after;
    for (std::int64_t token = 0; token < kLength; ++token) {
        std::vector<double> x(16);
        for (std::size_t c = 0; c < x.size(); ++c) {
            x[c] = to_float(std::sin(1.0 + 7.0 * to_double(token) + 3.0 * static_cast<double>(c)));
        }
        const std::vector<double> y = rotate_by_elements(spec, x, token);
        before.insert(before.end(), x.begin(), x.end());
        after.insert(after.end(), y.begin(), y.end());
    }
    std::vector<Tensor> tensors;
    for (const auto& [name, values] : {std::pair{"q", &before}, std::pair{"q_rot", &after},
                                       std::pair{"k", &before}, std::pair{"k_rot", &after}}) {
        tensors.push_back(make_tensor(name, {1, 1, kLength, 16}, std::span<const float>(*values)));
    }
    write_safetensors(path, tensors);
}

/// The files that the examples read.
void write_inputs(const std::filesystem::path& folder) {
    const auto counting = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        const auto count =
            std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
        std::vector<float> values(static_cast<std::size_t>(count));
        std::iota(values.begin(), values.end(), 0.0F);
        write_npy(folder / name, make_tensor(name, shape, values).view());
    };
    counting("q.npy", {2, 3, 4, 16});        // batch, heads, positions, head_dim
    counting("hidden.npy", {2, 4, 3 * 16});  // heads side by side
    counting("patches.npy", {1, 2, 24, 16});
    counting("cos.npy", {32, 8});
    counting("sin.npy", {32, 8});
    const std::vector<std::int64_t> ids = {0, 1, 2, 3, 8, 9, 30, 31};
    write_npy(folder / "ids.npy", make_tensor("ids", {2, 4}, std::span(ids)).view());
    const std::vector<std::int64_t> mask = {1, 1, 1, 1, 1, 1, 1, 0};
    write_npy(folder / "mask.npy", make_tensor("mask", {2, 4}, std::span(mask)).view());
    std::ofstream(folder / "config.json") << R"({"model_type": "llama", "hidden_size": 48,
        "num_attention_heads": 3, "max_position_embeddings": 64, "rope_theta": 500000.0})";
    std::ofstream(folder / "vision_language.json")
        << R"({"model_type": "qwen2_vl", "hidden_size": 32, "num_attention_heads": 2,
        "max_position_embeddings": 64, "rope_theta": 1000000.0,
        "rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]}, "vision_config":
        {"model_type": "qwen2_vl", "embed_dim": 32, "num_heads": 2, "spatial_merge_size": 2}})";
    std::ofstream(folder / "layout.json")
        << R"({"row": [{"text": 4}, {"image": [1, 4, 6]}, {"text": 3}]})";
    write_dump(folder / "dump.safetensors");
    write_dump(folder / "reference.safetensors");
    std::filesystem::copy_file(
        std::filesystem::path(source_dir()) / "docs/verify/adapters/numpy_adapter.py",
        folder / "adapter.py");
    std::filesystem::copy_file(std::filesystem::path(source_dir()) / "docs/quick_start.py",
                               folder / "quick_start.py");
    std::ofstream(folder / "lesson.json")
        << R"({"ropescope_scene": 1, "view": "spectrum", "base": 500000})";
}

class Examples : public ::testing::TestWithParam<std::string> {};

TEST_P(Examples, Run) {
    const std::vector<Example> examples = examples_of(GetParam());
    const TempFolder folder;
    write_inputs(folder.path());
    RunOptions options;
    options.directory = folder.path();
    const std::string program = std::filesystem::path(program_path()).parent_path();
    options.environment = {{"PATH", program + ":/usr/bin:/bin"}, {"DISPLAY", ""}};
    for (const auto& [command, output] : examples) {
        const RunResult run = run_command({"/bin/sh", "-c", command}, options);
        if (output) {
            EXPECT_TRUE(shows(*output, run.out) || shows(*output, run.err))
                << command << " prints\n"
                << run.out << run.err;
        } else {
            EXPECT_EQ(run.exit_code, 0) << command << "\n" << run.err;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Pages, Examples, ::testing::ValuesIn(pages_with_examples()),
                         [](const auto& each) {
                             std::string name =
                                 std::filesystem::path(each.param).replace_extension();
                             std::erase_if(name, [](char c) { return std::isalnum(c) == 0; });
                             return name;
                         });

TEST(Documentation, AShownOutputIsComparedLineByLine) {
    EXPECT_TRUE(shows({"a", "b"}, "a \nb\n"));
    EXPECT_FALSE(shows({"a"}, "a\nb\n"));
    EXPECT_FALSE(shows({"a", "b"}, "a\n"));
    EXPECT_TRUE(shows({"a", "...", "d"}, "a\nb\nc\nd\n"));
    EXPECT_TRUE(shows({"a", "..."}, "a\n"));
    EXPECT_FALSE(shows({"...", "e"}, "a\nd\n"));
    EXPECT_TRUE(shows({"a (…) d"}, "a (b, c) d\n"));
    EXPECT_FALSE(shows({"a (…) d"}, "a (b, c) e\n"));
}

}  // namespace
}  // namespace ropescope::test
