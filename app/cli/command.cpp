// Runs the command that the command line names, and reports an error in one line.
#include "app/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <new>
#include <string_view>
#include <utility>

#include "app/cli/engines.h"
#include "app/cli/last_words.h"
#include "app/cli/manual.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/scene/parameters.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/mapped_file.h"
#include "core/base/parse_list.h"
#include "core/base/removed_at_end.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

constexpr std::string_view kExamples = R"(

Examples:
  ropescope                                      the desktop app
  ropescope --set model=llama-3-8b app           the same, opened on a model
  ropescope check                                prove the mathematics, exit code 1 if it fails
  ropescope figure spectrum --set base=500000 -o spectrum.svg
  ropescope screenshot rotation --theme dark -o rotation.png
  ropescope inspect config.json --seq-len 32768  a model's rotary parameters and spectrum
  ropescope rotate q.npy -o q_rot.npy --layout half_split --base 10000
  ropescope encode --model DIR --ids ids.npy -o trace.safetensors

Exit codes: 0 ok, 1 a check failed, 2 bad usage or bad input, 3 a display, a GPU or memory
is missing.)";

/// The end of --help: what --set takes, examples, exit codes.
std::string footer() {
    std::string names;
    for (const Parameter& parameter : parameters()) {
        names += (names.empty() ? "" : ", ") + parameter.name;
    }
    return "Scene parameters for --set (ropescope --parameters explains them): " + names +
           std::string(kExamples);
}

std::vector<Option> global_options(GlobalOptions& options) {
    return {
        {.names = "--scene",
         .target = &options.scene_file,
         .type = "FILE",
         .text = "Scene file (JSON) to start from"},
        {.names = "--set",
         .target = &options.settings,
         .type = "NAME=VALUE",
         .text = "Set one scene parameter; may be repeated"},
        {.names = "--engine",
         .target = &options.engine,
         .type = fmt::format("{}", fmt::join(engine_words(), "|")),
         .text = "Where to compute (default auto)"},
        {.names = "--device",
         .target = &options.device,
         .type = "DEVICE",
         .text = "GPU to compute on: a number or a part of a name that `backends` shows, "
                 "hardware or software"},
        {.names = "--format",
         .target = &options.format,
         .type = "text|json",
         .text = "How reports are written (default text)",  // All formats of all commands;
                                                            // refuse_unread_options() refuses those
                                                            // of other commands.
         .choices = {"text", "json", "junit", "markdown"},
         .given = &options.format_given},
        {.names = "--parameters",
         .target = &options.list_parameters,
         .text = "Print the table of scene parameters (Markdown) and exit"},
        {.names = "--write-manual", .target = &options.manual_folder, .type = "FOLDER"},
    };
}

int fail(std::string_view message, int exit_code) {
    tell(message);
    return exit_code;
}

void refuse_unread_options(const Command& command, const std::vector<std::string>& given,
                           const GlobalOptions& options) {
    for (const std::string& option : all_options()) {
        if (std::ranges::find(given, option) != given.end() &&
            std::ranges::find(command.reads, option) == command.reads.end()) {
            throw InputError(
                fmt::format("{} has no effect on {}; leave it out", option, command.name));
        }
    }
    if (std::ranges::find(command.formats, options.format) == command.formats.end()) {
        throw InputError(fmt::format("--format: {} cannot write '{}'; give one of {}", command.name,
                                     options.format, fmt::join(command.formats, ", ")));
    }
}

struct GivenText {
    const Option* option;
    std::string value;
};

std::vector<GivenText> given_texts(const Program& program, const Command& command) {
    std::vector<GivenText> given;
    for (const std::vector<Option>* options : {&program.options, &command.options}) {
        for (const Option& option : *options) {
            for (std::string& value : option.values()) {
                given.push_back({&option, std::move(value)});
            }
        }
    }
    return given;
}

/// Whether the value, or a part of it as in "--set dump=q.npy,k.npy", is the path of this file.
bool names_file(const std::string& value, const std::string& file) {
    const std::string set_to = value.substr(value.find('=') + 1);  // all of it without a '='
    std::vector<std::string_view> paths = split_list(set_to);
    paths.insert(paths.end(), {value, set_to});
    return std::ranges::any_of(paths, [&](std::string_view path) {
        std::error_code unknown;  // of what does not exist
        return std::filesystem::equivalent(path, file, unknown);
    });
}

