// `probe` with adapters that mean harm, or are as wrong as if they did: it says what came, in time,
// and leaves nothing behind.
#include <gmock/gmock.h>

#include "tests/cli/probe_fixture.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;

using HostileAdapter = Probe;

TEST_F(HostileAdapter, LinesThatNestWithoutEndAreNoAnswers) {
    for (const char* deep :
         {"line = '{\"id\": ' + '[' * 80000 + ']' * 80000 + '}'",
          "line = '{\"id\": 1, \"error\": ' + '[' * 80000 + ']' * 80000 + '}'",
          "line = '{\"id\": 1, \"error\": ' + '{\"a\": ' * 80000 + '1' + '}' * 80000 + '}'",
          "line = '[' * 1000000"}) {
        SCOPED_TRACE(deep);
        const RunResult run = probe_python(deep);
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_THAT(run.out, HasSubstr("answer.garbled: "));
    }
}

/// An answer in place of a file of tensors, and what is said of it.
struct Written {
    const char* answer;
    const char* said;
};

class AnswerFile : public HostileAdapter, public testing::WithParamInterface<Written> {};

TEST_P(AnswerFile, ThatIsNoneIsAFindingAndKeepsNobodyWaiting) {
    for (const char* exchange : {"npz", "safetensors"}) {
        const RunResult run = probe_python(GetParam().answer, {"--exchange", exchange});
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_THAT(run.out, HasSubstr("answer.garbled: The answer cannot be read: answer"));
        EXPECT_THAT(run.out, HasSubstr(GetParam().said));
    }
}

constexpr const char* kNoRegularFile = "is a pipe or a device";

INSTANTIATE_TEST_SUITE_P(
    Kinds, AnswerFile,
    testing::Values(
        Written{"os.mkfifo(path)", kNoRegularFile},
        Written{"os.mkfifo(path + '.other')\nos.symlink(path + '.other', path)", kNoRegularFile},
        Written{"os.symlink('/dev/zero', path)", kNoRegularFile},
        Written{"os.symlink('/dev/null', path)", kNoRegularFile},
        Written{"os.mkdir(path)\nopen(path + '/x', 'w').close()\nos.chmod(path, 0)", "is a folder"},
        Written{"socket.socket(socket.AF_UNIX).bind(path)", "cannot be opened"},
        Written{"os.symlink(path, path)", "cannot be opened"},
        Written{"os.symlink(path + '.nothing', path)", "cannot be opened"},
        Written{"f = open(path, 'wb')\nf.truncate(1 << 42)", "is longer than the "},
        Written{"open(path, 'wb').write(b'{\"a\": 1}' * 100)", ""},
        Written{"open(path, 'wb').close()", ""}));

TEST_F(HostileAdapter, ATensorOfAnotherShapeIsToldByItsHeader) {
    // A gigabyte of zeros in a small archive: only its header is read.
    const RunResult run = probe_python(
        "import numpy as np\n"
        "np.savez_compressed(path, q_rot=np.zeros((1 << 14, 1 << 6), np.int64), "
        "k_rot=np.zeros(3))");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("answer.shape (q_rot): q_rot has shape [16384, 64]; "));
}

