// `probe`: adapters that are right, wrong and broken; nothing is left behind by any of them.
#include <algorithm>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/cli/probe_fixture.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

TEST_F(Probe, TheAdapterForNumPyIsRight) {
    const RunResult run = probe({"--config", "llama-2-7b"}, numpy());
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, testing::StartsWith("valid: "));
    EXPECT_EQ(run.err, "");
}

TEST_F(Probe, TheAdapterForCppIsRightInSixteenBitsToo) {
    const std::string program = fs::path(program_path()).parent_path() / "probe_adapter";
    const RunResult run =
        probe({"--config", "llama-3-8b", "--exchange", "safetensors"}, {program, "500000"});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, Not(HasSubstr("refuses")));
    for (const char* dtype : {"float16", "bfloat16"}) {
        const RunResult narrow = probe({"--config", "llama-3-8b", "--exchange", "safetensors",
                                        "--dtypes", dtype, "--format", "json"},
                                       {program, "500000"});
        EXPECT_EQ(narrow.exit_code, 0) << dtype << narrow.out << narrow.err;
        const RunResult wrong =
            probe({"--config", "llama-3-8b", "--exchange", "safetensors", "--dtypes", dtype},
                  {program, "400000"});
        EXPECT_EQ(wrong.exit_code, 1) << dtype;
    }
}

TEST_F(Probe, TheAdapterForCIsRightAndMayRefuseDtypes) {
    const std::string program = fs::path(program_path()).parent_path() / "probe_adapter_in_c";
    const RunResult run =
        probe({"--config", "llama-3-8b", "--exchange", "safetensors"}, {program, "500000"});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("this adapter takes float32 only"));
}

TEST_F(Probe, TheAdapterForJavaScriptIsRight) {
    const RunResult run = probe({"--config", "llama-3-8b", "--exchange", "safetensors"},
                                {"node", (kAdapters / "adapter.js").string(), "500000"});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("this adapter takes no F16"));
}

