// inspect and rotate on models that turn in several axes, against numbers of their own sources.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/file.h"
#include "core/base/index.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/formats/schemes/schemes.h"
#include "core/models/model.h"
#include "tests/support/fp32_rotation.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path kGolden = std::filesystem::path(source_dir()) / "tests/golden/axes";

nlohmann::json case_named(const std::string& name) {
    const auto cases = nlohmann::json::parse(read_file(kGolden / "cases.json"));
    const auto found = std::ranges::find_if(
        cases, [&](const nlohmann::json& one) { return one.at("case") == name; });
    return found == cases.end() ? nlohmann::json() : *found;
}

class Axes : public ::testing::Test {
  protected:
    std::string write_config(const std::string& json) {
        const std::string path = (folder_ / "config.json").string();
        write_file_whole(path, json);
        return path;
    }
    std::string config_of(const std::string& name) {
        return write_config(case_named(name).at("config").dump());
    }
    template <typename T>
    std::string write(const std::string& name, std::vector<std::int64_t> shape,
                      const std::vector<T>& values) {
        const std::string path = (folder_ / name).string();
        write_npy(path, make_tensor(name, std::move(shape), std::span<const T>(values)).view());
        return path;
    }
    /// The positions and tensors of the tokens of which the case has the rotation.
    struct Picked {
        std::vector<double> positions;  ///< [axes, tokens]
        std::vector<float> q, q_rot;    ///< [heads, tokens, head_dim]
        std::vector<std::int64_t> shape;
        Index axes = 0;
    };
    Picked picked(const std::string& name) {
        const auto numbers = [&](const char* what) { return to_f64(tensor(name, what)); };
        const std::vector<double> all = numbers("positions");
        const std::vector<std::int64_t> index = to_i64(tensor(name, "picked"));
        Picked found{{},
                     to_f32(tensor(name, "q")),
                     to_f32(tensor(name, "q_rot")),
                     tensor(name, "q").shape,
                     tensor(name, "positions").shape[0]};
        const Index tokens = std::ssize(all) / found.axes;
        for (Index a = 0; a < found.axes; ++a) {
            for (const Index i : index) {
                found.positions.push_back(all[a * tokens + i]);
            }
        }
        return found;
    }
    /// Compares with the source's own numbers; the tokens of the cases here all turn.
    static void expect_rotated(const std::vector<float>& y, const std::string& name,
                               const Picked& golden) {
        ASSERT_EQ(y.size(), golden.q_rot.size());
        const RotaryScheme scheme =
            parse_model(case_named(name).at("config").dump(), name).parts.at(0).scheme;
        const TokenPositions positions{golden.axes, golden.positions,
                                       std::vector<bool>(golden.shape[1], true)};
        const std::vector<double> bounds =
            fp32_bounds(scheme, positions, golden.shape[0], largest_of(golden.q));
        for (std::size_t i = 0; i < y.size(); ++i) {
            ASSERT_NEAR(y[i], golden.q_rot[i], bounds[i]) << name << ' ' << i;
        }
    }
    TensorBytes tensor(const std::string& name, const char* what) {
        return cases_.at(name + "/" + what);
    }
    std::vector<float> rotated(std::vector<std::string> arguments) {
        const std::string out = (folder_ / "out.npy").string();
        arguments.insert(arguments.begin(), "rotate");
        arguments.insert(arguments.end(), {"-o", out, "--engine", "cpu"});
        const RunResult run = run_ropescope(arguments);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return run.exit_code == 0 ? to_f32(read_npy(out).view()) : std::vector<float>();
    }
    void expect_refused(std::vector<std::string> arguments, const std::string& part) {
        if (arguments.front() == "rotate") {
            arguments.insert(arguments.end(), {"-o", (folder_ / "refused.npy").string()});
        }
        const RunResult run = run_ropescope(arguments);
        EXPECT_EQ(run.exit_code, 2) << part;
        EXPECT_THAT(run.err, HasSubstr(part));
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    }

    TempFolder folder_;
    SafetensorsFile cases_ = SafetensorsFile::open(kGolden / "cases.safetensors");
};

