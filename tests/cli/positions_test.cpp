// `positions`: ids of layouts, against those of transformers, and what is wrong with others.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/index.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/positions/position_check.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path kGoldenIds = std::filesystem::path(source_dir()) / "tests/golden/axes";

constexpr const char* kQwen25 =
    R"({"model_type":"qwen2_5_vl","hidden_size":3584,"num_attention_heads":28,)"
    R"("rope_theta":1000000.0,"rope_scaling":{"type":"mrope","mrope_section":[16,24,24]},)"
    R"("vision_config":{"hidden_size":1280,"num_heads":16,"patch_size":14,)"
    R"("tokens_per_second":2,"spatial_merge_size":2}})";
constexpr const char* kLlama =
    R"({"model_type":"llama","hidden_size":64,"num_attention_heads":4,"rope_theta":10000.0})";
/// 4 + 6 + 3 and 3 + 8 + 2 tokens.
constexpr const char* kBatch =
    R"({"rows":[[{"text":4},{"image":[1,4,6]},{"text":3}],)"
    R"([{"text":3},{"video":[4,4,2],"second_per_grid":1.5},{"text":2}]]})";

class Positions : public ::testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& text) {
        const std::string path = (folder_ / name).string();
        write_file_whole(path, text);
        return path;
    }
    template <typename T>
    std::string write(const std::string& name, std::vector<Index> shape,
                      const std::vector<T>& values) {
        const std::string path = (folder_ / name).string();
        write_npy(path, make_tensor(name, std::move(shape), std::span<const T>(values)).view());
        return path;
    }
    RunResult run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(),
                         {"positions", "--config", config_, "--layout", layout_});
        return run_ropescope(arguments);
    }
    std::vector<Index> built(std::vector<std::string> arguments = {}) {
        const std::string out = (folder_ / "built.npy").string();
        arguments.insert(arguments.end(), {"-o", out});
        const RunResult made = run(arguments);
        EXPECT_EQ(made.exit_code, 0) << made.err;
        return made.exit_code == 0 ? to_i64(read_npy(out).view()) : std::vector<Index>();
    }
    void expect_wrong(const std::vector<std::string>& arguments, const std::string& part) {
        const RunResult checked = run(arguments);
        EXPECT_EQ(checked.exit_code, 1) << checked.err;
        EXPECT_THAT(checked.out, HasSubstr(part));
    }
    void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
        const RunResult refused = run(arguments);
        EXPECT_EQ(refused.exit_code, 2) << part;
        EXPECT_EQ(refused.out, "");
        EXPECT_THAT(refused.err, HasSubstr(part));
        EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
    }

    TempFolder folder_;
    std::string config_ = write("config.json", kQwen25);
    std::string layout_ = write("layout.json", kBatch);
};

TEST_F(Positions, AreThoseOfTransformers) {
    layout_ = (kGoldenIds / "positions_qwen2_5_vl.json").string();
    const SafetensorsFile golden =
        SafetensorsFile::open(kGoldenIds / "positions_qwen2_5_vl.safetensors");
    const std::string out = (folder_ / "all.safetensors").string();
    const nlohmann::json file = nlohmann::json::parse(read_file(layout_));
    for (const auto& [runtime, key] :
         {std::pair{"transformers-4", "/v4/"}, std::pair{"transformers-5", "/v5/"}}) {
        const RunResult made = run({"--runtime", runtime, "-o", out});
        ASSERT_EQ(made.exit_code, 0) << made.err;
        const SafetensorsFile ours = SafetensorsFile::open(out);
        for (const auto& layout : file.at("layouts")) {
            const std::string name = layout.at("name");
            EXPECT_EQ(to_i64(ours.at(name + "/position_ids")),
                      to_i64(golden.at(name + key + "position_ids")));
            EXPECT_EQ(to_i64(ours.at(name + "/rope_deltas")),
                      to_i64(golden.at(name + key + "rope_deltas")));
        }
    }
}