TEST_F(Probe, TheAdapterForCodeWithAnOffsetCutsRowsIntoRuns) {
    const RunResult run =
        probe({"--config", "llama-2-7b"},
              {"/usr/bin/python3", (kAdapters / "offset_adapter.py").string(), "10000"});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

/// The adapter that shows how a kernel with a norm is called.
std::vector<std::string> fused_adapter() {
    return {"/usr/bin/python3", (kAdapters / "fused_adapter.py").string(), "1000000"};
}

TEST_F(Probe, AFusedNormIsAskedForAndJudgedWithTheRotation) {
    const RunResult right = probe({"--config", "qwen3-0.6b", "--norm", "rms"}, fused_adapter());
    EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
    const RunResult eps = probe({"--config", "qwen3-0.6b", "--norm", "rms", "--format", "json"},
                                {"/bin/sh", "-c",
                                 "sed 's/norm\\[\"eps\"\\]/1e-3/' \"$0\" >$OUT/fused.py; exec "
                                 "/usr/bin/python3 $OUT/fused.py 1000000",
                                 fused_adapter()[1]});
    EXPECT_EQ(eps.exit_code, 1) << eps.out << eps.err;
    EXPECT_EQ(Json::parse(eps.out).at("findings").at(0).at("code"), "norm.eps");
    const RunResult order = probe(
        {"--config", "qwen3-0.6b", "--norm", "rms", "--norm-order", "after"}, fused_adapter());
    EXPECT_EQ(order.exit_code, 1);
    EXPECT_THAT(order.out, HasSubstr("norm.order"));
    const RunResult none = probe({"--config", "llama-2-7b", "--norm-eps", "1e-5"}, numpy());
    EXPECT_THAT(none.out, HasSubstr("norm.missing"));
    const RunResult layer =
        probe({"--config", "llama-2-7b", "--norm", "layer", "--norm-order", "after"}, numpy());
    EXPECT_EQ(layer.exit_code, 2);
    EXPECT_THAT(layer.err, HasSubstr("layer after the rotation cannot be judged"));
}

TEST_F(Probe, AdaptersOfEveryLanguageGetTheWeights) {
    const fs::path programs = fs::path(program_path()).parent_path();
    for (const std::vector<std::string>& adapter : std::vector<std::vector<std::string>>{
             {programs / "probe_adapter", "10000"},
             {programs / "probe_adapter_in_c", "10000"},
             {"node", (kAdapters / "adapter.js").string(), "10000"}}) {
        const RunResult none = probe({"--config", "llama-2-7b", "--norm", "rms", "--exchange",
                                      "safetensors", "--dtypes", "float32"},
                                     adapter);
        EXPECT_EQ(none.exit_code, 1) << adapter[0] << none.err;
        EXPECT_THAT(none.out, HasSubstr("norm.missing")) << adapter[0];
        const RunResult alone = probe({"--config", "llama-2-7b", "--tensors", "q", "--exchange",
                                       "safetensors", "--dtypes", "float32"},
                                      adapter);
        EXPECT_EQ(alone.exit_code, 0) << adapter[0] << alone.out << alone.err;
    }
    const RunResult python = probe({"--config", "llama-2-7b", "--tensors", "q"}, numpy());
    EXPECT_EQ(python.exit_code, 0) << python.out << python.err;
}

TEST_F(Probe, InputThatIsRoundedOnItsWayIsWrong) {
    const RunResult run =
        probe({"--config", "llama-2-7b", "--dtypes", "float32"},
              numpy("half = x.shape[-1] // 2",
                    "half = x.shape[-1] // 2; x = x.astype('float16').astype('float32')"));
    EXPECT_EQ(run.exit_code, 1) << run.out;
    EXPECT_THAT(run.out, HasSubstr("the model's heads"));
}

TEST_F(Probe, WhatALibraryPrintsIsNoAnswer) {
    const RunResult run = probe(
        {"--config", "llama-2-7b"},
        numpy("    job = json.loads(line)", "    job = json.loads(line); os.system('echo noise')"));
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

TEST_F(Probe, PermutedWeightsHaveTheirLayoutAndAreSuggestedIt) {
    const std::vector<std::string> interleaved = numpy(
        "a, b, cos, sin = x[..., :half], x[..., half:], np.cos(angle), np.sin(angle)\n"
        "    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)",
        "a, b, cos, sin = x[..., ::2], x[..., 1::2], np.cos(angle), np.sin(angle)\n"
        "    return np.stack([a * cos - b * sin, b * cos + a * sin], axis=-1).reshape(x.shape)");
    const RunResult as_file = probe({"--config", "llama-2-7b"}, interleaved);
    EXPECT_EQ(as_file.exit_code, 1);
    EXPECT_THAT(as_file.out, HasSubstr("next: If the channels of these weights were permuted for "
                                       "interleaved pairs"));
    EXPECT_THAT(as_file.out, HasSubstr("--layout interleaved"));
    const RunResult told =
        probe({"--config", "llama-2-7b", "--layout", "interleaved"}, interleaved);
    EXPECT_EQ(told.exit_code, 0) << told.out << told.err;
    EXPECT_EQ(probe({"--config", "llama-2-7b", "--layout", "interleaved"}, numpy()).exit_code, 1);
    EXPECT_THAT(probe({"--config", "qwen2-vl-7b", "--layout", "interleaved"}, numpy()).err,
                HasSubstr("turns in several axes"));
}

/// The NumPy adapter for code that counts every row from 0.
constexpr const char* kGivenPositions = "rotate(given[name], given[\"positions\"])";
constexpr const char* kCounted =
    "rotate(given[name], np.arange(given[name].shape[2])[None].repeat(len(given[name]), 0))";

TEST_F(Probe, CodeWithoutPositionsIsAskedForSequencesOnly) {
    const RunResult any = probe({"--config", "llama-2-7b"}, numpy(kGivenPositions, kCounted));
    EXPECT_EQ(any.exit_code, 1);
    const RunResult counted = probe({"--config", "llama-2-7b", "--positions", "sequence"},
                                    numpy(kGivenPositions, kCounted));
    EXPECT_EQ(counted.exit_code, 0) << counted.out << counted.err;
    const RunResult wrong = probe({"--config", "llama-2-7b", "--positions", "sequence"},
                                  numpy(kGivenPositions, kCounted, "9000"));
    EXPECT_EQ(wrong.exit_code, 1);
}

TEST_F(Probe, CodeMaySayThatItTakesNoPositions) {
    const std::string guard =
        "if (given[\"positions\"] != np.arange(given[\"q\"].shape[2])).any():\n"
        "        print(json.dumps({\"id\": job[\"id\"], \"unsupported\": \"positions\"}), "
        "file=answers, flush=True)\n        continue\n    answer = {";
    const RunResult run = probe({"--config", "llama-2-7b"}, numpy("answer = {", guard));
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("takes no positions"));
    const RunResult never =
        probe_python("line = json.dumps({'id': job['id'], 'unsupported': 'positions'})");
    EXPECT_EQ(never.exit_code, 1);
    EXPECT_THAT(never.out, HasSubstr("each row of this request is 0, 1, 2, ..."));
    const RunResult other =
        probe_python("line = json.dumps({'id': job['id'], 'unsupported': 'k'})");
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.out, HasSubstr("only \"positions\" may be unsupported"));
}

