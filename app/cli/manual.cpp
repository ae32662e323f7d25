// Writes the texts and options of the parser as man pages and as completions for bash and zsh.
#include "app/cli/manual.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/write_folder.h"

namespace ropescope::cli {
namespace {

// --help shows these in front of and behind the program's own options.
Option help_option() {
    return {.names = "-h,--help",
            .target = static_cast<bool*>(nullptr),
            .text = "Print this help message and exit"};
}
Option version_option() {
    return {.names = "--version",
            .target = static_cast<bool*>(nullptr),
            .text = "Display program version information and exit"};
}

/// Those that --help shows.
std::vector<Option> shown_options(const std::vector<Option>& options) {
    std::vector<Option> shown = {help_option()};
    std::ranges::copy_if(options, std::back_inserter(shown), &Option::shown);
    return shown;
}

std::vector<Option> options_of(const Command& command) {
    return shown_options(command.options);
}

std::vector<Option> options_of(const Program& program) {
    std::vector<Option> shown = shown_options(program.options);
    shown.push_back(version_option());
    return shown;
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

std::string roff_option(const Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.name_list()) {
        names.push_back("\\fB" + roff(name) + "\\fR");
    }
    if (option.takes_value()) {
        names.push_back("\\fI" + roff(option.type) + "\\fR");
    }
    return fmt::format(".TP\n{}\n{}\n", fmt::join(names, " "), roff(option.text));
}

std::string roff_options(const std::vector<Option>& options) {
    std::string text;
    for (const Option& option : options) {
        text += roff_option(option);
    }
    return text;
}

/// The words behind the name of a command: its arguments without a name, and its options.
std::string synopsis(const Command& command) {
    std::string text, rest;
    for (const Option& option : options_of(command)) {
        if (option.rest) {
            rest = " -- " + option.type;
        } else if (!option.named()) {
            text += (option.required ? " " : " [") + option.type + (option.required ? "" : "]");
        }
    }
    return text + " [OPTIONS]" + rest;
}

std::string page_name(const Command& command) {
    return "ropescope-" + command.name;
}

/// The first letter small and no full stop, as the line NAME of a page has it.
std::string as_name_line(std::string text) {
    text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

/// What every page has, up to its options.
std::string page_head(const std::string& name, const std::string& text,
                      const std::string& invocation, const std::string& words) {
    std::string title = name;
    std::ranges::transform(title, title.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return fmt::format(".TH {} 1 \"\" \"ropescope " ROPESCOPE_VERSION
                       "\" \"User Commands\"\n"
                       ".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n\\fB{}\\fR{}\n.SH OPTIONS\n",
                       roff(title), roff(name), roff(as_name_line(text)), invocation, roff(words));
}

std::string page_foot(const std::string& footer) {
    return footer.empty() ? "" : fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", roff(footer));
}

std::string page(const Program& program) {
    std::string text =
        page_head("ropescope", program.text, "ropescope", " [OPTIONS] [COMMAND ...]") +
        roff_options(options_of(program)) + ".SH COMMANDS\n";
    for (const Command& command : program.commands) {
        text +=
            fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page_name(command)), roff(command.text));
    }
    return text + page_foot(program.footer);
}

std::string page(const Command& command) {
    return page_head(page_name(command), command.text, "ropescope " + command.name,
                     synopsis(command)) +
           roff_options(options_of(command)) +
           ".PP\nOptions of the program, for example \\fB\\-\\-set\\fR, stand in\n"
           "\\fBropescope\\fR(1).\n" +
           page_foot(command.footer);
}

std::vector<std::string> option_words(const std::vector<Option>& options) {
    std::vector<std::string> words;
    for (const Option& option : options) {
        const std::vector<std::string> names = option.name_list();
        words.insert(words.end(), names.begin(), names.end());
    }
    return words;
}

std::vector<std::string> command_names(const Program& program) {
    std::vector<std::string> names;
    for (const Command& command : program.commands) {
        names.push_back(command.name);
    }
    return names;
}

std::string bash_completion(const Program& program) {
    const std::vector<std::string> commands = command_names(program);
    std::string cases;
    for (const Command& command : program.commands) {
        cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name,
                             fmt::join(option_words(options_of(command)), " "));
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
                       fmt::join(option_words(options_of(program)), " "));
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

std::string zsh_options(const std::vector<Option>& options) {
    std::string text;
    for (const Option& option : options) {
        for (const std::string& name : option.name_list()) {
            text += fmt::format(
                " \\\n        '{}[{}]{}'", name, zsh(option.text),
                option.takes_value() ? fmt::format(":{}:_files", zsh(option.type)) : "");
        }
    }
    return text;
}

/// Options of a command, and those of the program that it does not have itself.
std::vector<Option> all_options(const Program& program, const Command& command) {
    std::vector<Option> all = options_of(command);
    const std::vector<std::string> own = option_words(all);
    for (const Option& option : options_of(program)) {
        const std::vector<std::string> names = option.name_list();
        if (!names.empty() && std::ranges::find(own, names.back()) == own.end()) {
            all.push_back(option);
        }
    }
    return all;
}

std::string zsh_completion(const Program& program) {
    std::string commands, cases;
    for (const Command& command : program.commands) {
        commands += fmt::format("    '{}:{}'\n", command.name, zsh(command.text));
        cases += fmt::format("    {})\n      _arguments '*:file:_files'{} ;;\n", command.name,
                             zsh_options(all_options(program, command)));
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

void write_manual(const Program& program, const std::filesystem::path& folder) {
    FolderUnderWay files(folder);
    files.write("ropescope.1", page(program));
    for (const Command& command : program.commands) {
        files.write(page_name(command) + ".1", page(command));
    }
    files.write("ropescope.bash", bash_completion(program));
    files.write("_ropescope", zsh_completion(program));
    files.publish();
}

}  // namespace ropescope::cli
