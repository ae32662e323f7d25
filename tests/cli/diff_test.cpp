// `diff`: two models or two dumps side by side, reports and exit codes.
#include <cstdint>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/safetensors.h"
#include "core/rope/routes.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

/// Two heads of queries at 24 tokens, turned as the spec says.
void write_side(const std::string& path, const RopeSpec& spec) {
    std::vector<double> before, after;
    for (std::int64_t row = 0; row < 48; ++row) {
        std::vector<double> x(static_cast<std::size_t>(spec.head_dim));
        for (std::size_t c = 0; c < x.size(); ++c) {
            x[c] = to_float(std::sin(0.3 + 5.0 * to_double(row) + static_cast<double>(c * c)));
        }
        const std::vector<double> y = rotate_by_elements(spec, x, row % 24);
        before.insert(before.end(), x.begin(), x.end());
        after.insert(after.end(), y.begin(), y.end());
    }
    const std::vector<std::int64_t> shape = {1, 2, 24, spec.head_dim};
    write_safetensors(path, std::vector<Tensor>{make_tensor_as(Dtype::f32, "q", shape, before),
                                                make_tensor_as(Dtype::f32, "q_rot", shape, after)});
}

class DiffCommand : public testing::Test {
  protected:
    std::string dump(const std::string& name, double base) {
        const std::string path = folder_ / name;
        write_side(path, {.head_dim = 32, .rotary_dim = 32, .base = base});
        return path;
    }
    TempFolder folder_;
};

TEST_F(DiffCommand, TwoDumps) {
    const std::string a = dump("a.safetensors", 1e4), b = dump("b.safetensors", 5e5);
    const RunResult same = run_ropescope({"diff", a, a});
    EXPECT_EQ(same.exit_code, 0) << same.err;
    EXPECT_THAT(same.out, StartsWith("equal: 2 tensors, bit for bit"));
    const RunResult run = run_ropescope({"diff", a, b});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(run.out, StartsWith("different: they part in the rotation: q_rot, head 0, token 1, "
                                    "pair 1, channel 1\n"));
    const Json json = Json::parse(run_ropescope({"diff", a, b, "--format", "json"}).out);
    EXPECT_EQ(json.at("verdict"), "different");
    EXPECT_EQ(json.at("kind"), "dumps");
    EXPECT_EQ(json.at("first").at("token"), 1);
    const double turned = std::pow(5e5, -2.0 / 32) - std::pow(1e4, -2.0 / 32);
    EXPECT_NEAR(json.at("first").at("angle").get<double>(), turned, 1e-6);
}

