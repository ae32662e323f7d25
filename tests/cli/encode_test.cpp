// ropescope encode on files: against the frameworks' float64 run, the options, and every refusal.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using EncodeArguments = std::vector<std::string>;
using ::testing::HasSubstr;

std::string golden(const std::string& name) {
    return source_dir() + "/tests/golden/" + name;
}

class Encode : public ::testing::Test {
  protected:
    /// A tensor of a golden file as a .npy file of its own.
    std::string npy_of(const std::string& name) const {
        const std::string path = (folder_ / (name + ".npy")).string();
        write_npy(path,
                  SafetensorsFile::open(golden("hf_roformer_base/inputs.safetensors")).at(name));
        return path;
    }
    std::string write(const std::string& name, std::vector<std::int64_t> shape,
                      const std::vector<std::int64_t>& values) const {
        const std::string path = (folder_ / name).string();
        write_npy(path, make_tensor(name, std::move(shape), std::span(values)).view());
        return path;
    }
    RunResult encode(EncodeArguments arguments) const {
        arguments.insert(arguments.begin(), "encode");
        arguments.insert(arguments.end(), {"-o", output()});
        return run_ropescope(arguments);
    }
    SafetensorsFile encoded(const EncodeArguments& arguments) const {
        const RunResult run = encode(arguments);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(run.out + run.err, "");
        return SafetensorsFile::open(output());
    }
    /// A refusal: its exit code here, its message in the test.
    std::string refusal(const EncodeArguments& arguments, int exit_code = 2) const {
        const RunResult run = encode(arguments);
        EXPECT_EQ(run.exit_code, exit_code);
        EXPECT_THAT(run.err, ::testing::StartsWith("ropescope: "));
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
        EXPECT_FALSE(std::filesystem::exists(output()));
        return run.err;
    }
    std::string output() const { return (folder_ / "trace.safetensors").string(); }

    TempFolder folder_;
    std::string model_ = golden("hf_roformer_base");
};

void expect_near(const SafetensorsFile& a, const std::string& name, const SafetensorsFile& b,
                 const std::string& b_name, double tolerance) {
    const std::vector<double> x = to_f64(a.at(name));
    const std::vector<double> y = to_f64(b.at(b_name));
    ASSERT_EQ(a.at(name).shape, b.at(b_name).shape) << name;
    double largest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        largest = std::max(largest, std::abs(x[i] - y[i]));
    }
    EXPECT_LE(largest, tolerance) << name;
}

TEST_F(Encode, WritesEveryTensorAsHuggingFaceComputesIt) {
    const SafetensorsFile trace =
        encoded({"--model", model_, "--ids", npy_of("input_ids"), "--mask",
                 npy_of("attention_mask"), "--type-ids", npy_of("token_type_ids")});
    const SafetensorsFile truth = SafetensorsFile::open(model_ + "/outputs_f64.safetensors");
    // What the encoder's golden tests allow fp32 to differ from float64.
    constexpr double kTolerance = 2e-5;
    expect_near(trace, "logits", truth, "logits", kTolerance);
    for (const char* i : {"0", "1"}) {
        const std::string number = std::string(".") + i;
        expect_near(trace, "scores" + number, truth, "scores_premask" + number, kTolerance);
        expect_near(trace, "probs" + number, truth, "attentions" + number, kTolerance);
        expect_near(trace, "q_rot" + number, truth, "q_rot" + number, kTolerance);
        expect_near(trace, "k_rot" + number, truth, "k_rot" + number, kTolerance);
    }
    for (const char* i : {"0", "1", "2"}) {
        const std::string name = std::string("hidden.") + i;
        expect_near(trace, name, truth, std::string("hidden_states.") + i, kTolerance);
    }
    EXPECT_EQ(trace.tensors().size(), 1U + 3U + 2U * 4U);
}

TEST_F(Encode, KeepsTheTensorsAndLayersThatAreAskedFor) {
    const SafetensorsFile trace = encoded({"--model", model_, "--ids", npy_of("input_ids"),
                                           "--tensors", "probs,hidden", "--layers", "1"});
    std::vector<std::string> names;
    for (const TensorBytes& tensor : trace.tensors()) {
        names.push_back(tensor.name);
    }
    EXPECT_THAT(names, ::testing::ElementsAre("hidden.0", "hidden.1", "hidden.2", "probs.1"));
}