TEST_F(Positions, WhatWasInferredStandsFirst) {
    const std::string ids = (folder_ / "ids.npy").string();
    const nlohmann::json known = nlohmann::json::parse(run({"--format", "json", "-o", ids}).out);
    EXPECT_EQ(known.at("confidence"), "known");
    EXPECT_FALSE(known.contains("inferred"));
    std::string unknown = kQwen25;
    config_ = write("unknown.json", unknown.replace(unknown.find("qwen2_5_vl"), 10, "unheard_vl"));
    for (const std::vector<std::string>& asked :
         {std::vector<std::string>{}, std::vector<std::string>{"--check", ids}}) {
        EXPECT_TRUE(run(asked).out.starts_with("INFERRED, not known: model_type 'unheard_vl'"));
        std::vector<std::string> as_json = asked;
        as_json.insert(as_json.end(), {"--format", "json"});
        const nlohmann::json report = nlohmann::json::parse(run(as_json).out);
        EXPECT_EQ(report.at("confidence"), "inferred");
        EXPECT_THAT(report.at("inferred").get<std::string>(), HasSubstr("unheard_vl"));
    }
}

TEST_F(Positions, ATableSaysWhereSegmentsAre) {
    const RunResult made = run({});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("2 x 13 tokens, positions in t, h, w, as transformers-5"));
    EXPECT_THAT(made.out, HasSubstr("image 1 x 4 x 6"));
    EXPECT_THAT(made.out, HasSubstr("-5"));  // behind the video, which ends at 3 + 6
    EXPECT_THAT(made.out, HasSubstr("row 1: rope_delta -3"));
    const auto json = nlohmann::json::parse(run({"--format", "json"}).out).at("layouts").at(0);
    EXPECT_EQ(json.at("axes"), (std::vector{"t", "h", "w"}));
    EXPECT_EQ(json.at("segments").size(), 6U);
    EXPECT_EQ(json.at("segments")[1].at("w"), (std::vector{4.0, 6.0}));
    EXPECT_EQ(json.at("segments")[5].at("jump"), -5);
}

TEST_F(Positions, PackedDocumentsChunksShardsAndDecodeSteps) {
    layout_ = write("l.json", R"({"packed":true,"rows":[[{"text":3}],[{"text":2}]]})");
    EXPECT_EQ(built({}).size(), 15U);
    EXPECT_THAT(run({}).out, HasSubstr("begins again"));
    layout_ = write("l.json", R"({"row":[{"text":2},{"image":[1,4,8]},{"text":2}],)"
                              R"("decode_steps":1,"chunk":[12,1]})");
    EXPECT_EQ(built(), (std::vector<Index>{8, 8, 8}));
    layout_ = write("l.json", R"({"row":[{"text":8}],"context_parallel_size":2,)"
                              R"("context_parallel_rank":1})");
    EXPECT_EQ(built(), (std::vector<Index>{2, 3, 4, 5, 2, 3, 4, 5, 2, 3, 4, 5}));
}

TEST_F(Positions, OfModelsOnGridsAndInOneAxis) {
    config_ = write("flux.json", R"({"_class_name":"FluxTransformer2DModel",)"
                                 R"("attention_head_dim":128,"axes_dims_rope":[16,56,56]})");
    layout_ = write("l.json", R"({"row":[{"text":2},{"image":[1,1,2]}]})");
    const std::string out = (folder_ / "p.npy").string();
    EXPECT_EQ(run({"-o", out}).exit_code, 0);
    const Tensor positions = read_npy(out);
    EXPECT_EQ(positions.dtype, Dtype::f64);
    EXPECT_EQ(positions.shape, (std::vector<Index>{3, 1, 4}));
    EXPECT_EQ(to_f64(positions.view()).back(), 1.0);
    EXPECT_EQ(run({"--check", out}).exit_code, 0);
    config_ = write("llama.json", kLlama);
    layout_ = write("l.json", R"({"padding":"left","rows":[[{"text":3}],[{"text":1}]]})");
    EXPECT_EQ(built(), (std::vector<Index>{0, 1, 2, 0, 0, 0}));
    const std::string counted = write("c.npy", {2, 3}, std::vector<Index>{0, 1, 2, 0, 1, 2});
    expect_wrong({"--check", counted}, "ids.padding_counted: ");
    layout_ = write("l.json", R"({"row":[{"image":[1,2,2]}]})");
    expect_refused({}, "rows[0][0]: this model turns in one axis");
}