TEST_F(Axes, InspectHasOmegaPairsTurnsAndPositions) {
    for (const char* name : {"qwen2_vl_vision_grid38x92", "qwen3_5_text_far", "dinov3_separate_4x5",
                             "flux1_grid64x100", "gemma4_vision_grid4x6"}) {
        SCOPED_TRACE(name);
        const RunResult run = run_ropescope({"inspect", config_of(name), "--format", "json"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const auto json = nlohmann::json::parse(run.out);
        EXPECT_EQ(json.at("axes"), case_named(name).at("axes"));
        EXPECT_FALSE(json.contains("inv_freq"));
        EXPECT_FALSE(json.at("turns").get<std::string>().empty());
        EXPECT_FALSE(json.at("positions").get<std::string>().empty());
        const std::vector<double> omega = to_f64(tensor(name, "omega"));
        const std::vector<std::int64_t> pairs = to_i64(tensor(name, "pairs"));
        const std::size_t axes = json.at("axes").size();
        ASSERT_EQ(json.at("omega").size() * axes, omega.size());
        for (std::size_t i = 0; i < omega.size(); ++i) {
            EXPECT_NEAR(json.at("omega")[i / axes][i % axes].get<double>(), omega[i],
                        1e-12 * omega[i]);
        }
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            EXPECT_EQ(json.at("pairs")[i / 2][i % 2], pairs[i]);
        }
    }
}

TEST_F(Axes, PublishedModelsHaveNames) {
    const RunResult named = run_ropescope({"inspect", "moonvit", "--format", "json"});
    ASSERT_EQ(named.exit_code, 0) << named.err;
    EXPECT_EQ(nlohmann::json::parse(named.out).at("scheme"), "moonvit");
    EXPECT_THAT(run_ropescope({"inspect", "llama-3-8b"}).out, HasSubstr("Llama 3 8B"));
    const Picked golden = picked("moonvit_4x6");
    const std::string x = write("x.npy", golden.shape, golden.q);
    const std::string p = write("p.npy", {golden.axes, golden.shape[1]}, golden.positions);
    expect_rotated(rotated({x, "--config", "moonvit", "--positions", p}), "moonvit_4x6", golden);
    expect_refused({"inspect", "moonvitt"}, "published model; did you mean 'moonvit'?");
    expect_refused({"inspect", "lama-2-7b"}, "published model; did you mean 'llama-2-7b'");
}

TEST_F(Axes, InspectTellsOfABrokenTensorFileBesideAConfiguration) {
    config_of("moonvit_4x6");
    write_file_whole((folder_ / "model.safetensors").string(), "no tensors");
    expect_refused({"inspect", folder_.path().string()}, "model.safetensors: ");
}

TEST_F(Axes, InspectChoosesAPart) {
    const std::string path = write_config(
        R"({"model_type":"qwen2_5_vl","hidden_size":3584,"num_attention_heads":28,)"
        R"("rope_theta":1000000.0,"rope_scaling":{"type":"mrope","mrope_section":[16,24,24]},)"
        R"("vision_config":{"hidden_size":1280,"num_heads":16,"patch_size":14}})");
    const RunResult text = run_ropescope({"inspect", path, "--format", "json"});
    EXPECT_EQ(nlohmann::json::parse(text.out).at("scheme"), "qwen2_vl_text");
    EXPECT_EQ(nlohmann::json::parse(text.out).at("parts"), (std::vector{"text", "vision"}));
    const RunResult vision =
        run_ropescope({"inspect", path, "--part", "vision", "--format", "json"});
    EXPECT_EQ(nlohmann::json::parse(vision.out).at("scheme"), "qwen2_vl_vision");
    const RunResult words = run_ropescope({"inspect", path});
    EXPECT_THAT(words.out, HasSubstr("axes               t, h, w"));
    EXPECT_THAT(words.out, HasSubstr("parts: text, vision (--part)"));
    EXPECT_THAT(words.out, HasSubstr("base               1000000"));
    EXPECT_THAT(words.out, HasSubstr("axes               h, w")) << "all parts";
    const RunResult alone = run_ropescope({"inspect", path, "--part", "text"});
    EXPECT_THAT(alone.out, Not(HasSubstr("axes               h, w")));
    expect_refused({"inspect", path, "--part", "sound"},
                   "part: 'sound' is not a part of " + path + "; give text or vision");
    expect_refused({"inspect", path, "--part", "vision", "--seq-len", "9"},
                   "--seq-len: no length changes the frequencies of this part");
}

TEST_F(Axes, RotateTakesPositionsOfEveryAxis) {
    for (const char* name :
         {"qwen2_5_vl_text_video", "pixtral_hf_grid6x4", "flux2_refs", "ltx_3x2x3_2heads"}) {
        SCOPED_TRACE(name);
        const Picked golden = picked(name);
        const Index tokens = golden.shape[1];
        const std::string x = write("x.npy", golden.shape, golden.q);
        const std::string config = config_of(name);
        const std::vector<float> y =
            rotated({x, "--config", config, "--positions",
                     write("p.npy", {golden.axes, tokens}, golden.positions)});
        ASSERT_EQ(y.size(), golden.q_rot.size());
        expect_rotated(y, name, golden);
        std::vector<double> turned;
        for (Index l = 0; l < tokens; ++l) {
            for (Index a = 0; a < golden.axes; ++a) {
                turned.push_back(golden.positions[a * tokens + l]);
            }
        }
        EXPECT_EQ(rotated({x, "--config", config, "--positions",
                           write("t.npy", {tokens, golden.axes}, turned), "--position-axes", "la"}),
                  y);
    }
}

TEST_F(Axes, RotateBuildsThePositionsOfAGrid) {
    const std::vector<float> values(2 * 29 * 64, 1.0F);
    const std::string x = write("x.npy", {2, 29, 64}, values);
    const std::string config = config_of("dinov3_separate_4x5");  // 5 tokens, then 4 x 6 patches
    const std::vector<float> y = rotated({x, "--config", config, "--grid", "4x6"});
    ASSERT_EQ(y.size(), values.size());
    for (std::size_t token = 0; token < 29; ++token) {
        const auto first = y.begin() + static_cast<std::ptrdiff_t>(token * 64);
        const bool same = std::equal(first, first + 64, values.begin());
        EXPECT_EQ(same, token < 5) << token;
    }
    const GridRule rule = std::get<GridRule>(open_model(config).part().scheme.positions);
    EXPECT_EQ(rotated({x, "--config", config, "--positions",
                       write("g.npy", {2, 29}, grid_positions(rule, {{{1, 4, 6}}, 0}).values)}),
              y);
    expect_refused({"rotate", x, "--config", config, "--grid", "4x7"},
                   "--grid: 4x7 makes 33 tokens, and the tensor has 29");
    expect_refused({"rotate", x, "--config", config, "--grid", "4by6"}, "--grid: '4by6' is not a");
    expect_refused({"rotate", x, "--config", config, "--grid", "4x06"},
                   "--grid: '06' may be a number of another base");
    expect_refused({"rotate", x, "--config", config}, "this model turns in 2 axes (h, w); give");
    expect_refused({"rotate", x, "--config", config, "--grid", "4x6", "--base", "10"},
                   "rotate: --grid describes several axes; leave --base out");
    expect_refused({"rotate", x, "--grid", "4x6"},
                   "rotate: --grid is for models of several axes; give --config or --spec");
    expect_refused({"rotate", x, "--config", config, "--positions",
                    write("p.npy", {29}, std::vector<float>(29, 0.0F))},
                   "p.npy: shape [29]; positions in several axes are [axes, L]");
    expect_refused({"rotate", x, "--config", config, "--positions",
                    write("p.npy", {3, 29}, std::vector<float>(87, 0.0F))},
                   "p.npy: shape [3, 29]; this model turns in 2 axes (h, w), give [2, 29]");
    std::vector<float> nan(58, 0.0F);
    nan[30] = NAN;
    expect_refused({"rotate", x, "--config", config, "--positions", write("p.npy", {2, 29}, nan)},
                   "positions: nan in axis 1 of token 1");
}

TEST_F(Axes, TextOfAModelThatSeesTurnsAsInOneAxis) {
    const std::vector<float> values(2 * 7 * 128, 0.5F);
    const std::string x = write("x.npy", {2, 7, 128}, values);
    const std::string config = config_of("qwen2_5_vl_text_video");
    std::vector<std::int64_t> thrice;
    for (std::int64_t i = 0; i < 21; ++i) {
        thrice.push_back(i % 7);
    }
    const std::vector<float> plain = rotated({x, "--config", config});
    EXPECT_EQ(rotated({x, "--config", config, "--positions", write("p.npy", {3, 7}, thrice)}),
              plain);
    EXPECT_EQ(rotated({x, "--config", config, "--positions",
                       write("q.npy", {7}, std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6})}),
              plain);
}