TEST_F(Encode, ChangesTheRotationAsTold) {
    const EncodeArguments plain = {"--model", model_, "--ids", npy_of("input_ids")};
    const auto logits = [&](EncodeArguments more) {
        more.insert(more.begin(), plain.begin(), plain.end());
        return to_f64(encoded(more).at("logits"));
    };
    const auto distance = [](const std::vector<double>& a, const std::vector<double>& b) {
        double largest = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            largest = std::max(largest, std::abs(a[i] - b[i]));
        }
        return largest;
    };
    const std::vector<double> as_is = logits({});
    // Both fp32 runs are within 2e-5 of the same float64 numbers.
    EXPECT_LE(distance(logits({"--shift", "15"}), as_is), 4e-5);
    EXPECT_GT(distance(logits({"--shift", "15", "--table-dtype", "bf16"}),
                       logits({"--table-dtype", "bf16"})),
              1e-4);
    EXPECT_GT(distance(logits({"--no-rope"}), as_is), 1e-2);
    EXPECT_GT(distance(logits({"--base", "100"}), as_is), 1e-3);
    EXPECT_GT(distance(logits({"--layout", "half_split"}), as_is), 1e-3);
    // Four times the distance, a quarter of the angle a position.
    const std::string apart = write("apart.npy", {11}, {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40});
    const std::string linear = R"({"rope_type": "linear", "factor": 4})";
    EXPECT_LE(distance(logits({"--scaling", linear, "--positions", apart}), as_is), 4e-5);
    EXPECT_GT(distance(logits({"--scaling", linear}), as_is), 1e-3);
    const std::string far = write("far.npy", {11}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20});
    EXPECT_GT(distance(logits({"--positions", far}), as_is), 1e-3);
}

TEST_F(Encode, TheSeedsConfigurationNeedsNoFileAndDependsOnItsSeed) {
    const EncodeArguments arguments = {"--d2l-roformer", "--tensors", "hidden", "--ids",
                                       write("ids.npy", {4}, {1, 31999, 5, 7})};
    const auto last = [&](const char* seed) {
        EncodeArguments with_seed = arguments;
        with_seed.insert(with_seed.end(), {"--seed", seed});
        const SafetensorsFile trace = encoded(with_seed);
        EXPECT_EQ(trace.at("hidden.4").shape, (std::vector<std::int64_t>{1, 4, 768}));
        return to_f32(trace.at("hidden.4"));
    };
    const std::vector<float> one = last("1");
    EXPECT_EQ(last("1"), one);
    EXPECT_NE(last("2"), one);
}

#ifndef ROPESCOPE_SANITIZED  // sanitizers map more memory than the limits below
// oneDNN ended the process where memory ended while it made its code. The program itself needs some
// 88 MB of addresses; what its libraries are refused by the loader is no concern of ours.
TEST_F(Encode, EndsInALineWithTooFewAddresses) {
    const std::string ids = write("ids.npy", {1, 8}, {1, 2, 3, 4, 5, 6, 7, 8});
    int enough = 0, too_few = 0;
    for (int kib = 88000; kib <= 240000; kib += 4000) {
        const RunResult run = run_command(
            {"sh", "-c", "ulimit -v \"$1\"; exec \"$0\" encode --engine cpu --ids \"$2\" -o \"$3\"",
             program_path(), std::to_string(kib), ids, output()});
        SCOPED_TRACE(run.err);
        enough += run.exit_code == 0 ? 1 : 0;
        too_few += run.exit_code == 3 ? 1 : 0;
        if (run.exit_code != 0 && run.exit_code != 127) {
            EXPECT_EQ(run.exit_code, 3) << kib;
            EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << kib;
        }
    }
    EXPECT_GT(enough, 0);
    EXPECT_GT(too_few, 0);
}
#endif

TEST_F(Encode, TakesTextByTheModelsVocabulary) {
    const std::filesystem::path with_vocabulary = folder_ / "model";
    std::filesystem::create_directory(with_vocabulary);
    for (const char* name : {"config.json", "model.safetensors"}) {
        std::filesystem::copy_file(model_ + "/" + name, with_vocabulary / name);
    }
    std::ofstream(with_vocabulary / "vocab.txt") << "[PAD]\n[UNK]\n[CLS]\n[SEP]\nrotate\n##s\n.\n";
    const SafetensorsFile by_text =
        encoded({"--model", with_vocabulary.string(), "--text", "Rotates."});
    const std::vector<float> logits = to_f32(by_text.at("logits"));
    const SafetensorsFile by_ids =
        encoded({"--model", model_, "--ids", write("ids.npy", {5}, {2, 4, 5, 6, 3})});
    EXPECT_EQ(to_f32(by_ids.at("logits")), logits);
}

