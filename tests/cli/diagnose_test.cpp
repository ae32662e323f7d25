// `diagnose`: reports, JSON, exit codes.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/safetensors.h"
#include "core/rope/routes.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr std::int64_t kTokens = 48, kChannels = 32;

class Diagnose : public testing::Test {
  protected:
    /// Keys turn by `key_sign` times their positions.
    std::string dump(const RopeSpec& spec, std::int64_t key_sign = 1) {
        std::vector<Tensor> tensors;
        for (const std::string name : {"q", "k"}) {
            std::vector<double> before, after;
            for (std::int64_t token = 0; token < kTokens; ++token) {
                std::vector<double> x(kChannels);
                for (std::size_t c = 0; c < x.size(); ++c) {
                    const double phase = name == "q" ? 0.3 : 1.9;
                    x[c] = to_float(
                        std::sin(phase + 5.0 * to_double(token) + static_cast<double>(c * c)));
                }
                const std::vector<double> y =
                    rotate_by_elements(spec, x, name == "q" ? token : key_sign * token);
                before.insert(before.end(), x.begin(), x.end());
                after.insert(after.end(), y.begin(), y.end());
            }
            const std::vector<std::int64_t> shape = {1, 1, kTokens, kChannels};
            tensors.push_back(make_tensor_as(Dtype::f32, name, shape, before));
            tensors.push_back(make_tensor_as(Dtype::f32, name + "_rot", shape, after));
        }
        const std::string path = folder_ / "dump.safetensors";
        write_safetensors(path, tensors);
        return path;
    }
    std::string config(double base) {
        const std::string path = folder_ / "config.json";
        write_file_whole(path,
                         R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": )"
                         R"(2, "rope_theta": )" +
                             std::to_string(base) + "}");
        return path;
    }

    TempFolder folder_;
    const RopeSpec spec_{.head_dim = kChannels, .rotary_dim = kChannels, .base = 500000.0};
};

TEST_F(Diagnose, ARightDumpIsValid) {
    const RunResult run = run_ropescope({"diagnose", dump(spec_)});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out,
                testing::StartsWith("valid: half-split, 32 of 32 channels turn, base 500000"));
    const Json json = Json::parse(run_ropescope({"diagnose", dump(spec_), "--format", "json"}).out);
    EXPECT_EQ(json.at("verdict"), "valid");
    EXPECT_EQ(json.at("layout"), "half_split");
    EXPECT_EQ(json.at("rotary_dim"), 32);
    EXPECT_EQ(json.at("base"), 500000.0);
    EXPECT_EQ(json.at("scaling").at("type"), "default");
    EXPECT_EQ(json.at("sign"), 1);
    EXPECT_EQ(json.at("position_offset"), 0.0);
    EXPECT_EQ(json.at("gain"), 1.0);
    EXPECT_EQ(json.at("table_dtype"), "float32");
    // Rounding of the tensors and of angles up to 47 radians in fp32, by the bounds of
    // core/diagnosis.
    EXPECT_LT(json.at("residual").get<double>(), 4 * 0x1p-24 + 0x1p-23 + 47 * 0x1p-20);
    EXPECT_EQ(json.at("inv_freq").size(), 16U);
    EXPECT_TRUE(json.at("positions").is_null());
    EXPECT_FALSE(json.contains("mismatches"));
}

TEST_F(Diagnose, AFaultHasACodeAndExitCodeOne) {
    const RunResult run = run_ropescope({"diagnose", dump(spec_, -1)});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("invalid: k turns the other way than q."));
    EXPECT_THAT(run.out, HasSubstr("sign.k_reversed (k)"));
}

TEST_F(Diagnose, HoldsToAnExpectation) {
    const std::string path = dump(spec_);
    RunResult run = run_ropescope({"diagnose", path, "--expect", config(500000.0)});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    run = run_ropescope({"diagnose", path, "--expect", config(10000.0)});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("mismatch: base 500000, expected 10000"));
    const Json json = Json::parse(
        run_ropescope({"diagnose", path, "--expect", "llama-3-8b", "--format", "json"}).out);
    EXPECT_EQ(json.at("expected").at("head_dim"), 128);
    EXPECT_EQ(json.at("mismatches").at(0).at("what"), "head_dim");
    EXPECT_EQ(json.at("mismatches").at(0).at("found"), 32.0);
}

TEST_F(Diagnose, MapsWhatIsNotAsExpected) {
    const std::string path = dump(spec_, -1);
    const Json json = Json::parse(
        run_ropescope({"diagnose", path, "--expect", config(500000.0), "--format", "json"}).out);
    const Json& left = json.at("unexplained");
    ASSERT_EQ(left.size(), 1U) << left;  // q is right
    EXPECT_EQ(left.at(0).at("side"), "k");
    EXPECT_EQ(left.at(0).at("rows"), Json::parse("[[0, 0]]"));
    EXPECT_EQ(left.at(0).at("tokens"), Json::parse("[[1, 47]]"));  // position 0 is its own mirror
    EXPECT_GT(left.at(0).at("worst").at("in_allowances").get<double>(), 1.0);
    EXPECT_THAT(run_ropescope({"diagnose", path, "--expect", config(500000.0)}).out,
                HasSubstr("unexplained: k: pairs 0 to 15, tokens 1 to 47, row 0, head 0"));
}

