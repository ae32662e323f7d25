// Writes the texts and options of the parser as man pages and as completions for bash and zsh.
#include "app/cli/manual.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
    return program.get_subcommands([](const CLI::App*) { return true; });
}

/// Those that --help shows.
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    std::vector<const CLI::Option*> shown;
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty()) {
            shown.push_back(option);
        }
    }
    return shown;
}

/// "-o" and "--output"; empty for an argument without a name.
std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) {
        names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        names.push_back("--" + name);
    }
    return names;
}

bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
}

/// A text in which no character means anything to troff.
std::string roff(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        const bool starts_line = escaped.empty() || escaped.back() == '\n';
        escaped += starts_line && (c == '.' || c == '\'') ? "\\&" : "";
        escaped += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    }
    return escaped;
}

std::string roff_option(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : names_of(option)) {
        names.push_back("\\fB" + roff(name) + "\\fR");
    }
    if (takes_value(option)) {
        names.push_back("\\fI" + roff(option.get_type_name()) + "\\fR");
    }
    return fmt::format(".TP\n{}\n{}\n", fmt::join(names, " "), roff(option.get_description()));
}

std::string roff_options(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : options_of(app)) {
        text += roff_option(*option);
    }
    return text;
}

/// The words behind the name of the program: a command, its arguments without a name, its options.
std::string synopsis(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option : options_of(app)) {
        if (option->get_positional() && names_of(*option).empty()) {
            text += (option->get_required() ? " " : " [") + option->get_type_name() +
                    (option->get_required() ? "" : "]");
        }
    }
    return text + " [OPTIONS]";
}

std::string page_name(const CLI::App& program, const CLI::App& app) {
    return &app == &program ? app.get_name() : program.get_name() + "-" + app.get_name();
}

/// The first letter small and no full stop, as the line NAME of a page has it.
std::string as_name_line(std::string text) {
    text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string page(const CLI::App& program, const CLI::App& app) {
    const bool whole = &app == &program;
    const std::string name = page_name(program, app);
    std::string title = name;
    std::ranges::transform(title, title.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::string text =
        fmt::format(".TH {} 1 \"\" \"ropescope " ROPESCOPE_VERSION
                    "\" \"User Commands\"\n"
                    ".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n\\fB{}\\fR{}\n.SH OPTIONS\n{}",
                    roff(title), roff(name), roff(as_name_line(app.get_description())),
                    whole ? "ropescope" : "ropescope " + app.get_name(),
                    roff(whole ? " [OPTIONS] [COMMAND ...]" : synopsis(app)), roff_options(app));
    if (whole) {
        text += ".SH COMMANDS\n";
        for (const CLI::App* command : commands_of(program)) {
            text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page_name(program, *command)),
                                roff(command->get_description()));
        }
    } else {
        text +=
            ".PP\nOptions of the program, for example \\fB\\-\\-set\\fR, stand in\n"
            "\\fBropescope\\fR(1).\n";
    }
    if (!app.get_footer().empty()) {
        text += fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", roff(app.get_footer()));
    }
    return text;
}

std::vector<std::string> option_words(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::Option* option : options_of(app)) {
        const std::vector<std::string> names = names_of(*option);
        words.insert(words.end(), names.begin(), names.end());
    }
    return words;
}

std::vector<std::string> command_names(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(program)) {
        names.push_back(command->get_name());
    }
    return names;
}

std::string bash_completion(const CLI::App& program) {
    const std::vector<std::string> commands = command_names(program);
    std::string cases;
    for (const CLI::App* command : commands_of(program)) {
        cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(),
                             fmt::join(option_words(*command), " "));
    }
    return fmt::format(R"(# Completion of ropescope for bash.
_ropescope() {{
  local command= word words current="${{COMP_WORDS[COMP_CWORD]}}"
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in {}) command=$word; break ;; esac
  done
  case $command in
{}    *) words="{}" ;;
  esac
  words+=" {}"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _ropescope ropescope
)",
                       fmt::join(commands, "|"), cases, fmt::join(commands, " "),
                       fmt::join(option_words(program), " "));
}

/// A text within '...' of zsh, where [, ] and : end a part of an option's description.
std::string zsh(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        escaped +=
            c == '\'' ? "'\\''" : std::string(c == '[' || c == ']' || c == ':' ? "\\" : "") + c;
    }
    return escaped;
}

std::string zsh_options(const std::vector<const CLI::Option*>& options) {
    std::string text;
    for (const CLI::Option* option : options) {
        for (const std::string& name : names_of(*option)) {
            text += fmt::format(" \\\n        '{}[{}]{}'", name, zsh(option->get_description()),
                                takes_value(*option)
                                    ? fmt::format(":{}:_files", zsh(option->get_type_name()))
                                    : "");
        }
    }
    return text;
}

/// Options of a command, and those of the program that it does not have itself.
std::vector<const CLI::Option*> all_options(const CLI::App& program, const CLI::App& command) {
    std::vector<const CLI::Option*> all = options_of(command);
    const std::vector<std::string> own = option_words(command);
    for (const CLI::Option* option : options_of(program)) {
        const std::vector<std::string> names = names_of(*option);
        if (!names.empty() && std::ranges::find(own, names.back()) == own.end()) {
            all.push_back(option);
        }
    }
    return all;
}

std::string zsh_completion(const CLI::App& program) {
    std::string commands, cases;
    for (const CLI::App* command : commands_of(program)) {
        commands +=
            fmt::format("    '{}:{}'\n", command->get_name(), zsh(command->get_description()));
        cases += fmt::format("    {})\n      _arguments '*:file:_files'{} ;;\n",
                             command->get_name(), zsh_options(all_options(program, *command)));
    }
    return fmt::format(R"(#compdef ropescope
# Completion of ropescope for zsh.
_ropescope() {{
  local -a commands=(
{}  )
  case ${{words[(r)({})]}} in
{}    *)
      _describe command commands
      _arguments{} ;;
  esac
}}
_ropescope "$@"
)",
                       commands, fmt::join(command_names(program), "|"), cases,
                       zsh_options(options_of(program)));
}

}  // namespace

void write_manual(const CLI::App& program, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    write_file_whole(folder / (program.get_name() + ".1"), page(program, program));
    for (const CLI::App* command : commands_of(program)) {
        write_file_whole(folder / (page_name(program, *command) + ".1"), page(program, *command));
    }
    write_file_whole(folder / "ropescope.bash", bash_completion(program));
    write_file_whole(folder / "_ropescope", zsh_completion(program));
}

}  // namespace ropescope::cli