TEST_F(Encode, ContradictionsAreToldBeforeAnyFileIsOpened) {
    EXPECT_THAT(refusal({}), HasSubstr("no tokens; give --ids FILE.npy"));
    EXPECT_THAT(refusal({"--ids", "x", "--predict"}), HasSubstr("give --text TEXT with [MASK]"));
    const RunResult nowhere = run_ropescope({"encode", "--text", "x"});
    EXPECT_EQ(nowhere.exit_code, 2);
    EXPECT_THAT(nowhere.err, HasSubstr("give -o TRACE.safetensors, or --predict"));
    EXPECT_THAT(refusal({"--model", "m"}), HasSubstr("no tokens; give --ids FILE.npy"));
    EXPECT_THAT(refusal({"--model", "m", "--d2l-roformer", "--ids", "x"}), HasSubstr("give one"));
    EXPECT_THAT(refusal({"--model", "m", "--ids", "x", "--text", "y"}), HasSubstr("give one"));
    EXPECT_THAT(refusal({"--model", "m", "--ids", "x", "--seed", "1"}), HasSubstr("--seed"));
    EXPECT_THAT(refusal({"--d2l-roformer", "--ids", "x", "--seed", "-1"}),
                HasSubstr("'-1' is not a whole number from 0"));
    EXPECT_THAT(refusal({"--d2l-roformer", "--text", "x"}), HasSubstr("give --ids FILE.npy"));
    // The former name of the option is still accepted.
    EXPECT_THAT(refusal({"--seed-config", "--text", "x"}), HasSubstr("give --ids FILE.npy"));
    EXPECT_THAT(refusal({"--model", "m", "--ids", "x", "--no-rope", "--shift", "1"}),
                HasSubstr("--no-rope leaves nothing"));
    EXPECT_THAT(refusal({"--model", "m", "--ids", "x", "--tensors", "prob"}),
                HasSubstr("did you mean 'probs'?"));
    EXPECT_THAT(refusal({"--model", "m", "--ids", "x", "--set", "base=5"}), HasSubstr("--set"));
}

TEST_F(Encode, ModelsAndTextThatCannotBeReadAreRefused) {
    const std::string ids = npy_of("input_ids");
    EXPECT_THAT(refusal({"--model", "nowhere", "--ids", ids}),
                HasSubstr("'nowhere' is not a folder"));
    EXPECT_THAT(refusal({"--model", folder_.path().string(), "--ids", ids}),
                HasSubstr("config.json"));
    EXPECT_THAT(refusal({"--model", "model/pytorch_model.bin", "--ids", ids}),
                HasSubstr("convert it in its folder with: python3 -c"));
    EXPECT_THAT(refusal({"--model", model_, "--text", "x"}), HasSubstr("vocab.txt does not exist"));
}

TEST_F(Encode, PredictsWhatIsMaskedWithTheDemoModel) {
    const RunResult run = run_ropescope(
        {"encode", "--text", "the act of [MASK] something: \"the [MASK] of\".", "--predict"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, ::testing::StartsWith("token 4 is [MASK]; the model would put there:\n"));
    EXPECT_THAT(run.out, HasSubstr("token 9 is [MASK]"));
    EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '%'), 10);

    const RunResult as_json = run_ropescope(
        {"encode", "--format", "json", "--text", "the act of [MASK] something.", "--predict"});
    const auto json = nlohmann::json::parse(as_json.out);
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0].at("token"), 4);
    const auto& named = json[0].at("predictions");
    ASSERT_EQ(named.size(), 5U);
    for (std::size_t i = 1; i < named.size(); ++i) {
        EXPECT_LE(named[i].at("probability"), named[i - 1].at("probability"));
    }
}

TEST_F(Encode, PredictionsComeFromTheLogitsOfTheTrace) {
    const SafetensorsFile trace = SafetensorsFile::open([&] {
        EXPECT_EQ(encode({"--text", "a [MASK] that", "--tensors", "logits"}).exit_code, 0);
        return output();
    }());
    const std::vector<float> logits = to_f32(trace.at("logits"));
    const auto row = logits.begin() + 2 * 2000;
    const auto best = std::max_element(row, row + 2000) - row;
    const RunResult run =
        run_ropescope({"encode", "--format", "json", "--text", "a [MASK] that", "--predict"});
    EXPECT_EQ(nlohmann::json::parse(run.out)[0].at("predictions")[0].at("id"), best);
}