TEST_F(Positions, RightIdsAreRight) {
    const std::vector<Index> ids = built();
    const RunResult checked = run({"--check", (folder_ / "built.npy").string()});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("the ids are right: those of transformers-5 for all 26"));
    EXPECT_THAT(checked.out, HasSubstr("the layout has no padding, packed documents"));
    // [B, L, 3], as floats.
    std::vector<float> other(ids.size());
    for (Index a = 0; a < 3; ++a) {
        for (Index i = 0; i < 26; ++i) {
            other[i * 3 + a] = static_cast<float>(ids[a * 26 + i]);
        }
    }
    const std::string path = write("other.npy", {2, 13, 3}, other);
    EXPECT_EQ(run({"--check", path, "--position-axes", "bla"}).exit_code, 0);
    expect_refused({"--check", path}, "give [3, 2, 13], or name the order of the axes");
}

TEST_F(Positions, WrongIdsAreNamedWithTheFirstToken) {
    const std::vector<Index> older = built({"--runtime", "transformers-4"});
    const std::string path = (folder_ / "built.npy").string();
    expect_wrong({"--check", path}, "ids.other_version: ");
    expect_wrong({"--check", path},
                 "wrong since row 1, token 11 (token 0 of rows[1][2], text): t is 10, and 5 is");
    const auto json = nlohmann::json::parse(run({"--check", path, "--format", "json"}).out);
    EXPECT_EQ(json.at("verdict"), "wrong");
    EXPECT_EQ(json.at("findings")[0].at("code"), "ids.other_version");
    EXPECT_EQ(json.at("first").at("token"), 11);
    EXPECT_EQ(run({"--check", path, "--runtime", "transformers-4"}).exit_code, 0);
    std::vector<Index> odd = built();
    odd[5] = 77;
    expect_wrong({"--check", write("odd.npy", {3, 2, 13}, odd)}, "ids.unexplained: ");
    std::vector<Index> late = built();
    std::ranges::for_each(late, [](Index& id) { id += 5; });
    expect_wrong({"--check", write("late.npy", {3, 2, 13}, late)},
                 "ids.offset: All ids of t are 5 too large. All ids of h are 5 too large.");
}

TEST_F(Positions, DeltasOfASafetensorsFileAreJudged) {
    const std::string path = (folder_ / "ids.safetensors").string();
    EXPECT_EQ(run({"-o", path}).exit_code, 0);
    EXPECT_EQ(run({"--check", path}).exit_code, 0);
    const SafetensorsFile file = SafetensorsFile::open(path);
    EXPECT_NE(file.find("attention_mask"), nullptr);
    const std::vector<Index> ids = to_i64(file.at("position_ids")), none = {0, 0};
    write_safetensors(path, std::vector{make_tensor("position_ids", {3, 2, 13}, std::span(ids)),
                                        make_tensor("rope_deltas", {2}, std::span(none))});
    expect_wrong({"--check", path}, "ids.delta_lost: The deltas are 0.");
}