/// Positions that are not one a token, and not one for each axis either.
TEST_F(Axes, RotateNamesTheAxesOfAModelForPositionsOfAnotherCount) {
    const std::string x = write("x.npy", {2, 7, 128}, std::vector<float>(2 * 7 * 128, 0.5F));
    const std::string config = config_of("qwen2_5_vl_text_video");
    for (const std::int64_t axes : {2, 4}) {
        const std::vector<std::int64_t> ids(axes * 7);
        expect_refused(
            {"rotate", x, "--config", config, "--positions", write("p.npy", {axes, 7}, ids)},
            "this model turns in 3 axes (t, h, w), give [3, 7]");
    }
}

/// A remark about what a file leaves open comes with a result; a refusal is one line without
/// remarks.
TEST_F(Axes, ARefusalComesWithoutRemarks) {
    const std::string x = write("x.npy", {2, 7, 128}, std::vector<float>(2 * 7 * 128, 0.5F));
    const std::string config = config_of("qwen2_5_vl_text_video");
    expect_refused({"rotate", x, "--config", config, "--positions",
                    write("p.npy", {7}, std::vector<float>(7, 0.5F))},
                   "integers are expected");
    const std::string flux = write_config(R"({"_class_name":"FluxTransformer2DModel"})");
    expect_refused({"rotate", x, "--config", flux, "--grid", "4x4"}, "--grid: 4x4 makes 16 tokens");
    const std::string layout = (folder_ / "layout.json").string();
    write_file_whole(layout, R"({"rows":[[{"image":[0,4,4]}]]})");
    expect_refused({"positions", "--config", flux, "--layout", layout}, "layout.json");
    const RunResult told = run_ropescope({"rotate", x, "--config", flux, "--grid", "2x3", "-o",
                                          (folder_ / "y.npy").string(), "--engine", "cpu"});
    EXPECT_EQ(told.exit_code, 0);
    EXPECT_THAT(told.err, HasSubstr("assumed: axes_dims_rope is missing: [16, 56, 56]"));
}