TEST_F(Encode, PredictionsThatCannotBeMadeAreRefused) {
    EXPECT_THAT(refusal({"--text", "no place", "--predict"}), HasSubstr("contains no [MASK]"));
    EXPECT_THAT(refusal({"--text", "\xFF [MASK]", "--predict"}),
                HasSubstr("byte 0 is 0xff, which is not UTF-8"));
    std::string much;
    for (int i = 0; i < 1600; ++i) {
        much += "a ";
    }
    EXPECT_THAT(refusal({"--text", much + "[MASK]", "--predict"}), HasSubstr("1536"));
}

TEST_F(Encode, TextThatIsNotUtf8IsRefused) {
    EXPECT_THAT(refusal({"--text", "a \xC3"}),
                HasSubstr("the text: byte 2 is 0xc3, which is not UTF-8; text in UTF-8"));
    EXPECT_THAT(refusal({"--text", "\xED\xA0\x80"}), HasSubstr("byte 0 is 0xed"));
    EXPECT_THAT(refusal({"--text", "\u00E9\xC0\xAF", "--predict"}), HasSubstr("byte 2 is 0xc0"));
}

TEST_F(Encode, TokensThatDoNotFitTheModelAreRefused) {
    const auto with = [&](EncodeArguments more) {
        more.insert(more.begin(), {"--model", model_});
        return refusal(more);
    };
    const std::string ids = npy_of("input_ids");
    EXPECT_THAT(with({"--ids", write("a.npy", {1, 2}, {3, 50})}),
                HasSubstr("50 at [0, 1] lies outside 0 .. 49"));
    EXPECT_THAT(with({"--ids", write("b.npy", {33}, std::vector<std::int64_t>(33, 1))}),
                HasSubstr("33 positions exceed the model's 32"));
    EXPECT_THAT(with({"--ids", write("c.npy", {1, 1, 2}, {1, 2})}), HasSubstr("shape [1, 1, 2]"));
    EXPECT_THAT(with({"--ids", ids, "--mask", write("d.npy", {2, 3}, {1, 1, 1, 1, 1, 1})}),
                HasSubstr("d.npy: shape [2, 3] does not fit"));
    EXPECT_THAT(with({"--ids", ids, "--type-ids", write("e.npy", {3}, {0, 0, 0})}),
                HasSubstr("e.npy: shape [1, 3]"));
    EXPECT_THAT(with({"--ids", ids, "--positions", write("f.npy", {3}, {0, 1, 2})}),
                HasSubstr("f.npy: shape"));
    EXPECT_THAT(with({"--ids", ids, "--layers", "1-2"}),
                HasSubstr("'1-2' is not a layer or range"));
    EXPECT_THAT(with({"--ids", ids, "--base", "0"}), HasSubstr("base: 0"));
    EXPECT_THAT(with({"--ids", ids, "--shift", "9999999"}), HasSubstr("shift: 9999999"));
    EXPECT_THAT(with({"--ids", ids, "--layout", "x"}), HasSubstr("half_split"));
    EXPECT_THAT(with({"--ids", ids, "--table-dtype", "fp8"}), HasSubstr("bf16"));
    EXPECT_THAT(with({"--ids", ids, "--scaling", "linear"}), HasSubstr("--scaling: byte 0"));
    EXPECT_THAT(with({"--ids", ids, "--scaling", R"({"type": "linear", "factor": 0})"}),
                HasSubstr("--scaling.factor: 0"));
}

/// Tests run as root too, whom no permission stops, but a loop of links does.
TEST(EncodeFiles, ThatCannotBeReachedAreNotSaidToBeMissing) {
    const TempFolder folder;
    const std::string model = folder.path(), output = folder / "x.safetensors";
    for (const char* name : {"vocab.txt", "loop"}) {
        std::filesystem::create_symlink(name, folder / name);
    }
    for (const std::string& place : {model, model + "/loop"}) {
        const RunResult run =
            run_ropescope({"encode", "--model", place, "--text", "a", "-o", output});
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, ::testing::HasSubstr("Too many levels of symbolic links"));
    }
    const RunResult figure =
        run_ropescope({"figure", "attention", "--set", "attention_source=folder", "--set",
                       "attention_folder=" + model + "/loop", "-o", (folder / "a.csv").string()});
    EXPECT_EQ(figure.exit_code, 2);
    EXPECT_THAT(figure.err, ::testing::HasSubstr("Too many levels of symbolic links"));
}

}  // namespace
}  // namespace ropescope::test
