// `screenshot` and `backends` as programs: files, exit codes, messages.
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "tests/support/needs_egl.h"
#include "tests/support/no_egl.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

std::vector<std::string> files_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

/// Width and height of a PNG, big-endian after the 16 bytes of its start.
std::pair<unsigned, unsigned> png_size(const std::string& png) {
    const auto number = [&](std::size_t at) {
        unsigned value = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            value = value * 256 + static_cast<unsigned char>(png.at(at + i));
        }
        return value;
    };
    return {number(16), number(20)};
}

TEST(Screenshot, WritesTheSizeTimesTheScale) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    const std::string path = (folder / "a.png").string();
    const RunResult run =
        run_ropescope({"screenshot", "rotation", "--size", "480x360", "--scale", "2", "-o", path});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(png_size(read_file(path)), std::pair(960U, 720U));
}

TEST(Screenshot, TwoRunsGiveTheSameBytes) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    for (const char* name : {"a.png", "b.png"}) {
        const RunResult run = run_ropescope(
            {"screenshot", "table", "--size", "640x480", "-o", (folder / name).string()});
        ASSERT_EQ(run.exit_code, 0) << run.err;
    }
    EXPECT_EQ(read_file(folder / "a.png"), read_file(folder / "b.png"));
}

TEST(Screenshot, SeveralPicturesAreNamedByViewAndTheme) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    const RunResult run = run_ropescope({"screenshot", "--all", "--size", "480x360", "--theme",
                                         "light,dark", "-o", folder.path().string()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<std::string> expected = {"rotation-dark.png", "rotation-light.png",
                                               "spectrum-dark.png", "spectrum-light.png",
                                               "table-dark.png",    "table-light.png"};
    const std::vector<std::string> files = files_in(folder.path());
    EXPECT_TRUE(std::ranges::includes(files, expected)) << testing::PrintToString(files);
}

TEST(Screenshot, SettingsReachThePicture) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    run_ropescope(
        {"screenshot", "spectrum", "--size", "640x480", "-o", (folder / "a.png").string()});
    run_ropescope({"--set", "base=500000", "screenshot", "spectrum", "--size", "640x480", "-o",
                   (folder / "b.png").string()});
    EXPECT_NE(read_file(folder / "a.png"), read_file(folder / "b.png"));
}

struct Refusal {
    std::vector<std::string> arguments;
    std::string says;
};

TEST(Screenshot, BadInputExitsWith2AndOneLine) {
    ROPESCOPE_NEEDS_EGL();
    const TempFolder folder;
    const std::string a = (folder / "a.png").string();
    const std::vector<Refusal> refusals = {
        {{"screenshot", "-o", a}, "--all"},
        {{"screenshot", "rotation", "--all", "-o", a}, "--all"},
        {{"screenshot", "--all", "-o", a}, "folder"},
        {{"screenshot", "rotation", "--theme", "dark,light", "-o", a}, "folder"},
        {{"screenshot", "rotatoin", "-o", a}, "rotation"},
        {{"screenshot", "rotation", "--theme", "dusk", "-o", a}, "projector"},
        {{"screenshot", "rotation", "--size", "400", "-o", a}, "1600x1000"},
        {{"screenshot", "rotation", "--size", "0x300", "-o", a}, "1600x1000"},
        {{"screenshot", "rotation", "--size", "479x900", "-o", a}, "smallest window, 480x360"},
        {{"screenshot", "rotation", "--size", "400x300x2", "-o", a}, "1600x1000"},
        {{"screenshot", "rotation", "--size", "99999999999x300", "-o", a}, "1600x1000"},
        {{"screenshot", "rotation", "--size", "200000x400", "-o", a}, "200000"},
        {{"screenshot", "rotation", "--scale", "0", "-o", a}, "0.5"},
        {{"screenshot", "rotation", "--scale", "nan", "-o", a}, "scale"},
        {{"--set", "rotary_dim=256", "screenshot", "rotation", "-o", a}, "rotary_dim"},
        {{"screenshot", "rotation", "--size", "480x360", "-o", "/proc/nowhere/a.png"}, "nowhere"},
    };
    for (const Refusal& refusal : refusals) {
        const RunResult run = run_ropescope(refusal.arguments);
        const std::string what = testing::PrintToString(refusal.arguments);
        EXPECT_EQ(run.exit_code, 2) << what << run.err;
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << what << run.err;
        EXPECT_NE(run.err.find(refusal.says), std::string::npos) << what << run.err;
    }
    EXPECT_TRUE(files_in(folder.path()).empty());
}

TEST(Screenshot, WithoutEglExitsWith3) {
    const TempFolder folder;
    EXPECT_EQ(run_ropescope({"screenshot", "rotation", "-o", (folder / "a.png").string()}, kNoEgl)
                  .exit_code,
              3);
    EXPECT_TRUE(files_in(folder.path()).empty());
}

TEST(Screenshot, WithoutEglSaysInOneLineWhatToInstall) {
    const RunResult run = run_ropescope({"screenshot", "rotation", "-o", "a.png"}, kNoEgl);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_NE(run.err.find("libegl-mesa0"), std::string::npos) << run.err;
}

TEST(Backends, ListsWhatWouldBeUsed) {
    ROPESCOPE_NEEDS_EGL();
    const RunResult run = run_ropescope({"--format", "json", "backends"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json.at("engines").at(0).at("name"), "cpu");
    EXPECT_EQ(json.at("engines").at(1).at("name"), "gpu");
    EXPECT_NE(json.at("engines").at(0).at("used"), json.at("engines").at(1).at("used"));
    int used = 0;
    for (const auto& device : json.at("egl_devices")) {
        used += device.at("used").get<bool>() ? 1 : 0;
        if (device.at("used")) {
            EXPECT_TRUE(device.at("usable"));
            EXPECT_NE(device.at("gl_version"), "");
        }
    }
    EXPECT_EQ(used, 1);
}

TEST(Backends, HardwareComesBeforeSoftware) {
    bool software_seen = false;
    for (const headless::EglDevice& device : headless::list_egl_devices()) {
        EXPECT_FALSE(software_seen && !device.software) << device.name;
        software_seen = software_seen || device.software;
    }
}

TEST(Backends, DriversThatCannotBeOpenedAreNotToldByMesaToo) {
    const RunResult run =
        run_ropescope({"backends"}, {.environment = {{"LIBGL_DRIVERS_PATH", "/nonexistent"}}});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
}

TEST(Backends, WithoutEglIsAnAnswerToo) {
    const RunResult run = run_ropescope({"backends"}, kNoEgl);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("none usable"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace ropescope::test
