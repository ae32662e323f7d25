// What a command of the program is, and the list of all: each is a file and a name in this header.
// Sources: command.cpp runs them; check.cpp, app.cpp, figure.cpp, record.cpp, lesson.cpp,
// inspect.cpp, screenshot.cpp, rotate.cpp, positions.cpp, diagnose.cpp, diff.cpp, probe.cpp,
// vectors.cpp, encode.cpp, bench.cpp, backends.cpp, glossary.cpp, docs.cpp, site.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ropescope::cli {

// An option of a command as a value: its names, its texts, and where its value goes.

/// Where the parser writes the value; the type says what is accepted. A bool is true if the option
/// is there and takes no value. An optional stays empty if the option is not there.
using OptionTarget =
    std::variant<bool*, double*, std::int64_t*, std::string*, std::vector<std::string>*,
                 std::optional<double>*, std::optional<int>*, std::optional<std::int64_t>*,
                 std::optional<std::uint64_t>*, std::optional<std::string>*>;

struct Option {
    std::string names;      ///< "-o,--output"; without a dash an argument that needs no name
    OptionTarget target;    ///< must live until the command has run
    std::string type = {};  ///< the form of the value, for people: "FILE.npy"
    std::string text = {};  ///< what it is for; empty for an option that --help does not show
    bool required = false;
    std::vector<std::string> choices = {};  ///< if not empty, the value is one of them
    bool* given = nullptr;                  ///< set to true if the option is there
    bool rest = false;  ///< of an argument without a name: takes all words that are left

    bool shown() const { return !text.empty(); }
    bool takes_value() const { return !std::holds_alternative<bool*>(target); }
    bool named() const { return names.starts_with('-'); }
    /// Its value names what the command writes: -o, --junit and --handout, in every command.
    bool writes() const;
    /// The texts that it was given.
    std::vector<std::string> values() const;
    /// "-o" and "--output"; empty for an argument without a name.
    std::vector<std::string> name_list() const;
};

/// Options in front of the command or behind it.
struct GlobalOptions {
    std::string scene_file;
    std::vector<std::string> settings;  ///< --set name=value, in order
    std::string engine = "auto";
    std::string device;  ///< --device: which EGL device the GPU engine computes on
    std::string format = "text";
    bool format_given = false;
    bool list_parameters = false;  ///< --parameters: print the table of them and exit
    std::string manual_folder;  ///< --write-manual: where the build wants man pages and completions
};

// Functions, since a value that is made before main() has nobody to say that there is no memory.
/// Global options that a command can read.
inline std::vector<std::string> all_options() {
    return {"--scene", "--set", "--engine", "--device", "--format"};
}
inline std::vector<std::string> options_of_pictures() {
    return {"--scene", "--set", "--engine", "--device"};
}
/// What --format takes unless a command writes more.
inline std::vector<std::string> usual_formats() {
    return {"text", "json"};
}

struct Command {
    std::string name;
    std::string text;  ///< what it is for, one line
    std::vector<Option> options = {};
    std::function<int()> run;                            ///< returns the exit code
    std::vector<std::string> reads = all_options();      ///< the others are refused, not ignored
    std::vector<std::string> formats = usual_formats();  ///< of --format
    std::string footer = {};                             ///< examples, the end of its --help
};

/// A command with its own options. `options` are complete when the command runs.
using MakeCommand = Command(GlobalOptions& options);
MakeCommand check_command, app_command, figure_command, record_command, lesson_command,
    inspect_command, screenshot_command, rotate_command, positions_command, diagnose_command,
    diff_command, probe_command, vectors_command, encode_command, bench_command, backends_command,
    glossary_command, docs_command, site_command;
/// In the order of --help.
inline constexpr std::array kCommands = {
    &check_command,    &app_command,        &figure_command,  &record_command,    &lesson_command,
    &inspect_command,  &screenshot_command, &rotate_command,  &positions_command, &diagnose_command,
    &diff_command,     &probe_command,      &vectors_command, &encode_command,    &bench_command,
    &backends_command, &glossary_command,   &docs_command,    &site_command};

/// The whole program: its options stand in front of a command or behind it.
struct Program {
    std::string text;
    std::vector<Option> options = {};
    std::vector<Command> commands = {};
    std::string footer = {};
};

/// Parses and runs. Returns 0 if all is well, 1 if a check failed, 2 for bad usage or bad input, 3
/// if a display, a GPU or memory is missing. An error is one line on standard error.
int main(int argc, const char* const* argv);

}  // namespace ropescope::cli