TEST_F(Positions, OnGridsAreJudgedToo) {
    config_ = write("wan.json", R"({"_class_name":"WanTransformer3DModel",)"
                                R"("attention_head_dim":128})");
    layout_ = write("l.json", R"({"row":[{"video":[2,2,3]}]})");
    const std::string out = (folder_ / "p.npy").string();
    ASSERT_EQ(run({"-o", out}).exit_code, 0);
    const RunResult right = run({"--check", out});
    EXPECT_EQ(right.exit_code, 0) << right.err;
    EXPECT_THAT(right.out, HasSubstr("the positions are right for all 12 tokens that turn"));
    std::vector<double> swapped = to_f64(read_npy(out).view());
    std::swap_ranges(swapped.begin() + 12, swapped.begin() + 24, swapped.begin() + 24);
    const std::string wrong = write("w.npy", {3, 12}, swapped);
    expect_wrong({"--check", wrong}, "ids.axes_swapped: The positions of rows and columns have");
    expect_wrong({"--check", wrong},
                 "wrong since row 0, token 1 (token 1 of rows[0][0], video): h is 1, and 0 is");
    const auto json = nlohmann::json::parse(run({"--check", wrong, "--format", "json"}).out);
    EXPECT_EQ(json.at("findings")[0].at("code"), "ids.axes_swapped");
    EXPECT_EQ(json.at("first").at("token"), 1);
    swapped[30] = 0.25;
    expect_wrong({"--check", write("w.npy", {3, 12}, swapped)}, "ids.unexplained: ");
    swapped[30] = std::numeric_limits<double>::infinity();
    expect_refused({"--check", write("w.npy", {3, 12}, swapped)},
                   "number 30 is inf; positions are finite numbers");
    expect_refused({"--check", write("w.npy", {2, 12}, std::vector<double>(24))},
                   "shape [2, 12]; this layout has 1 x 12 tokens in 3 axes (f, h, w)");
    expect_refused({"--check", write("w.npy", {12, 3}, std::vector<double>(36))},
                   "name the order of the axes by --position-axes");
}

TEST_F(Positions, IdsOfAnotherShapeAreRefused) {
    const std::vector<Index> ids = built();
    const auto first = [&](Index count) {
        return std::vector<Index>(ids.begin(), ids.begin() + count);
    };
    expect_refused({"--check", write("x.npy", {2, 2, 13}, first(52))},
                   "shape [2, 2, 13]; this layout has 2 x 13 tokens in 3 axes (t, h, w)");
    expect_refused({"--check", write("x.npy", {3, 2, 12}, first(72))}, "give [3, 2, 13]");
    expect_refused({"--check", write("x.npy", {3, 13}, first(39))}, "give [3, 2, 13]");
    expect_refused({"--check", write("x.npy", {78}, ids)},
                   "shape [78]; positions in several axes are [axes, L] or [axes, B, L], give");
    expect_refused({"--check", write("x.npy", {3, 2, 37}, std::vector<Index>(222))},
                   "it has one id for each patch before patches are merged");
    std::vector<double> broken(ids.begin(), ids.end());
    broken[7] = std::numeric_limits<double>::quiet_NaN();
    expect_refused({"--check", write("x.npy", {3, 2, 13}, broken)},
                   "number 7 is nan; position ids are whole numbers");
    broken[7] = 0.5;
    expect_refused({"--check", write("x.npy", {3, 2, 13}, broken)}, "number 7 is 0.5");
    expect_refused({"--check", (folder_ / "none.npy").string()}, "none.npy");
}

TEST_F(Positions, LayoutsThatDoNotFitAreRefused) {
    const auto refused = [&](const std::string& json, const std::string& part) {
        layout_ = write("l.json", json);
        expect_refused({}, part);
    };
    refused(R"({"row":[{"image":[1,3,6]}]})", "l.json: rows[0][0]: a grid of 1 x 3 x 6");
    refused(R"({"rows":[[{"text":3}],[{"text":2}]]})", "say whether padding is left or right");
    refused(R"({"row":[{"text":3}],"sequence_length":4})", "sequence_length: 4");
    refused(R"({"row":[{"image":[1,4,6]}],"image_grid_thw":[[1,6,4]]})", "image_grid_thw: ");
    refused(R"({"row":[{"text":3}],"chunk":[2,2]})", "chunk: 2 tokens from 2 on");
    refused(R"({"row":[{"text":6}],"context_parallel_size":4})", "a multiple of 8 tokens");
    refused(R"({"row":[{"video":[2,4,4],"second_per_grid":NaN}]})", "second_per_grid: a number");
    refused(R"({"row":[{"text":99999999999}]})", "99999999999 tokens of text");
    refused(R"({"layouts":[]})", "layouts: the list is empty");
    refused("[1]", "an object {...} is expected");
    layout_ = (kGoldenIds / "positions_qwen2_5_vl.json").string();
    expect_refused({"-o", (folder_ / "x.npy").string()}, "choose one by --name");
    expect_refused({"--name", "qwen2_5_vl_99"}, "did you mean");
    expect_refused({"--check", "x.npy"}, "has 30 layouts; choose one by --name");
    EXPECT_EQ(built({"--name", "qwen2_5_vl_02"}).size(), 3U * 3U * 43U);
}