TEST_F(Probe, RequestsOfSeveralAxesNameThem) {
    probe({"--config", "qwen2-vl-7b"},
          {"/bin/sh", "-c", "read line; echo \"$line\" >$OUT/line; exit 1"});
    EXPECT_EQ(Json::parse(read_file(temp_ / "line"))["axes"], Json({"t", "h", "w"}));
    probe({"--config", "qwen3-0.6b", "--norm", "l2", "--norm-eps", "1e-5"},
          {"/bin/sh", "-c", "read line; echo \"$line\" >$OUT/line; exit 1"});
    const Json line = Json::parse(read_file(temp_ / "line"));
    EXPECT_EQ(line["norm"], Json({{"kind", "l2"}, {"eps", 1e-5}, {"order", "before"}}));
    EXPECT_EQ(line["order"], "bhld");
}

TEST_F(Probe, TheAdapterForPyTorchIsRight) {
    if (run_command({"/usr/bin/python3", "-c", "import torch, numpy"}).exit_code != 0) {
        GTEST_SKIP() << "PyTorch is not installed";
    }
    const RunResult run =
        probe({"--config", "llama-2-7b"},
              {"/usr/bin/python3", (kAdapters / "torch_adapter.py").string(), "10000"});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

TEST_F(Probe, AdaptersHaveAtMost15Lines) {
    for (const char* name : {"numpy_adapter.py", "torch_adapter.py", "jax_adapter.py",
                             "adapter.cpp", "ggml_adapter.cpp"}) {
        EXPECT_LE(std::ranges::count(read_file(kAdapters / name), '\n'), 15) << name;
    }
}

TEST_F(Probe, AModelWhoseLayersDifferSaysWhichOnesItWasHeldTo) {
    const RunResult sliding = probe({"--config", "gemma-3-1b"}, numpy());
    EXPECT_EQ(sliding.exit_code, 1);
    EXPECT_THAT(sliding.out, HasSubstr("held to the part full_attention of the model, which also "
                                       "has sliding_attention; they are right for "
                                       "sliding_attention: give --part sliding_attention"));
    const RunResult full = probe({"--config", "gemma-3-1b"}, numpy("base", "base", "1000000"));
    EXPECT_EQ(full.exit_code, 0) << full.out << full.err;
    EXPECT_THAT(full.out, HasSubstr("--part NAME holds them to another"));
    const RunResult told =
        probe({"--config", "gemma-3-1b", "--part", "sliding_attention"}, numpy());
    EXPECT_EQ(told.exit_code, 0) << told.out << told.err;
    EXPECT_THAT(told.out, Not(HasSubstr("held to the part")));
}

TEST_F(Probe, AFaultHasACodeARequestAndExitCodeOne) {
    const RunResult run = probe({"--config", "llama-3-8b"}, numpy());
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, testing::StartsWith("invalid: Found base 10000, expected 500000."));
    EXPECT_THAT(run.out, HasSubstr("spectrum.default (q and k): "));
    EXPECT_THAT(run.out, HasSubstr("  shown by request "));
    const RunResult json = probe({"--config", "llama-2-7b", "--format", "json"},
                                 numpy("job[\"id\"]}", "job[\"id\"]}"));
    EXPECT_EQ(Json::parse(json.out).at("verdict"), "valid");
    const RunResult decode =
        probe({"--config", "llama-2-7b", "--format", "json"},
              numpy("    half =",
                    "    x = x.copy()\n    positions = positions * (1 if x.shape[2] > 1 "
                    "else (np.arange(len(x)) == 0)[:, None])\n    half ="));
    EXPECT_EQ(decode.exit_code, 1);
    const Json report = Json::parse(decode.out);
    EXPECT_EQ(report.at("findings").at(0).at("code"), "rows.unrotated");
    const std::size_t shown = report.at("findings").at(0).at("request");
    EXPECT_EQ(report.at("requests").at(shown - 1).at("name"), "decode of two rows");
}