TEST_F(Axes, RotateReadsPipesAndTakesTheDefaultPartByName) {
    const std::string x = write("x.npy", {2, 7, 128}, std::vector<float>(2 * 7 * 128, 0.5F));
    const std::string config = config_of("qwen2_5_vl_text_video");
    std::vector<std::int64_t> ids(21);
    std::iota(ids.begin(), ids.end(), 0);
    const std::string positions = write("p.npy", {3, 7}, ids);
    const std::string out = (folder_ / "piped.npy").string();
    const auto piped = [&](const std::string& file, const std::vector<std::string>& more) {
        std::vector<std::string> command = {
            "sh",           "-c", "f=\"$1\"; shift; cat \"$f\" | \"$0\" rotate \"$@\"",
            program_path(), file, x,
            "-o",           out,  "--engine",
            "cpu"};
        command.insert(command.end(), more.begin(), more.end());
        const RunResult run = run_command(command);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return to_f32(read_npy(out).view());
    };
    const std::vector<float> plain = rotated({x, "--config", config});
    EXPECT_EQ(piped(config, {"--config", "/dev/stdin"}), plain);
    EXPECT_EQ(rotated({x, "--config", config, "--part", "text"}), plain);
    EXPECT_EQ(piped(positions, {"--config", config, "--positions", "/dev/stdin"}),
              rotated({x, "--config", config, "--positions", positions}));
}

TEST_F(Axes, FrequenciesOfOneAxisTakeOnePositionAToken) {
    const std::vector<double> omega = {0.5, 0.25};
    const std::vector<std::int64_t> pairs = {0, 3, 1, 2};
    const std::string spec = (folder_ / "one.safetensors").string();
    write_safetensors(
        spec, std::vector<Tensor>{make_tensor("omega", {2, 1}, std::span<const double>(omega)),
                                  make_tensor("pairs", {2, 2}, std::span(std::as_const(pairs)))});
    const std::string x = write("x.npy", {3, 4}, std::vector<float>(12, 1.0F));
    const std::vector<double> places = {0.5, -1.0, 7.0};
    const std::vector<float> y =
        rotated({x, "--spec", spec, "--positions", write("p.npy", {1, 3}, places)});
    EXPECT_EQ(rotated({x, "--spec", spec, "--positions", write("p.npy", {3}, places)}), y);
    // Channels 0 and 3 turn by omega * position; x is 1 everywhere.
    EXPECT_NEAR(y[8], std::cos(3.5) - std::sin(3.5), 1e-6);  // fp32: 2^-24 times a few operations
    expect_refused({"rotate", x, "--spec", spec}, "this model turns in 1 axis (0); give");
}

