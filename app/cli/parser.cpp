// Hands the options to CLI11, and turns what it refuses into one line.
#include "app/cli/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/base/parse_list.h"

namespace ropescope::cli {
namespace {

using CommandFilter = std::function<bool(const CLI::App*)>;
const CommandFilter kEveryCommand = [](const CLI::App*) { return true; };

/// The number of an option's target; void if it is none.
template <typename T>
struct NumberIn {
    using Type = std::conditional_t<std::is_arithmetic_v<T>, T, void>;
};
template <typename T>
struct NumberIn<std::optional<T>> : NumberIn<T> {};

/// Why the text is not such a number; empty if it is one, and of no text, which add_option()
/// refuses.
template <typename Number>
std::string why_not(const std::string& text) {
    const std::string wrong = misread(text);
    if (!wrong.empty() || text.empty() || parse_number<Number>(text)) {
        return wrong;
    }
    if constexpr (std::is_integral_v<Number>) {
        using Limits = std::numeric_limits<Number>;
        return fmt::format("{} is not a whole number from {} to {}", in_quotes(text), Limits::min(),
                           Limits::max());
    } else {
        return in_quotes(text) + " is not a finite number in decimal; give one like 0.5 or 1e4";
    }
}

/// Read by ourselves: CLI11 takes 010 for 8, 1e-400 for 0 and what is too large for the largest.
template <typename Number, typename T>
CLI::Option* add_number(CLI::App& app, const Option& option, T* target) {
    const auto read = [target](const CLI::results_t& given) {
        *target = *parse_number<Number>(given.front());  // which why_not() has looked at
        return true;
    };
    return app.add_option(option.names, read, option.text)->check(why_not<Number>);
}

CLI::Option* add_flag_or_option(CLI::App& app, const Option& option) {
    return std::visit(
        [&]<typename T>(T* target) {
            using Number = typename NumberIn<T>::Type;
            if constexpr (std::is_same_v<T, bool>) {
                return app.add_flag(option.names, *target, option.text)->disable_flag_override();
            } else if constexpr (!std::is_void_v<Number>) {
                return add_number<Number>(app, option, target);
            } else {
                CLI::Option* added = app.add_option(option.names, *target, option.text);
                if constexpr (std::is_same_v<T, std::vector<std::string>>) {  // one for each name
                    if (option.rest) {
                        return added->expected(-1);
                    }
                    added->expected(1)
                        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                        ->allow_extra_args(false);
                }
                return added;
            }
        },
        option.target);
}

void add_option(CLI::App& app, const Option& option) {
    CLI::Option& added = *add_flag_or_option(app, option);
    if (!option.type.empty()) {
        added.type_name(option.type);
    }
    if (option.takes_value() && !option.rest) {
        // An empty value would read as if the option had not been given; a script's unset variable
        // leads to one.
        added.check([named = option.named()](const std::string& value) -> std::string {
            return !value.empty() ? ""
                   : named        ? "the value is empty; give one or leave the option out"
                                  : "it is empty; give one";
        });
    }
    if (!option.choices.empty()) {
        added.check([choices = option.choices](const std::string& value) -> std::string {
            return std::ranges::find(choices, value) != choices.end()
                       ? ""
                       : fmt::format("{} is not one of {}{}", in_quotes(value),
                                     fmt::join(choices, ", "), did_you_mean(value, choices));
        });
    }
    if (!option.shown()) {
        added.group("");
    }
    added.required(option.required);
}

void add_command(CLI::App& parent, const Command& command) {
    CLI::App& app = *parent.add_subcommand(command.name, command.text);
    for (const Option& option : command.options) {
        add_option(app, option);
    }
    app.footer(command.footer);
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

/// The message, and where help is.
std::string with_hint(const CLI::App& app, const std::string& message) {
    const CLI::App& command = active_command(app);
    return message + (message.ends_with("?") ? " " : "; ") + "see ropescope " +
           (&command == &app ? "" : command.get_name() + " ") + "--help";
}

/// "; it goes after a command that has it: app, figure", of an option that stands before any.
std::string commands_with(const CLI::App& app, const std::string& option) {
    std::vector<std::string> owners;
    for (const CLI::App* command : app.get_subcommands(kEveryCommand)) {
        const std::vector<std::string> own = option_names(*command);
        if (std::ranges::find(own, option) != own.end()) {
            owners.push_back(command->get_name());
        }
    }
    return owners.empty()
               ? ""
               : fmt::format("; it goes after a command that has it: {}", fmt::join(owners, ", "));
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
        return fmt::format("unknown option '{}'{}{}", bare, did_you_mean(bare, known),
                           &command == &app ? commands_with(app, bare) : "");
    }
    if (&command != &app) {
        return fmt::format("{}: unexpected argument '{}'", command.get_name(), word);
    }
    std::vector<std::string> known;
    for (const CLI::App* each : app.get_subcommands(kEveryCommand)) {
        known.push_back(each->get_name());
    }
    return fmt::format("unknown command '{}'{}", word, did_you_mean(word, known));
}

/// Refuses a first word that is no command. --help and --version end the parser before it looks at
/// such words.
void refuse_unknown_command(const CLI::App& app) {
    const std::vector<std::string> unplaced = app.remaining(true);
    const bool command_given = !app.get_subcommands().empty();
    if (!command_given && !unplaced.empty() && !unplaced.front().starts_with("-")) {
        throw InputError(with_hint(app, unplaced_message(app, unplaced.front())));
    }
}

/// Refuses a value given to --help or --version, which CLI11 passes over.
void refuse_value_of_help(const CLI::App& app, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        const bool together = word.starts_with("-h") && word.size() > 2;
        if (together || word.starts_with("--help=") || word.starts_with("--version=")) {
            throw InputError(
                with_hint(app, fmt::format("{} takes no value; leave out what follows it",
                                           together ? "-h" : word.substr(0, word.find('=')))));
        }
    }
}

/// What is wrong with the number of an option's values. CLI11 begins with its name, which has no
/// dashes where a value is given to an option that takes none.
std::string count_message(const CLI::App& app, const std::string& said) {
    const std::string name = said.substr(0, said.find_first_of(": "));
    for (const CLI::App* owner : {&active_command(app), &app}) {
        if (const CLI::Option* option = owner->get_option_no_throw(name)) {
            return option->count() > 1
                       ? fmt::format("{} is given {} times; give it once", name, option->count())
                       : fmt::format("{}: its value is missing; give {}", name,
                                     option->get_type_name());
        }
    }
    return fmt::format("--{} takes no value; leave out what follows the =", name);
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<std::string> unplaced = app.remaining(true);
    const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    const bool count = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
    return with_hint(app, extras && !unplaced.empty() ? unplaced_message(app, unplaced.front())
                          : count                     ? count_message(app, error.what())
                                                      : error.what());
}

/// Sets Option::given, and returns the names of those that are given.
std::vector<std::string> note_given(const CLI::App& app, const std::vector<Option>& options) {
    std::vector<std::string> names;
    for (const Option& option : options) {
        const std::vector<std::string> list = option.name_list();
        if (!list.empty() && app.get_option(list.back())->count() > 0) {
            names.push_back(list.back());
            if (option.given != nullptr) {
                *option.given = true;
            }
        }
    }
    return names;
}

/// The text of --help or --version.
std::string text_of(const CLI::App& app, const CLI::Success& asked) {
    std::ostringstream text;
    app.exit(asked, text, text);
    return text.str();
}

}  // namespace