TEST_F(Probe, SavesTheSmallestFailingRequestForDiagnose) {
    const std::string folder = (temp_ / "saved").string();
    const RunResult run = probe({"--config", "llama-3-8b", "--save", folder}, numpy());
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("saved to "));
    for (const char* name : {"request.npz", "expected.npz", "answer.npz", "1-request.npz",
                             "1-answer.npz", "20-expected.npz"}) {
        EXPECT_TRUE(fs::exists(fs::path(folder) / name)) << name;
    }
    const RunResult diagnosis = run_ropescope({"diagnose", folder + "/answer.npz"});
    EXPECT_NE(diagnosis.exit_code, 2) << diagnosis.err;
    const RunResult right = probe({"--config", "llama-2-7b", "--save", folder + "2"}, numpy());
    EXPECT_THAT(right.out, HasSubstr("requests, each with expected and answer"));
    EXPECT_FALSE(fs::exists(folder + "2/answer.npz"));
    EXPECT_FALSE(fs::exists(folder + "2/request.npz"));
    EXPECT_EQ(
        run_ropescope({"diagnose", folder + "2/1-answer.npz", "--expect", "llama-2-7b"}).exit_code,
        0);
}

TEST_F(Probe, AFolderHoldsWhatOneRunHasSavedAndWhatOthersPutThere) {
    const fs::path folder = temp_ / "saved";
    fs::create_directories(folder);
    for (const char* name : {"99-request.npz", "99-answer.safetensors", "answer.npz",
                             "expected.npz", "mine.npz", "x-answer.npz", "answer.txt"}) {
        write_file_whole(folder / name, "of another run");
    }
    const RunResult run = probe({"--config", "llama-2-7b", "--save", folder.string()}, numpy());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    for (const char* stale :
         {"99-request.npz", "99-answer.safetensors", "answer.npz", "expected.npz"}) {
        EXPECT_FALSE(fs::exists(folder / stale)) << stale;
    }
    for (const char* kept : {"mine.npz", "x-answer.npz", "answer.txt", "1-answer.npz"}) {
        EXPECT_TRUE(fs::exists(folder / kept)) << kept;
    }
}

TEST_F(Probe, AdaptersThatEndOrSayNothingAreFindings) {
    for (const auto& [script, code, part] :
         std::vector<std::tuple<std::string, std::string, std::string>>{
             {"exit 3", "answer.error", "exit code 3"},
             {"echo out of cake >&2; exit 3", "answer.error", "last words 'out of cake'"},
             {"read line; kill -SEGV $$", "answer.error", "signal 11"},
             {"exec <&-; sleep 30", "answer.error", "closed its standard input or output"},
             {"exec >&-; sleep 30", "answer.error", "closed its standard input or output"},
             {"echo hello; cat >/dev/null", "answer.garbled", "'hello' came in place of"},
             {"echo '[1]'; cat >/dev/null", "answer.garbled", "'[1]' came in place of"},
             {"echo '{\"id\": 7}'; cat >/dev/null", "answer.garbled", "the answer has id 7"},
             {"yes | tr -d '\\n'", "answer.garbled", "a line of more than a mebibyte"}}) {
        SCOPED_TRACE(script);
        const RunResult run = probe_shell(script);
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_THAT(run.out, HasSubstr(code + ": "));
        EXPECT_THAT(run.out, HasSubstr(part));
    }
}

TEST_F(Probe, AnAnswerWithoutAFileIsAFinding) {
    const std::string says = "i=0; while read line; do i=$((i+1)); echo \"{\\\"id\\\": $i}\"; done";
    const RunResult run = probe_shell(says);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("answer.garbled: The answer cannot be read: answer"));
    EXPECT_THAT(run.out, Not(HasSubstr((temp_ / "tmp").string())));
    const RunResult refuses = probe_shell(
        "i=0; while read line; do i=$((i+1)); echo \"{\\\"id\\\": "
        "$i, \\\"error\\\": \\\"no\\\"}\"; done");
    EXPECT_THAT(refuses.out, HasSubstr("The implementation refuses: no."));
}