TEST_F(Axes, RotateTakesFrequenciesOfAFile) {
    const char* const name = "moonvit_4x6";
    const Picked golden = picked(name);
    const TensorBytes omega = tensor(name, "omega");
    const std::vector<double> omega_values = to_f64(omega);
    const std::vector<std::int64_t> pairs = to_i64(tensor(name, "pairs"));
    const std::vector<std::int64_t> turns = {1, 0, 1, 1};
    std::vector<Tensor> tensors = {
        make_tensor("omega", omega.shape, std::span<const double>(omega_values)),
        make_tensor("pairs", {std::ssize(pairs) / 2, 2}, std::span<const std::int64_t>(pairs))};
    const std::string spec = (folder_ / "spec.safetensors").string();
    write_safetensors(spec, tensors);
    const std::string x = write("x.npy", golden.shape, golden.q);
    const std::string p = write("p.npy", {golden.axes, golden.shape[1]}, golden.positions);
    const std::vector<float> y = rotated({x, "--spec", spec, "--positions", p});
    expect_rotated(y, name, golden);
    ASSERT_EQ(golden.shape[1], 4);
    tensors.push_back(make_tensor("turns", {4}, std::span<const std::int64_t>(turns)));
    write_safetensors(spec, tensors);
    const std::vector<float> some = rotated({x, "--spec", spec, "--positions", p});
    const Index dim = golden.shape[2];
    for (Index i = 0; i < std::ssize(some); ++i) {
        EXPECT_EQ(some[i], i / dim == 1 ? golden.q[i] : y[i]) << i;
    }
    expect_refused({"rotate", x, "--spec", spec, "--positions", p, "--part", "vision"},
                   "--part: it chooses a part of the model of --config");
    tensors[1] = make_tensor("pairs", {std::ssize(pairs)}, std::span<const std::int64_t>(pairs));
    write_safetensors(spec, tensors);
    expect_refused({"rotate", x, "--spec", spec, "--positions", p},
                   "pairs: shape [72]; [pairs, 2]");
}

// Heads turn at frequencies of their own, in each layer at others.
TEST_F(Axes, RotateTakesTheLearnedFrequenciesOfAWeight) {
    for (const auto& [name, layer] :
         {std::pair{"ropevit_mixed_4x6", "1"}, std::pair{"timm_mixed_6x4", "0"}}) {
        SCOPED_TRACE(name);
        const TensorBytes freqs = tensor(name, "freqs");
        const std::vector<double> values = to_f64(freqs);
        const std::vector<Tensor> weights = {
            make_tensor("rope.freqs", freqs.shape, std::span<const double>(values))};
        const std::string spec = (folder_ / "weights.safetensors").string();
        write_safetensors(spec, weights);
        const Picked golden = picked(name);
        const std::string x = write("x.npy", golden.shape, golden.q);
        const std::string p = write("p.npy", {golden.axes, golden.shape[1]}, golden.positions);
        const std::vector<float> y =
            rotated({x, "--spec", spec, "--layer", layer, "--positions", p});
        const RotaryScheme scheme = mixed_scheme_of_weights(freqs, layer[0] - '0', golden.shape[0]);
        const TokenPositions positions{golden.axes, golden.positions,
                                       std::vector<bool>(golden.shape[1], true)};
        const std::vector<double> bounds =
            fp32_bounds(scheme, positions, golden.shape[0], largest_of(golden.q));
        ASSERT_EQ(y.size(), bounds.size());
        for (std::size_t i = 0; i < y.size(); ++i) {
            ASSERT_NEAR(y[i], golden.q_rot[i], bounds[i]) << i;
        }
        expect_refused({"rotate", x, "--spec", spec, "--layer", "99", "--positions", p},
                       "layer 99 is not one of its");
        expect_refused({"rotate", x, "--layer", "0", "--positions", p}, "--layer: it chooses");
    }
}

}  // namespace
}  // namespace ropescope::test
