// Parses the command line, runs the command, and reports an error in one line.
#include "app/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <span>
#include <string_view>

#include "app/cli/engines.h"
#include "app/cli/exit_code.h"
#include "app/cli/manual.h"
#include "app/cli/output.h"
#include "app/cli/standard_streams.h"
#include "app/scene/parameters.h"
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/base/temporary_file.h"

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

Exit codes: 0 ok, 1 a check failed, 2 bad usage or bad input, 3 a display or GPU is missing.)";

/// The end of --help: what --set takes, examples, exit codes.
std::string footer() {
    std::string names;
    for (const Parameter& parameter : parameters()) {
        names += (names.empty() ? "" : ", ") + parameter.name;
    }
    return "Scene parameters for --set (ropescope --parameters explains them): " + names +
           std::string(kExamples);
}

void add_global_options(CLI::App& app, GlobalOptions& options) {
    app.add_option("--scene", options.scene_file, "Scene file (JSON) to start from")
        ->type_name("FILE");
    app.add_option("--set", options.settings, "Set one scene parameter; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    app.add_option("--engine", options.engine, "Where to compute (default auto)")
        ->type_name(fmt::format("{}", fmt::join(engine_words(), "|")));
    app.add_option("--device", options.device,
                   "GPU to compute on: a number or a part of a name that `backends` shows, "
                   "hardware or software")
        ->type_name("DEVICE");
    app.add_option("--format", options.format, "How reports are written (default text)")
        ->type_name("text|json")
        // All formats of all commands; refuse_unread_options() refuses those of other commands.
        ->check(CLI::IsMember({"text", "json", "junit", "markdown"}));
    app.add_flag("--parameters", options.list_parameters,
                 "Print the table of scene parameters (Markdown) and exit");
    // For the build, which installs them.
    app.add_option("--write-manual", options.manual_folder)->type_name("FOLDER")->group("");
    app.set_version_flag("--version", "ropescope " ROPESCOPE_VERSION);
}

/// An empty value would read as if the option had not been given; a script's unset variable leads
/// to one.
void refuse_empty_values(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_min() > 0) {
            option->check([](const std::string& value) {
                return value.empty() ? "the value is empty; give one or leave the option out" : "";
            });
        }
    }
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        refuse_empty_values(*command);
    }
}

/// The command named on the command line, or the program itself before there is one.
const CLI::App& active_command(const CLI::App& app) {
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    return parsed.empty() ? app : *parsed.front();
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) {
            continue;  // a former name, hidden from the help
        }
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

std::string help_hint(const CLI::App& app) {
    const CLI::App& command = active_command(app);
    return &command == &app ? "see ropescope --help"
                            : fmt::format("see ropescope {} --help", command.get_name());
}

/// The message for a word that the parser could not place: an unknown option or command, or one
/// word too many.
std::string unplaced_message(const CLI::App& app, const std::string& word) {
    const CLI::App& command = active_command(app);
    if (word.starts_with("-")) {
        const std::string bare = word.substr(0, word.find('='));
        std::vector<std::string> known = option_names(app);
        if (&command != &app) {
            const std::vector<std::string> own = option_names(command);
            if (std::ranges::find(own, bare) != own.end()) {
                return fmt::format("'{}' goes after the command: ropescope {} {}", bare,
                                   command.get_name(), bare);
            }
            known.insert(known.end(), own.begin(), own.end());
        }
        return fmt::format("unknown option '{}'{}", bare, did_you_mean(bare, known));
    }
    if (&command != &app) {
        return fmt::format("{}: unexpected argument '{}'", command.get_name(), word);
    }
    std::vector<std::string> known;
    for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
        known.push_back(each->get_name());
    }
    return fmt::format("unknown command '{}'{}", word, did_you_mean(word, known));
}

/// The message if the first word is not a command; empty otherwise. --help and --version end the
/// parser before it looks at such words.
std::string unknown_command(const CLI::App& app) {
    const std::vector<std::string> unplaced = app.remaining(true);
    const bool command_given = !app.get_subcommands().empty();
    return command_given || unplaced.empty() || unplaced.front().starts_with("-")
               ? ""
               : unplaced_message(app, unplaced.front()) + "; " + help_hint(app);
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<std::string> unplaced = app.remaining(true);
    const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    const std::string what =
        extras && !unplaced.empty() ? unplaced_message(app, unplaced.front()) : error.what();
    return what + (what.ends_with("?") ? " " : "; ") + help_hint(app);
}

int fail(std::string_view message, int exit_code) {
    tell(message);
    return exit_code;
}

void refuse_unread_options(const CLI::App& app, const Command& command,
                           const GlobalOptions& options) {
    for (const std::string& option : kAllOptions) {
        if (app.get_option(option)->count() > 0 &&
            std::ranges::find(command.reads, option) == command.reads.end()) {
            throw InputError(fmt::format("{} has no effect on {}; leave it out", option,
                                         command.app->get_name()));
        }
    }
    if (std::ranges::find(command.formats, options.format) == command.formats.end()) {
        throw InputError(fmt::format("--format: {} cannot write '{}'; give one of {}",
                                     command.app->get_name(), options.format,
                                     fmt::join(command.formats, ", ")));
    }
}

int run_selected(const CLI::App& app, std::span<const Command> commands,
                 const GlobalOptions& options) {
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    for (const Command& command : commands) {
        const bool selected =
            parsed.empty() ? command.app->get_name() == "app" : command.app == parsed.front();
        if (selected) {
            refuse_unread_options(app, command, options);
            return command.run();
        }
    }
    print(app.help());
    return kOk;
}

int parse_and_run(int argc, const char* const* argv) {
    GlobalOptions options;
    CLI::App app("An oscilloscope for rotary position embedding (RoPE).", "ropescope");
    app.fallthrough();  // global options may stand after the command too
    app.require_subcommand(0, 1);
    add_global_options(app, options);
    std::vector<Command> commands;
    for (AddCommand* const add : kCommands) {
        commands.push_back(add(app, options));
    }
    refuse_empty_values(app);
    app.footer(footer());  // after the commands, which would inherit it
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
        if (const std::string wrong = unknown_command(app); !wrong.empty()) {
            return fail(wrong, kBadInput);
        }
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        return fail(usage_message(app, error), kBadInput);
    }
    if (options.list_parameters) {
        print(parameters_markdown());
        return kOk;
    }
    if (!options.manual_folder.empty()) {
        write_manual(app, options.manual_folder);
        return kOk;
    }
    return run_selected(app, commands, options);
}

}  // namespace

int main(int argc, const char* const* argv) {
    open_missing_streams();
    remove_temporary_files_on_signals();
    // A reader that closes the pipe (| head) ends the program quietly. A parent process may have
    // set the signal to be ignored.
    std::signal(SIGPIPE, SIG_DFL);
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
        return fail("out of memory; use a smaller tensor or fewer positions", kBadInput);
    } catch (const std::exception& error) {
        return fail(error.what(), kBadInput);
    }
}

}  // namespace ropescope::cli
