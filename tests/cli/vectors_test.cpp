// `vectors`: a stranger's answers to a pack are judged, and the fault behind wrong ones is named.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/safetensors.h"
#include "tests/support/needs_egl.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A pack that the program wrote, as other code reads it.
class Vectors : public ::testing::Test {
  protected:
    void write_pack(const std::string& option, const std::string& name) {
        folder_ = (temp_ / "pack").string();
        const RunResult run = run_ropescope({"vectors", option, name, "-o", folder_});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        index_ = nlohmann::json::parse(read_file(folder_ + "/index.json"));
        data_ = SafetensorsFile::open(folder_ + "/" + index_.at("data").get<std::string>());
    }

    /// The tensor of that name under another name, in another dtype.
    Tensor answer(const std::string& name, const std::string& id, Dtype dtype) const {
        const TensorBytes& tensor = data_->at(name);
        if (dtype == Dtype::i64) {
            const std::vector<std::int64_t> ids = to_i64(tensor);
            return make_tensor(id, tensor.shape, std::span(ids));
        }
        const std::vector<double> values = to_f64(tensor);
        return make_tensor_as(dtype, id, tensor.shape, values);
    }

    /// Answers of every case: what `pick` makes of its entry, {"answer", "deltas"}.
    template <typename Pick>
    std::string answers(Dtype dtype, Pick pick) {
        std::vector<Tensor> tensors;
        for (const auto& entry : index_.at("cases")) {
            const std::string id = entry.at("id");
            const nlohmann::json picked = pick(entry);
            tensors.push_back(answer(picked.at("answer"), id, dtype));
            if (picked.contains("deltas")) {
                const std::vector<std::int64_t> deltas = picked.at("deltas");
                tensors.push_back(
                    make_tensor(id + "/deltas", {std::ssize(deltas)}, std::span(deltas)));
            }
        }
        const std::string path = (temp_ / "answers.safetensors").string();
        write_safetensors(path, tensors);
        return path;
    }

    RunResult check(const std::string& results, std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"vectors", "--check", folder_, "--results", results});
        return run_ropescope(more);
    }

    /// The pack with another index. Its arrays are the same file.
    template <typename Change>
    std::string changed_pack(Change change) {
        nlohmann::json index = index_;
        change(index);
        const std::string folder = (temp_ / fmt::format("changed{}", ++changed_)).string();
        std::filesystem::create_directory(folder);
        write_file_whole(folder + "/index.json", index.dump());
        const std::string data = index_.at("data");
        std::filesystem::copy_file(folder_ + "/" + data, folder + "/" + data);
        return folder;
    }

    TempFolder temp_;
    int changed_ = 0;
    std::string folder_;
    nlohmann::json index_;
    std::optional<SafetensorsFile> data_;
};

const auto kRight = [](const nlohmann::json& entry) {
    nlohmann::json right{{"answer", entry.at("expected")}};
    if (entry.contains("deltas")) {
        right["deltas"] = entry.at("deltas");
    }
    return right;
};

TEST_F(Vectors, RightAnswersOfEveryDtypePass) {
    write_pack("--pack", "text");
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16}) {
        const RunResult run = check(answers(dtype, kRight));
        EXPECT_EQ(run.exit_code, 0) << to_string(dtype) << run.out << run.err;
        EXPECT_THAT(run.out, HasSubstr(" answers are right"));
        EXPECT_THAT(run.out, Not(HasSubstr("fault")));
    }
}

TEST_F(Vectors, RightIdsPassWithAndWithoutDeltas) {
    write_pack("--pack", "positions");
    EXPECT_EQ(check(answers(Dtype::i64, kRight)).exit_code, 0);
    const auto without = [](const auto& entry) {
        return nlohmann::json{{"answer", entry.at("expected")}};
    };
    EXPECT_EQ(check(answers(Dtype::i64, without)).exit_code, 0);
}

TEST_F(Vectors, EveryWrongAnswerIsNamed) {
    for (const std::string pack : {"text", "axes", "positions", "fused"}) {
        write_pack("--pack", pack);
        const Dtype dtype = pack == "positions" ? Dtype::i64 : Dtype::f32;
        // The last wrong answer, then the first, of each case.
        for (const bool last : {true, false}) {
            const auto pick = [&](const nlohmann::json& entry) {
                const auto& wrong = entry.at("wrong");
                return last ? wrong.back() : wrong.front();
            };
            const RunResult run = check(answers(dtype, pick), {"--format", "json"});
            EXPECT_EQ(run.exit_code, 1) << run.err;
            const auto report = nlohmann::json::parse(run.out);
            EXPECT_EQ(report.at("right"), 0);
            ASSERT_EQ(report.at("cases").size(), index_.at("cases").size());
            for (std::size_t i = 0; i < report.at("cases").size(); ++i) {
                const auto& judged = report.at("cases")[i];
                const auto& wrong = index_.at("cases")[i].at("wrong");
                const auto code = (last ? wrong.back() : wrong.front()).at("code");
                SCOPED_TRACE(judged.at("id").get<std::string>());
                EXPECT_EQ(judged.at("judged"), "fault");
                EXPECT_TRUE(std::ranges::any_of(judged.at("faults"), [&](const auto& fault) {
                    return fault.at("code") == code;
                }));
            }
        }
    }
}

