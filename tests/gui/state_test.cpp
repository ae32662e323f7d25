// What the window remembers survives the end of a session, of its display and of its neighbours.
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/gui/on_a_display.h"
#include "tests/support/needs_egl.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using testing::HasSubstr;

class RememberingWindow : public OnADisplay {
  protected:
    std::unique_ptr<ChildProcess> start(const std::vector<std::string>& options) {
        std::vector<std::string> command = {"sh", "-c",
                                            "echo $$ > \"$0/pid\"; exec \"$@\" 2> \"$0/said\"",
                                            folder_.path().string(), program_path()};
        command.insert(command.end(), options.begin(), options.end());
        auto program = std::make_unique<ChildProcess>(
            command,
            std::vector<std::pair<std::string, std::string>>{
                {"DISPLAY", display_->name()}, {"XDG_CONFIG_HOME", folder_.path().string()}});
        wait_until_drawn();
        return program;
    }
    void signal(int number) const {
        ASSERT_EQ(::kill(std::stoi(read_file(folder_ / "pid")), number), 0);
    }
    std::string remembered() const { return read_file(folder_ / "ropescope/window.json"); }

    TempFolder folder_;
};

TEST_F(RememberingWindow, SavesWhenASignalEndsIt) {
    ROPESCOPE_NEEDS_EGL();
    for (const auto& [number, theme] : {std::pair{SIGTERM, "light"}, {SIGHUP, "projector"}}) {
        const auto program = start({"--set", "base=4711", "app", "--theme", theme});
        signal(number);
        EXPECT_EQ(program->wait(30), 128 + number);
        EXPECT_THAT(remembered(), HasSubstr(fmt::format("\"theme\": \"{}\"", theme)));
        EXPECT_THAT(remembered(), HasSubstr("4711"));
        EXPECT_EQ(read_file(folder_ / "said"), "");
    }
}

TEST_F(RememberingWindow, SavesWhenItsServerEnds) {
    ROPESCOPE_NEEDS_EGL();
    const auto program = start({"app", "--theme", "light"});
    display_->end();
    EXPECT_EQ(program->wait(30), 3);
    EXPECT_THAT(remembered(), HasSubstr(R"("theme": "light")"));
}

TEST_F(RememberingWindow, OpensWhateverLiesInPlaceOfItsFiles) {
    ROPESCOPE_NEEDS_EGL();
    const std::filesystem::path own = folder_ / "ropescope";
    std::filesystem::create_directory(own);
    ASSERT_EQ(::mkfifo((own / "window.json").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", own / "lessons.json");
    const auto program = start({"app"});
    signal(SIGINT);
    EXPECT_EQ(program->wait(30), 128 + SIGINT);
    EXPECT_TRUE(std::filesystem::is_fifo(own / "window.json.broken"));
    EXPECT_TRUE(std::filesystem::is_symlink(own / "lessons.json.broken"));
    EXPECT_THAT(remembered(), HasSubstr(R"("theme": "dark")"));
}

}  // namespace
}  // namespace ropescope::test