TEST_F(HostileAdapter, AnAnswerThatShrinksWhileItIsReadEndsNothing) {
    // The file is as long as an answer may be, and another process cuts it again and again.
    const RunResult run = probe_python(
        "header = "
        "b'{\"q_rot\":{\"dtype\":\"F32\",\"shape\":[1,32,5,128],\"data_offsets\":[0,81920]}}'\n"
        "whole = len(header).to_bytes(8, 'little') + header + bytes(81920)\n"
        "open(path, 'wb').write(whole)\n"
        "subprocess.Popen([sys.executable, '-c', \n"
        "    'import os, sys\\nfor i in range(2000): os.truncate(sys.argv[1], i % 2 * 80000)', "
        "path],\n"
        "    stderr=subprocess.DEVNULL)",
        {"--exchange", "safetensors"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(run.out, HasSubstr("answer."));
}

TEST_F(HostileAdapter, EverySignalThatAsksItToEndDoesAndLeavesNothing) {
    RunOptions options;
    options.environment = {{"TMPDIR", (temp_ / "tmp").string()}, {"OUT", temp_.path().string()}};
    const std::string script =
        "import os, signal, subprocess, sys, time\n"
        "run = subprocess.Popen([sys.argv[1], 'probe', '--config', 'llama-2-7b', '--', '/bin/sh',\n"
        "                        '-c', 'echo $$ >$OUT/pid; sleep 1000'])\n"
        "pid = os.environ['OUT'] + '/pid'\n"
        "while not os.path.exists(pid) or not os.path.getsize(pid): time.sleep(0.05)\n"
        "run.send_signal(getattr(signal, sys.argv[2]))\n"
        "print(run.wait() == -getattr(signal, sys.argv[2]))\n";
    for (const char* signal :
         {"SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM",
          "SIGPROF", "SIGXCPU", "SIGIO", "SIGPWR", "SIGABRT", "SIGTRAP", "SIGPIPE", "SIGRTMIN"}) {
        SCOPED_TRACE(signal);
        fs::remove(temp_ / "pid");
        const RunResult run =
            run_command({"/usr/bin/python3", "-c", script, program_path(), signal}, options);
        EXPECT_EQ(run.out, "True\n") << run.err;
        EXPECT_TRUE(fs::is_empty(temp_ / "tmp"));
        expect_gone();
    }
}

TEST_F(HostileAdapter, AReaderOfItsErrorsThatGoesAwayEndsItAndLeavesNothing) {
    RunOptions options;
    options.environment = {{"TMPDIR", (temp_ / "tmp").string()}, {"OUT", temp_.path().string()}};
    const std::string script =
        "\"$0\" probe --config llama-2-7b -- /bin/sh -c 'echo $$ >$OUT/pid; yes >&2' 2>&1 "
        ">/dev/null | head -n 1";
    run_command({"/bin/sh", "-c", script, program_path()}, options);
    EXPECT_TRUE(fs::is_empty(temp_ / "tmp"));
    expect_gone();
}

TEST_F(HostileAdapter, WhatItStartsInASessionOfItsOwnIsEndedToo) {
    const RunResult run = probe_shell(
        "setsid sh -c 'setsid sleep 1000 & echo $! >$OUT/pid; sleep 1000' >/dev/null 2>&1 & "
        "while [ ! -s $OUT/pid ]; do sleep 0.05; done; exit 0");
    EXPECT_EQ(run.exit_code, 1);
    expect_gone();
}

TEST_F(HostileAdapter, OneThatLeavesItsGroupIsEnded) {
    const RunResult run = probe({"--config", "llama-2-7b", "--timeout", "1"},
                                {"/usr/bin/python3", "-c",
                                 "import os, time\n"
                                 "open(os.environ['OUT'] + '/pid', 'w').write(str(os.getpid()))\n"
                                 "os.setpgid(0, os.getpgid(os.getppid()))\n"
                                 "time.sleep(1000)"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(run.out, HasSubstr("answer.timeout"));
    expect_gone();
}

TEST_F(HostileAdapter, AReaderOfItsErrorsThatReadsNothingKeepsNobodyWaiting) {
    RunOptions options;
    options.environment = {{"TMPDIR", (temp_ / "tmp").string()}, {"OUT", temp_.path().string()}};
    const std::string script =
        "import subprocess, sys\n"
        "run = subprocess.Popen([sys.argv[1], 'probe', '--config', 'llama-2-7b', '--timeout', "
        "'1',\n"
        "    '--', '/bin/sh', '-c', 'echo $$ >$OUT/pid; head -c 300000 /dev/zero >&2; sleep "
        "1000'],\n"
        "    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)\n"
        "try: print(run.wait(timeout=30))\n"
        "except subprocess.TimeoutExpired: run.kill()\n";
    EXPECT_EQ(run_command({"/usr/bin/python3", "-c", script, program_path()}, options).out, "1\n");
    expect_gone();
}

TEST_F(HostileAdapter, IsEndedEvenIfProbeIsKilled) {
    RunOptions options;
    options.environment = {{"TMPDIR", (temp_ / "tmp").string()}, {"OUT", temp_.path().string()}};
    const std::string script =
        "\"$0\" probe --config llama-2-7b -- /bin/sh -c 'echo $$ >$OUT/pid; exec sleep 1000' & "
        "while [ ! -s $OUT/pid ]; do sleep 0.05; done; kill -KILL $!";
    run_command({"/bin/sh", "-c", script, program_path()}, options);
    expect_gone();
    for (const auto& left : fs::directory_iterator(temp_ / "tmp")) {
        fs::remove_all(left);
    }
}

TEST_F(HostileAdapter, FoldersInFoldersAreRemovedWithFewDescriptors) {
    const std::string adapter = temp_ / "deep.py";
    write_file_whole(adapter,
                     "import json, os, sys\n"
                     "os.chdir(os.path.dirname(json.loads(sys.stdin.readline())['output']))\n"
                     "for i in range(3000):\n"
                     "    os.mkdir('d')\n"
                     "    os.chdir('d')\n");
    RunOptions options;
    options.environment = {{"TMPDIR", (temp_ / "tmp").string()}};
    run_command({"/bin/sh", "-c",
                 "ulimit -n 64; exec \"$0\" probe --config llama-2-7b -- /usr/bin/python3 \"$1\"",
                 program_path(), adapter},
                options);
    EXPECT_TRUE(fs::is_empty(temp_ / "tmp"));
}

TEST_F(HostileAdapter, WhatItDoesToTheFolderIsAFinding) {
    for (const char* taken : {"os.makedirs(os.path.dirname(path) + '/request2.npz/x')",
                              "os.mkfifo(os.path.dirname(path) + '/request2.npz')",
                              "os.symlink('/dev/null', os.path.dirname(path) + '/request2.npz')"}) {
        SCOPED_TRACE(taken);
        const RunResult run = probe_python(taken);
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_THAT(run.out, HasSubstr("the adapter made request2.npz"));
    }
    const RunResult run = probe_python("import shutil\nshutil.rmtree(os.path.dirname(path), True)");
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(run.out, HasSubstr("took the folder of requests and answers away"));
}

TEST_F(HostileAdapter, WhatOthersHaveStartedLivesOn) {
    RunOptions options;
    options.environment = {{"TMPDIR", (temp_ / "tmp").string()}, {"OUT", temp_.path().string()}};
    const std::string script =
        "sh -c 'sleep 0.3; sleep 1000 >/dev/null 2>&1 & echo $! >$OUT/pid' & "
        "exec \"$0\" probe --config llama-2-7b --timeout 1 -- sleep 1000";
    run_command({"/bin/sh", "-c", script, program_path()}, options);
    const pid_t pid = std::stoi(read_file(temp_ / "pid"));
    EXPECT_EQ(::kill(pid, SIGKILL), 0);
}

}  // namespace
}  // namespace ropescope::test