TEST_F(Positions, OptionsThatContradictEachOtherAreRefused) {
    expect_refused({"-o", "ids.txt"}, "end the name so");
    expect_refused({"-o", "a.npy", "--check", "b.npy"}, "give one of both");
    expect_refused({"--position-axes", "la"}, "--position-axes: it names the axes of the ids");
    expect_refused({"--runtime", "vllm"}, "--runtime: 'vllm' is unknown");
    expect_refused({"--part", "sound"}, "part: ");
    expect_refused({"--set", "base=3"}, "--set has no effect on positions");
}

TEST_F(Positions, TheExamplesOfThePageRun) {
    const std::string page =
        read_file(std::filesystem::path(source_dir()) / "docs/user-guide/positions.md");
    int examples = 0;
    constexpr std::string_view kBegin = "```json\n";
    for (std::size_t at = page.find(kBegin); at != std::string::npos;
         at = page.find(kBegin, at + 1)) {
        const std::size_t begin = at + kBegin.size();
        const std::string json = page.substr(begin, page.find("```", begin) - begin);
        layout_ = write("l.json", json);
        EXPECT_EQ(run({}).exit_code, 0) << json << run({}).err;
        ++examples;
    }
    EXPECT_GE(examples, 4);
}

/// Rows and columns in each other's place, and all counted from 1.
TEST_F(Positions, CheckNamesTwoFaultsAtOnce) {
    layout_ = write("layout.json", R"({"row":[{"text":2},{"image":[1,4,6]},{"text":2}]})");
    std::vector<std::int64_t> ids;
    for (const std::vector<std::int64_t>& axis :
         {std::vector<std::int64_t>{0, 1, 2, 2, 2, 2, 2, 2, 5, 6},
          std::vector<std::int64_t>{0, 1, 2, 3, 4, 2, 3, 4, 5, 6},
          std::vector<std::int64_t>{0, 1, 2, 2, 2, 3, 3, 3, 5, 6}}) {
        for (const std::int64_t id : axis) {
            ids.push_back(id + 1);
        }
    }
    const std::string path = write("two.npy", {3, 10}, ids);
    expect_wrong({"--check", path}, "ids.axes_swapped and ids.one_based together: ");
    const auto json = nlohmann::json::parse(run({"--check", path, "--format", "json"}).out);
    EXPECT_EQ(json.at("findings").at(0).at("code"), "ids.axes_swapped");
    EXPECT_EQ(json.at("findings").at(0).at("together_with"), "ids.one_based");
    EXPECT_EQ(json.at("findings").at(1).at("code"), "ids.one_based");
    // What the page says of the search.
    const std::string page = read_file(source_dir() + "/docs/user-guide/positions.md");
    EXPECT_THAT(
        page, HasSubstr(fmt::format("of up to {}\ntokens ({} on grids)", IdPlan::kMostTokensOfPairs,
                                    GridPlan::kMostTokensOfPairs)));
    EXPECT_THAT(page, HasSubstr(fmt::format("at most {} such pairs", kMostFaultPairs)));
}

}  // namespace
}  // namespace ropescope::test
