// Files that another file names may be anything: a pipe, a device, a folder, a link to itself. Each
// is refused in a line, and none keeps a command waiting.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "core/base/index.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

namespace fs = std::filesystem;

/// What may lie at a path that is opened.
enum class Lies { pipe, device, folder, loop };

void put(Lies what, const fs::path& path) {
    switch (what) {
        case Lies::pipe:
            ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
            break;
        case Lies::device:
            fs::create_symlink("/dev/zero", path);
            break;
        case Lies::folder:
            fs::create_directory(path);
            break;
        case Lies::loop:
            fs::create_symlink(path.filename(), path);
            break;
    }
}

class HostilePath : public testing::TestWithParam<Lies> {
  protected:
    void SetUp() override {
        write_file_whole(folder_ / "config.json",
                         R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2})");
        for (const char* name : {"model", "index", "pack", "packed"}) {
            fs::create_directory(folder_ / name);
        }
        put(GetParam(), folder_ / "odd");
        put(GetParam(), folder_ / "model/config.json");
        put(GetParam(), folder_ / "index/a.safetensors");
        put(GetParam(), folder_ / "pack/index.json");
        put(GetParam(), folder_ / "packed/a.safetensors");
        write_file_whole(folder_ / "index/model.safetensors.index.json",
                         R"({"weight_map": {"a": "a.safetensors"}})");
        write_file_whole(folder_ / "packed/index.json",
                         R"({"format": 1, "data": "a.safetensors", "cases": []})");
        scene("dump", R"("view": "diagnose", "dump": "odd")");
        scene("model", R"("view": "spectrum", "model": "odd")");
        scene("folder", R"("view": "spectrum", "model": "model")");
    }
    void scene(const std::string& name, const std::string& rest) const {
        write_file_whole(folder_ / (name + ".json"), R"({"ropescope_scene": 1, )" + rest + "}");
    }

    TempFolder folder_;
};

TEST_P(HostilePath, ThatAFileNamesIsRefusedInOneLine) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"--scene", "dump.json", "figure", "diagnose", "-o", "o.csv"},
             {"--scene", "model.json", "figure", "spectrum", "-o", "o.csv"},
             {"--scene", "folder.json", "figure", "spectrum", "-o", "o.csv"},
             {"inspect", "model"},
             {"inspect", "index"},
             {"vectors", "--check", "pack", "--results", "config.json"},
             {"vectors", "--check", "packed", "--results", "config.json"}}) {
        const RunResult run =
            run_ropescope(arguments, {.environment = {},
                                      .standard_input = {},
                                      .directory = folder_.path(),
                                      .timeout = std::chrono::seconds(60 * kPatience)});
        const std::string what = testing::PrintToString(arguments);
        EXPECT_EQ(run.exit_code, 2) << what << run.err;
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << what << run.err;
        EXPECT_FALSE(fs::exists(folder_ / "o.csv")) << what;
    }
}
INSTANTIATE_TEST_SUITE_P(All, HostilePath,
                         testing::Values(Lies::pipe, Lies::device, Lies::folder, Lies::loop));

