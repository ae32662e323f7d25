// What `cmake --install` puts below a prefix: the program, its manual, completions and desktop
// files.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

using test::run_command;
using test::run_ropescope;
using test::RunResult;
using testing::HasSubstr;

/// The commands that the program's help lists.
std::vector<std::string> command_names() {
    const std::regex command(R"(^  ([a-z]+)   )");
    const std::string help = run_ropescope({"--help"}).out;
    std::istringstream lines(help.substr(help.find("Subcommands:")));
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
        if (std::smatch match; std::regex_search(line, match, command)) {
            names.push_back(match[1]);
        } else if (!names.empty()) {
            break;
        }
    }
    EXPECT_GT(names.size(), 5U) << help;
    return names;
}

class Installation : public testing::Test {
  protected:
    void SetUp() override {
        const std::string build = std::filesystem::path(test::program_path()).parent_path();
        const RunResult done =
            run_command({"cmake", "--install", build, "--prefix", prefix.path().string()});
        ASSERT_EQ(done.exit_code, 0) << done.out << done.err;
    }

    std::string installed(const std::string& path) const { return (prefix.path() / path).string(); }

    test::TempFolder prefix;
};

/// Options at the beginning of the lines of a command's help, "--name".
std::vector<std::string> options_in_help(const std::string& command) {
    const std::regex option(R"(^ +(?:-[a-z],)?(--[a-z0-9-]+))");
    std::vector<std::string> names;
    std::istringstream help(run_ropescope({command, "--help"}).out);
    for (std::string line; std::getline(help, line);) {
        if (std::smatch match; std::regex_search(line, match, option)) {
            names.push_back(match[1]);
        }
    }
    return names;
}

/// Runs a tool of tools/packages.txt, [test], which must find nothing.
void expect_no_complaint(const std::string& tool, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), tool);
    const RunResult run = run_command(arguments, {.environment = {{"LC_ALL", "C.UTF-8"}}});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_EQ(run.err, "");
}

/// The project has no page of its own, which AppStream warns of from release 1.0 on.
void expect_valid_metainfo(const std::string& path) {
    const RunResult run = run_command({"appstreamcli", "validate", "--no-net", path},
                                      {.environment = {{"LC_ALL", "C.UTF-8"}}});
    EXPECT_THAT(run.out, HasSubstr("Validation"));
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
        const bool complains = line.starts_with("E: ") || line.starts_with("W: ");
        EXPECT_TRUE(!complains || line.ends_with("url-homepage-missing")) << run.out;
    }
}

TEST_F(Installation, ShellsCompleteEveryCommandAndOption) {
    const std::string bash = read_file(installed("share/bash-completion/completions/ropescope"));
    const std::string zsh = read_file(installed("share/zsh/vendor-completions/_ropescope"));
    for (const std::string& command : command_names()) {
        EXPECT_THAT(bash, HasSubstr("    " + command + ") words="));
        EXPECT_THAT(zsh, HasSubstr("'" + command + ":"));
        const std::vector<std::string> options = options_in_help(command);
        EXPECT_THAT(options, testing::Not(testing::IsEmpty()));
        for (const std::string& option : options) {
            EXPECT_THAT(bash, HasSubstr(option));
            EXPECT_THAT(zsh, HasSubstr("'" + option + "["));
        }
    }
    EXPECT_EQ(
        run_command({"bash", "-n", installed("share/bash-completion/completions/ropescope")}).err,
        "");
}

TEST_F(Installation, EachCommandHasAManPageWithoutWarnings) {
    for (const std::string& command : command_names()) {
        const std::string page = installed("share/man/man1/ropescope-" + command + ".1.gz");
        EXPECT_TRUE(std::filesystem::exists(page)) << page;
        expect_no_complaint("man", {"--warnings", "--local-file", "-Tutf8", page});
        const RunResult text = run_command({"gzip", "-cd", page});
        for (const std::string& option : options_in_help(command)) {
            EXPECT_THAT(text.out, HasSubstr(std::regex_replace(option, std::regex("-"), "\\-")));
        }
    }
}

TEST_F(Installation, TheDesktopFilesAreValid) {
    EXPECT_TRUE(
        std::filesystem::exists(installed("share/icons/hicolor/scalable/apps/ropescope.svg")));
    expect_no_complaint("desktop-file-validate",
                        {installed("share/applications/ropescope.desktop")});
    expect_valid_metainfo(installed("share/metainfo/io.github.ropescope.metainfo.xml"));
}

/// A program in C that was built with the installed library runs.
void expect_llama(const std::string& program, const std::string& library_folder) {
    const RunResult run =
        run_command({program}, {.environment = {{"LD_LIBRARY_PATH", library_folder}}});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("llama-3.1-8b: 64 pairs in heads of 128 channels"));
}

class InstalledLibrary : public Installation {
  protected:
    void SetUp() override {
#ifdef ROPESCOPE_SANITIZED
        GTEST_SKIP() << "the compiler of another program links no sanitizer to the library";
#endif
        Installation::SetUp();
        for (const auto& entry : std::filesystem::recursive_directory_iterator(prefix.path())) {
            if (entry.path().filename() == "ropescope.pc") {
                library = entry.path().parent_path().parent_path();
            }
        }
        ASSERT_FALSE(library.empty());
    }

    std::string example = test::source_dir() + "/library/example.c";
    std::filesystem::path library;
};

TEST_F(InstalledLibrary, IsFoundByPkgConfig) {
    const std::string program = (prefix.path() / "example").string();
    const RunResult built =
        run_command({"sh", "-c", "cc -o \"$1\" \"$0\" $(pkg-config --cflags --libs ropescope)",
                     example, program},
                    {.environment = {{"PKG_CONFIG_PATH", (library / "pkgconfig").string()}}});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    expect_llama(program, library.string());
}

TEST_F(InstalledLibrary, IsFoundByCMake) {
    const test::TempFolder project;
    write_file_whole(project / "CMakeLists.txt",
                     "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES C)\n"
                     "find_package(ropescope 0.1 REQUIRED)\nadd_executable(example \"" +
                         example + "\")\ntarget_link_libraries(example ropescope::ropescope)\n");
    const std::string build = (project / "build").string();
    const RunResult configured =
        run_command({"cmake", "-G", "Ninja", "-S", project.path().string(), "-B", build,
                     "-DCMAKE_PREFIX_PATH=" + prefix.path().string()});
    ASSERT_EQ(configured.exit_code, 0) << configured.err;
    const RunResult built = run_command({"cmake", "--build", build});
    ASSERT_EQ(built.exit_code, 0) << built.out;
    expect_llama(build + "/example", library.string());
}

TEST_F(Installation, TheInstalledProgramRuns) {
    const RunResult version = run_command({installed("bin/ropescope"), "--version"});
    EXPECT_EQ(version.exit_code, 0) << version.err;
    EXPECT_THAT(version.out, HasSubstr("ropescope "));
}

}  // namespace
}  // namespace ropescope