TEST_F(Vectors, AnUnknownFaultAndAMissingAnswerAreToldApart) {
    write_pack("--config", "llama-3.1-8b");
    std::vector<Tensor> tensors;
    for (const auto& entry : index_.at("cases")) {
        tensors.push_back(
            answer(entry.at("expected"), entry.at("id").get<std::string>(), Dtype::f32));
    }
    ASSERT_EQ(tensors.size(), 3U);
    std::vector<float> values = to_f32(tensors[0].view());
    values[5] += 1;
    values[7] += 1;
    tensors[0] = make_tensor(tensors[0].name, tensors[0].shape, std::span<const float>(values));
    tensors.pop_back();
    const std::string path = (temp_ / "some.safetensors").string();
    write_safetensors(path, tensors);
    const RunResult run = check(path);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out,
                AllOf(HasSubstr("wrong    model: 2 of 768 numbers are off"),
                      HasSubstr("no known fault gives them"), HasSubstr("missing  model/late"),
                      HasSubstr("1 of 3 answers are right")));
    values[9] = std::numeric_limits<float>::quiet_NaN();
    tensors[0] = make_tensor(tensors[0].name, tensors[0].shape, std::span<const float>(values));
    write_safetensors(path, tensors);
    EXPECT_THAT(check(path).out, HasSubstr("fault    model: answer.not_finite: a number is NaN"));
    // The answer behind one of another shape is judged all the same.
    tensors[0] = make_tensor("model", {1}, std::span<const float>(values).first(1));
    write_safetensors(path, tensors);
    EXPECT_THAT(check(path).out,
                AllOf(HasSubstr("fault    model: answer.shape: the shape is [1], and "
                                "[2, 1, 3, 128] is expected"),
                      HasSubstr("1 of 3 answers are right")));
}

TEST_F(Vectors, ThePacksAreListed) {
    const RunResult run = run_ropescope({"vectors", "--list"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, AllOf(HasSubstr("text "), HasSubstr("axes "), HasSubstr("positions ")));
}

TEST_F(Vectors, BadInputIsOneLine) {
    write_pack("--config", "llama-3.1-8b");
    const std::string far_off = answers(Dtype::f64, [](const auto& entry) {
        return nlohmann::json{{"answer", entry.at("tolerance").at("F64")}};
    });
    std::filesystem::rename(far_off, temp_ / "far_off.safetensors");
    const std::string right = answers(Dtype::f32, kRight);
    const std::string wrong_dtype = (temp_ / "dtype.safetensors").string();
    const std::vector<std::int64_t> integers(768);
    write_safetensors(wrong_dtype, std::vector<Tensor>{
                                       make_tensor("model", {2, 1, 3, 128}, std::span(integers))});
    const std::string empty = (temp_ / "empty.safetensors").string();
    write_safetensors(empty, std::vector<Tensor>{});
    const std::string no_pack = (temp_ / "none").string();
    std::filesystem::create_directory(no_pack);
    const std::string old_pack = (temp_ / "old").string();
    std::filesystem::create_directory(old_pack);
    write_file_whole(old_pack + "/index.json", R"({"format": 2})");
    const std::string outside = (temp_ / "outside").string();
    std::filesystem::create_directory(outside);
    write_file_whole(outside + "/index.json", R"({"format": 1, "data": "../x", "cases": []})");
    const std::string no_case = changed_pack([](auto& index) { index["cases"][0] = 1; });
    const std::string no_wrong =
        changed_pack([](auto& index) { index["cases"][0]["wrong"] = {1}; });
    const std::string small = changed_pack(
        [](auto& index) { index["cases"][0]["tolerance"]["F32"] = "model/decode/tolerance/F32"; });
    const std::string small_wrong = changed_pack([](auto& index) {
        index["cases"][0]["expected"] = "model/wrong0";
        index["cases"][0]["wrong"][0]["answer"] = "model/decode/wrong0";
    });
    // The arrays of one pack beside the index of another: right code would be accused.
    const std::string mixed =
        changed_pack([](auto& index) { index["data_fnv1a"] = "0123456789abcdef"; });
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
        {{"--check", mixed, "--results", right}, "do not belong together; write the pack again"},
        {{"--check", no_case, "--results", right}, "cases: has an entry that is not an object"},
        {{"--check", no_wrong, "--results", (temp_ / "far_off.safetensors").string()},
         "wrong: has an entry that is not an object"},
        {{"--check", small, "--results", right}, "has shape [2, 2, 1, 128] and not that of"},
        {{"--check", small_wrong, "--results", right}, "has shape [2, 2, 1, 128] and not that of"},
        {{}, "give one of --pack, --config, --check and --list"},
        {{"--pack", "text", "--list"}, "give one of"},
        {{"--pack", "text"}, "-o is missing"},
        {{"--list", "-o", "x"}, "leave it out"},
        {{"--pack", "tex", "-o", "x"}, "give text, axes, positions or fused"},
        {{"--config", "llama-3.1-9b", "-o", "x"}, "llama-3.1-9b"},
        {{"--pack", "axes", "-o", "/proc/none"}, "cannot be made"},
        {{"--check", folder_}, "belong together"},
        {{"--pack", "text", "-o", "x", "--results", right}, "belong together"},
        {{"--check", no_pack, "--results", right}, "index.json"},
        {{"--check", old_pack, "--results", right}, "format: is not 1"},
        {{"--check", outside, "--results", right}, "data: is not the name of a file"},
        {{"--check", folder_, "--results", no_pack}, no_pack},
        {{"--check", folder_, "--results", wrong_dtype}, "F64, F32, F16 or BF16 is expected"},
        {{"--check", folder_, "--results", empty}, "holds no answer"},
    };
    for (auto [arguments, says] : bad) {
        SCOPED_TRACE(says);
        arguments.insert(arguments.begin(), "vectors");
        const RunResult run = run_ropescope(arguments);
        EXPECT_EQ(run.exit_code, 2) << run.out;
        EXPECT_THAT(run.err, HasSubstr(says));
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1);
        EXPECT_EQ(run.out, "");
    }
}