namespace {

/// "help" and "help figure" as people type them who come from other programs.
std::vector<std::string> with_help_option(std::vector<std::string> words) {
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.resize(std::min<std::size_t>(words.size(), 1));
        words.emplace_back("--help");
    }
    return words;
}

}  // namespace

CommandRequest parse(const Program& program, int argc, const char* const* argv) {
    CLI::App app(program.text, "ropescope");
    app.fallthrough();  // the program's options may stand after the command too
    app.require_subcommand(0, 1);
    for (const Option& option : program.options) {
        add_option(app, option);
    }
    app.set_version_flag("--version", "ropescope " ROPESCOPE_VERSION);
    for (const Command& command : program.commands) {
        add_command(app, command);
    }
    app.footer(program.footer);  // after the commands, which would inherit it
    const std::vector<std::string> words =
        with_help_option({argv + std::min(argc, 1), argv + argc});
    try {
        // CLI11 takes the words from the last one on.
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::Success& asked) {
        refuse_unknown_command(app);
        refuse_value_of_help(app, words);
        return {.text = text_of(app, asked)};
    } catch (const CLI::ParseError& error) {
        throw InputError(usage_message(app, error));
    }
    CommandRequest asked{.options = note_given(app, program.options)};
    for (const Command& command : program.commands) {
        if (app.got_subcommand(command.name)) {
            note_given(*app.get_subcommand(command.name), command.options);
            asked.command = &command;
        }
    }
    return asked;
}

}  // namespace ropescope::cli