/// Refuses an output that cannot be written, before any work. A folder is made where it is missing.
void refuse_outputs_without_place(const Command& command) {
    for (const Option& option : command.options) {
        if (option.writes() && option.type != "FOLDER" && option.type != "PATH") {
            for (const std::string& file : option.values()) {
                require_place_for(file);
            }
        }
    }
}

/// Refuses two outputs of one name, of which the second would replace the first.
void refuse_one_output_twice(const std::vector<GivenText>& given) {
    std::map<std::filesystem::path, std::string> outputs;
    for (const auto& [option, file] : given) {
        if (!option->writes() || file.starts_with("/dev/")) {
            continue;
        }
        const std::string name = option->name_list().front();
        const auto [other, is_new] = outputs.emplace(whole_path(file), name);
        if (!is_new) {
            throw InputError(
                fmt::format("{}: {} is also the output of {}, which would be lost; "
                            "give another name",
                            name, in_quotes(file), other->second));
        }
    }
}

/// Refuses an output that is the file of another option or argument, which would be lost.
void refuse_lost_files(const Program& program, const Command& command) {
    const std::vector<GivenText> given = given_texts(program, command);
    refuse_one_output_twice(given);
    for (const auto& [output, file] : given) {
        std::error_code unknown;
        if (!output->writes() || !std::filesystem::is_regular_file(file, unknown)) {
            continue;
        }
        for (const auto& [other, value] : given) {
            if (other != output && names_file(value, file)) {
                throw InputError(fmt::format(
                    "{}: {} is also {}, which would be lost; give another name",
                    output->name_list().front(), in_quotes(file),
                    other->named() ? "the file of " + other->name_list().front() : "an input"));
            }
        }
    }
}

int parse_and_run(int argc, const char* const* argv) {
    GlobalOptions options;
    Program program{.text = "An oscilloscope for rotary position embedding (RoPE).",
                    .options = global_options(options),
                    .footer = footer()};
    for (MakeCommand* const make : kCommands) {
        program.commands.push_back(make(options));
    }
    const CommandRequest asked = parse(program, argc, argv);
    if (asked.text) {
        print(*asked.text);
        return kOk;
    }
    if (options.list_parameters) {
        print(parameters_markdown());
        return kOk;
    }
    if (!options.manual_folder.empty()) {
        write_manual(program, options.manual_folder);
        return kOk;
    }
    const auto window = [](const Command& command) { return command.name == "app"; };
    const Command& command =
        asked.command ? *asked.command : *std::ranges::find_if(program.commands, window);
    refuse_unread_options(command, asked.options, options);
    refuse_lost_files(program, command);
    refuse_outputs_without_place(command);
    return command.run();
}

}  // namespace

int main(int argc, const char* const* argv) {
    open_missing_streams();
    // A reader that closes the pipe (| head) ends the program quietly. A parent process may have
    // set the signal to be ignored.
    std::signal(SIGPIPE, SIG_DFL);
    remove_temporary_files_on_signals();
    on_lost_pages(end_for_lost_pages);
    try {
        const int exit_code = parse_and_run(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            return fail(fmt::format("cannot write standard output: {}", std::strerror(errno)),
                        kBadInput);
        }
        return exit_code;
    } catch (const CapabilityError& error) {
        return fail(error.what(), kCapabilityMissing);
    } catch (const std::bad_alloc&) {
        return fail(kOutOfMemory, kCapabilityMissing);
    } catch (const std::exception& error) {
        return fail(error.what(), kBadInput);
    }
}

// Takes the names and the values of an option apart.

bool Option::writes() const {
    return names == "-o,--output" || names == "--junit" || names == "--handout";
}

std::vector<std::string> Option::values() const {
    if (const auto* const one = std::get_if<std::string*>(&target)) {
        return **one == "" ? std::vector<std::string>() : std::vector{**one};
    }
    if (const auto* const perhaps = std::get_if<std::optional<std::string>*>(&target)) {
        return **perhaps ? std::vector{***perhaps} : std::vector<std::string>();
    }
    if (const auto* const texts = std::get_if<std::vector<std::string>*>(&target)) {
        return **texts;
    }
    return {};
}

std::vector<std::string> Option::name_list() const {
    std::vector<std::string> list;
    for (const std::string_view name : split_list(names)) {
        if (name.starts_with('-')) {
            list.emplace_back(name);
        }
    }
    return list;
}

}  // namespace ropescope::cli