TEST_F(Probe, NaNAndShapesAreFindings) {
    RunResult run = probe({"--config", "llama-2-7b"},
                          numpy("np.cos(angle)", "np.cos(angle) / (positions.max() < 200)"));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("answer.not_finite"));
    run = probe({"--config", "llama-2-7b"}, numpy("axis=-1)", "axis=-1)[..., 1:]"));
    EXPECT_THAT(run.out, HasSubstr("answer.shape"));
    EXPECT_THAT(run.out, HasSubstr("is expected"));
}

TEST_F(Probe, NothingIsLeftOfAnAdapterThatHangs) {
    for (const std::string script :
         {"echo $$ >$OUT/pid; sleep 1000", "sleep 1000 & echo $! >$OUT/pid; wait",
          "trap '' TERM HUP INT; echo $$ >$OUT/pid; while :; do sleep 1; done"}) {
        SCOPED_TRACE(script);
        const RunResult run = probe_shell(script, "0.3");
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_THAT(run.out, HasSubstr("answer.timeout"));
        expect_gone();
    }
}

TEST_F(Probe, ChildrenOfAnAdapterThatEndsAreEndedToo) {
    const RunResult run = probe_shell("sleep 1000 >/dev/null 2>&1 & echo $! >$OUT/pid; exit 0");
    EXPECT_EQ(run.exit_code, 1);
    expect_gone();
}

TEST_F(Probe, ASignalEndsTheAdapterAndTheProgram) {
    RunOptions options;
    options.environment = {{"TMPDIR", (temp_ / "tmp").string()}, {"OUT", temp_.path().string()}};
    const std::string script =
        "\"$0\" probe --config llama-2-7b -- /bin/sh -c 'echo $$ >$OUT/pid; sleep 1000' & "
        "p=$!; while [ ! -s $OUT/pid ]; do sleep 0.05; done; kill -TERM $p; wait $p; echo rc $?";
    const RunResult run = run_command({"/bin/sh", "-c", script, program_path()}, options);
    EXPECT_THAT(run.out, HasSubstr("rc 143")) << run.err;
    expect_gone();
}

TEST_F(Probe, AReaderThatClosesItsPipeIsNoError) {
    RunOptions options;
    options.environment = {{"TMPDIR", (temp_ / "tmp").string()}};
    const RunResult run = run_command(
        {"/bin/sh", "-c", "\"$0\" probe --config llama-2-7b -- /bin/false | true", program_path()},
        options);
    EXPECT_EQ(run.err, "");
}

TEST_F(Probe, OptionsBehindTheDashesAreTheAdapters) {
    const RunResult run =
        probe({"--config", "llama-2-7b"},
              {"/bin/sh", "-c", "echo \"$@\" >$OUT/words; exit 1", "--help", "check", "", "-o"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(read_file(temp_ / "words"), "check  -o\n");
}

TEST_F(Probe, BadUsageIsOneLine) {
    for (const auto& [options, command, part] :
         std::vector<std::tuple<std::vector<std::string>, std::vector<std::string>, std::string>>{
             {{"--config", "llama-2-7b"}, {"/none/adapter"}, "cannot be started"},
             {{"--config", "llama-9"}, {"true"}, "llama-9"},
             {{"--config", "llama-2-7b", "--part", "vision"}, {"true"}, "give text"},
             {{"--config", "llama-2-7b", "--timeout", "0"}, {"true"}, "--timeout"},
             {{"--config", "llama-2-7b", "--dtypes", "int8"}, {"true"}, "--dtypes"},
             {{"--config", "llama-2-7b", "--max-position", "-1"}, {"true"}, "--max-position"},
             {{"--config", "llama-2-7b", "--exchange", "zip"}, {"true"}, "--exchange"},
             {{"--config", "llama-2-7b"}, {}, "write its command behind --"},
             {{}, {"true"}, "--config"}}) {
        SCOPED_TRACE(part);
        const RunResult run = probe(options, command);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, HasSubstr(part));
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    }
}

}  // namespace
}  // namespace ropescope::test