const std::string kReaders = source_dir() + "/docs/verify/read_vectors";

TEST_F(Vectors, TheReaderInPythonReadsThemAndItsAnswersAreJudged) {
    write_pack("--pack", "axes");
    const std::string path = (temp_ / "answers.npz").string();
    const RunResult run = run_command({"/usr/bin/python3", kReaders + ".py", folder_, path});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const RunResult judged = check(path);
    EXPECT_EQ(judged.exit_code, 0) << judged.out << judged.err;
}

TEST_F(Vectors, TheReaderInCppReadsThem) {
    write_pack("--config", "llama-3.1-8b");
    const std::string program =
        std::filesystem::path(program_path()).parent_path() / "read_vectors";
    const RunResult run = run_command({program, folder_});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("model: 768 numbers, 6 positions, the first becomes "));
}

TEST_F(Vectors, TheReaderInJavaScriptReadsThemAndItsAnswersAreJudged) {
    if (run_command({"sh", "-c", "command -v node"}).exit_code != 0) {
        ASSERT_FALSE(image_tests_required()) << "Node is required; install the package nodejs";
        GTEST_SKIP() << "Node is not installed";
    }
    write_pack("--pack", "axes");
    const std::string path = (temp_ / "answers.safetensors").string();
    const RunResult run = run_command({"node", kReaders + ".js", folder_, path});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const RunResult judged = check(path);
    EXPECT_EQ(judged.exit_code, 0) << judged.out << judged.err;
}

TEST_F(Vectors, TheReadersAreShort) {
    for (const char* ending : {".py", ".cpp", ".js"}) {
        const std::string text = read_file(kReaders + ending);
        EXPECT_LE(std::ranges::count(text, '\n'), 30) << ending;
    }
}

TEST_F(Vectors, TheIndexFollowsItsSchema) {
    const std::string schema = source_dir() + "/docs/verify/vectors.schema.json";
    for (const char* pack : {"text", "axes", "positions"}) {
        write_pack("--pack", pack);
        const RunResult run = run_command(
            {"/usr/bin/python3", "-c",
             "import json, jsonschema, sys; jsonschema.validate(json.load(open(sys.argv[1])), "
             "json.load(open(sys.argv[2])))",
             folder_ + "/index.json", schema});
        EXPECT_EQ(run.exit_code, 0) << run.err;
    }
}

TEST_F(Vectors, AConfigurationMayHaveNumbersThatOnlyPythonWrites) {
    write_file_whole(temp_ / "config.json",
                     R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, )"
                     R"("time_step_limit": [0.0, Infinity], "left": NaN})");
    write_pack("--config", (temp_ / "config.json").string());
    EXPECT_EQ(index_.at("cases").at(0).at("config").at("left"), "NaN");
}

}  // namespace
}  // namespace ropescope::test