TEST_F(DiffCommand, TwoModels) {
    EXPECT_EQ(run_ropescope({"diff", "llama-3-8b", "llama-3-8b"}).exit_code, 0);
    const RunResult run = run_ropescope({"diff", "llama-3-8b", "llama-3.1-8b"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(run.out, StartsWith("different: text: "));
}

TEST_F(DiffCommand, WritesAFigureOfEachKind) {
    const std::string a = dump("a.safetensors", 1e4), b = dump("b.safetensors", 5e5);
    const auto written = [&](std::vector<std::string> arguments, const std::string& name) {
        arguments.insert(arguments.begin(), "diff");
        arguments.insert(arguments.end(), {"-o", folder_ / name});
        EXPECT_EQ(run_ropescope(arguments).exit_code, 1);
        return read_file(folder_ / name, 1 << 22);
    };
    EXPECT_THAT(written({a, b}, "a.svg"), HasSubstr("behind the rotation"));
    EXPECT_THAT(written({a, b}, "a.csv"),
                StartsWith("tensor,first_token,pair,difference_allowances"));
    EXPECT_THAT(written({a, b}, "a.txt"), StartsWith("different: they part in the rotation"));
    EXPECT_THAT(written({"llama-3-8b", "llama-3.1-8b"}, "m.csv"),
                StartsWith("pair,a_rad,b_rad,b_over_a"));
    const std::string t = folder_ / "t.safetensors", u = folder_ / "u.safetensors";
    write_safetensors(t, std::vector<Tensor>{
                             make_tensor_as(Dtype::f32, "inv_freq", {2}, std::vector{1.0, 0.01})});
    write_safetensors(u, std::vector<Tensor>{
                             make_tensor_as(Dtype::f32, "inv_freq", {2}, std::vector{1.0, 0.02})});
    EXPECT_THAT(written({t, u}, "t.svg"), HasSubstr("value in B over value in A"));
}

TEST_F(DiffCommand, RefusesSettingsOfAPictureWithoutOne) {
    const RunResult run = run_ropescope({"diff", "llama-3-8b", "llama-3-8b", "--theme", "dark"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("--output"));
    EXPECT_EQ(run_ropescope({"diff", "llama-3-8b", "llama-3-8b", "-o", "x.gif"}).exit_code, 2);
}

TEST_F(DiffCommand, NamesAFileThatIsMissing) {
    const std::string there = dump("a.safetensors", 1e4), missing = folder_ / "b.safetensors";
    for (const auto& [a, b] : {std::pair(there, missing), std::pair(missing, there)}) {
        const RunResult run = run_ropescope({"diff", a, b});
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, HasSubstr("b.safetensors: cannot be opened: No such file"));
    }
}

/// A .safetensors of fp32 whose numbers are a hole.
std::string hollow(const std::string& path, const std::vector<std::string>& names,
                   const std::vector<std::int64_t>& shape) {
    std::int64_t bytes = sizeof(float), end = 0;
    for (const std::int64_t size : shape) {
        bytes *= size;
    }
    Json header;
    for (const std::string& name : names) {
        header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {end, end + bytes}}};
        end += bytes;
    }
    const std::string text = header.dump();
    std::string front(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        front[i] = static_cast<char>(text.size() >> (8 * i));
    }
    write_file_whole(path, front + text);
    std::filesystem::resize_file(path, front.size() + text.size() + static_cast<std::size_t>(end));
    return path;
}

TEST_F(DiffCommand, RefusesByItsHeaderWhatNoDumpOrTableHas) {
    const auto refused = [](const std::string& path) {
        const RunResult run = run_command({"timeout", "20", program_path(), "diff", path, path});
        EXPECT_EQ(run.exit_code, 2) << path;
        return run.err;
    };
    const std::int64_t huge = std::int64_t{1} << 32;
    const std::vector<std::string> sides = {"q", "q_rot"};
    const std::string wide = hollow(folder_ / "wide.safetensors", sides, {1, 1, 8, huge});
    EXPECT_THAT(refused(wide), HasSubstr("4294967296 channels in the last axis; 2 to 4096"));
    const std::string deep = hollow(folder_ / "long.safetensors", sides, {1, 1, huge, 8});
    EXPECT_THAT(refused(deep), HasSubstr("an axis of 4294967296 rows, heads or tokens; at most "
                                         "1048577 are expected"));
    EXPECT_THAT(run_command({"timeout", "20", program_path(), "diagnose", deep}).err,
                HasSubstr("an axis of 4294967296 rows, heads or tokens"));
    const std::string table = folder_ / "cos_sin_cache.npy", other = folder_ / "z.npy";
    write_npy_with_hole(table, {1, 1, 8, huge});
    EXPECT_THAT(refused(table), HasSubstr("a table of at most 268435456 numbers is expected"));
    write_npy_with_hole(other, {1, 1, 8, huge});
    EXPECT_THAT(refused(other), HasSubstr("z.npy: its name is not that of a table"));
}

TEST_F(DiffCommand, RefusesTwoKinds) {
    const RunResult run = run_ropescope({"diff", dump("a.safetensors", 1e4), "llama-3-8b"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("diagnose --expect"));
    EXPECT_EQ(run_ropescope({"diff", "llama-3-8b", "no-such-model"}).exit_code, 2);
    EXPECT_EQ(run_ropescope({"diff", "llama-3-8b", "llama-3-8b", "--axes", "bhld"}).exit_code, 2);
}

}  // namespace
}  // namespace ropescope::test