// A terabyte that is no part of the task costs no memory: its shape is refused first.
TEST(HugeFiles, AreRefusedByTheirShape) {
    const TempFolder folder;
    write_npy_with_hole(folder / "huge.npy", {Index{1} << 37});
    const std::vector<float> row(8, 0.5F);
    write_npy(folder / "q.npy", make_tensor("q", {1, 8}, std::span<const float>(row)).view());
    write_npy(folder / "table.npy", make_tensor("c", {2, 4}, std::span<const float>(row)).view());
    const std::vector<Index> ids = {1, 2, 3};
    write_npy(folder / "ids.npy", make_tensor("ids", {3}, std::span<const Index>(ids)).view());
    write_file_whole(folder / "text.json", R"({"rows": [[{"text": 3}]]})");
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"rotate", "q.npy", "-o", "o.npy", "--positions", "huge.npy"},
             {"rotate", "q.npy", "-o", "o.npy", "--cos", "huge.npy", "--sin", "huge.npy"},
             {"rotate", "q.npy", "-o", "o.npy", "--cos", "table.npy", "--sin", "huge.npy"},
             {"encode", "--ids", "huge.npy", "-o", "o.safetensors"},
             {"encode", "--ids", "ids.npy", "--mask", "huge.npy", "-o", "o.safetensors"},
             {"encode", "--ids", "ids.npy", "--type-ids", "huge.npy", "-o", "o.safetensors"},
             {"encode", "--ids", "ids.npy", "--positions", "huge.npy", "-o", "o.safetensors"},
             {"positions", "--config", "llama-2-7b", "--layout", "text.json", "--check",
              "huge.npy"}}) {
        const RunResult run =
            run_ropescope(arguments, {.environment = {}, .directory = folder.path()});
        EXPECT_EQ(run.exit_code, 2) << testing::PrintToString(arguments);
        EXPECT_THAT(run.err, testing::HasSubstr("huge.npy: shape [137438953472]"))
            << testing::PrintToString(arguments);
    }
}

// What belongs to the tokens is refused by its shape, too.
TEST(HugeFiles, InADumpAreRefusedByTheirShape) {
    const TempFolder folder;
    const std::string q = R"("q":{"dtype":"F8_E4M3","shape":[1,8],"data_offsets":[0,8]},)"
                          R"("q_rot":{"dtype":"F8_E4M3","shape":[1,8],"data_offsets":[8,16]},)";
    for (const char* name : {"positions", "q_scale"}) {
        const std::string header =
            "{" + q + "\"" + name +
            R"(":{"dtype":"F32","shape":[137438953472],"data_offsets":[16,549755813904]}})";
        std::string front(8, '\0');
        const std::uint64_t length = header.size();
        std::memcpy(front.data(), &length, sizeof length);
        write_file_whole(folder / "dump.safetensors", front + header);
        fs::resize_file(folder / "dump.safetensors", 8 + length + 549755813904);
        const RunResult run = run_ropescope({"diagnose", "dump.safetensors"},
                                            {.environment = {}, .directory = folder.path()});
        EXPECT_EQ(run.exit_code, 2) << name;
        EXPECT_THAT(run.err, testing::HasSubstr("shape [137438953472]")) << name;
    }
}

// Another process makes a file shorter while it is mapped: a sentence, and no signal.
TEST(ShrinkingFiles, EndACommandWithTheirName) {
    const TempFolder folder;
    const std::string script =
        "import os, subprocess, sys, time\n"
        "command = [sys.argv[1], 'rotate', 'x.npy', '-o', 'o.npy']\n"
        "start = time.monotonic()\n"
        "subprocess.run(command, stderr=subprocess.DEVNULL)\n"
        "undisturbed = time.monotonic() - start\n"
        "for i in range(40):\n"
        "    with open('x.npy', 'r+b') as file: file.truncate(int(sys.argv[2]))\n"
        "    run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)\n"
        "    time.sleep(undisturbed * i / 40)\n"
        "    os.truncate('x.npy', 200)\n"
        "    said = run.communicate()[1]\n"
        "    if 'x.npy: lost bytes' in said:\n"
        "        sys.exit(run.returncode != 2 or said.count('\\n') != 1)\n"
        "    if run.returncode not in (0, 2): break\n"
        "sys.exit(repr(run.returncode) + ' ' + said)\n";
    write_npy_with_hole(folder / "x.npy", {1 << 16, 512});
    const std::string size = std::to_string(fs::file_size(folder / "x.npy"));
    const RunResult run = run_command({"/usr/bin/python3", "-c", script, program_path(), size},
                                      {.environment = {}, .directory = folder.path()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_FALSE(fs::exists(folder / "o.npy"));
}

}  // namespace
}  // namespace ropescope::test