/// A runtime that chooses a spectrum once, by its context, is right for that context.
TEST_F(Diagnose, TakesTheLengthOfTheContext) {
    RopeSpec spec = spec_;
    spec.scaling = DynamicNtkScaling{4.0, 32};
    spec.seq_len = 128;
    const std::string path = dump(spec), model = folder_ / "dynamic.json";
    write_file_whole(model, R"({"model_type": "llama", "hidden_size": 64,
        "num_attention_heads": 2, "max_position_embeddings": 32, "rope_theta": 500000.0,
        "rope_scaling": {"type": "dynamic", "factor": 4.0}})");
    EXPECT_EQ(run_ropescope({"diagnose", path, "--expect", model, "--context", "128"}).exit_code,
              0);
    EXPECT_EQ(run_ropescope({"diagnose", path, "--expect", model}).exit_code, 1);
    const RunResult alone = run_ropescope({"diagnose", path, "--context", "128"});
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_THAT(alone.err, HasSubstr("--expect"));
}

TEST_F(Diagnose, TellsLayersApart) {
    std::vector<Tensor> layers;
    for (std::int64_t number = 0; number < 4; ++number) {
        const auto one = SafetensorsFile::open(dump(spec_, number == 2 ? -1 : 1));
        for (const TensorBytes& tensor : one.tensors()) {
            layers.push_back({"layers." + std::to_string(number) + "." + tensor.name,
                              tensor.dtype,
                              tensor.shape,
                              {tensor.bytes.begin(), tensor.bytes.end()}});
        }
    }
    const std::string path = folder_ / "layers.safetensors";
    write_safetensors(path, layers);
    const RunResult run = run_ropescope({"diagnose", path});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(run.out,
                testing::StartsWith("invalid: k turns the other way than q. (k, layer 2)\n"));
    EXPECT_THAT(run.out, HasSubstr("\nlayers 0, 1 and 3: valid: half-split"));
    const Json json = Json::parse(run_ropescope({"diagnose", path, "--format", "json"}).out);
    EXPECT_EQ(json.at("verdict"), "invalid");
    EXPECT_EQ(json.at("base"), 500000.0);
    EXPECT_EQ(json.at("findings").at(0).at("where"), "k, layer 2");
    ASSERT_EQ(json.at("layers").size(), 2U);
    EXPECT_EQ(json.at("layers").at(0).at("layers"), Json({0, 1, 3}));
    EXPECT_EQ(json.at("layers").at(0).at("verdict"), "valid");
    EXPECT_EQ(json.at("layers").at(1).at("layers"), Json({2}));
    EXPECT_EQ(json.at("layers").at(1).at("findings").at(0).at("code"), "sign.k_reversed");
    // A pattern for other names.
    EXPECT_EQ(run_ropescope({"diagnose", path, "--map",
                             "q=layers.*.k,q_rot=layers.*.k_rot,k="
                             "layers.*.q,k_rot=layers.*.q_rot"})
                  .exit_code,
              1);
}

TEST_F(Diagnose, TooLittleIsNotRight) {
    const std::string path = folder_ / "one.safetensors";
    const std::vector<float> x(8, 1.0F);
    write_safetensors(path, std::vector{make_tensor("q", {1, 8}, std::span<const float>(x)),
                                        make_tensor("q_rot", {1, 8}, std::span<const float>(x))});
    RunResult run = run_ropescope({"diagnose", path});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, testing::StartsWith("undetermined: q stands at position 0 only"));
    EXPECT_THAT(run.out, HasSubstr("next: "));
    run = run_ropescope({"diagnose", path, "--expect", config(500000.0)});
    EXPECT_EQ(run.exit_code, 1);
}

TEST_F(Diagnose, RefusesBadInputInOneLine) {
    const std::string path = dump(spec_);
    for (const auto& [arguments, part] :
         std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{folder_ / "none.npz"}, "none.npz"},
             {{path, "--axes", "bhd"}, "'bhd' is not an axis order"},
             {{path, "--map", "q=x"}, "no tensor 'x'"},
             {{path, "--expect", "llama-9"}, "llama-9"},
             {{config(1e4)}, "neither a .safetensors nor a .npz"},
             {{path, "--set", "base=1"}, "no effect on diagnose"},
             {{path, "--format", "junit"}, "--format"}}) {
        std::vector<std::string> all = {"diagnose"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const RunResult run = run_ropescope(all);
        EXPECT_EQ(run.exit_code, 2) << part;
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, HasSubstr(part));
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    }
}

/// docs/verify/three-bugs.md states what the script prints, and what the program finds.
TEST_F(Diagnose, FindsThreeBugsThatWereMadeInPublic) {
    const std::string page = read_file(source_dir() + "/docs/verify/three-bugs.md");
    const RunResult made = run_command(
        {"/usr/bin/python3", source_dir() + "/docs/verify/three_bugs.py", folder_.path().string()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("row 0: 1.23959 1.40903 1.35021 1.11484\n"
                                    "nonzero: 4096 of 8192\n"));
    for (const char* number :
         {"512 positions: 0.63", "2048 positions: 2.50", "4096 positions: 3.14", "1000: 0.963",
          "8192: 0.769", "20000: 0.627", "60000: 0.539"}) {
        EXPECT_THAT(made.out, HasSubstr(number));
    }
    const auto finds = [&](const std::vector<std::string>& arguments, const std::string& line) {
        std::vector<std::string> command = {"diagnose"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const RunResult run = run_ropescope(command);
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_THAT(run.out, HasSubstr(line));
        EXPECT_THAT(page, HasSubstr(line)) << "the page says something else";
    };
    finds(
        {folder_ / "one_row.npz"},
        "rows.unrotated (q, row 1): 1 of the 2 rows of q is zero behind the rotation: it was never "
        "written.");
    finds({folder_ / "rounded.npz"},
          "spectrum.low_precision (q): The spectrum: base 10000, inv_freq rounded to bfloat16.");
    finds({folder_ / "unscaled.npz", "--expect", "llama-3.1-8b"},
          "mismatch: scaling default, expected llama3");
}

}  // namespace
}  // namespace ropescope::test
