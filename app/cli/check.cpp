// `ropescope check`: proves the mathematics and says what it measured.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <span>
#include <unistd.h>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/lessons/lesson_checks.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/checks/check_run.h"
#include "core/checks/report/report.h"
#include "core/claims/claim.h"

namespace ropescope::cli {
namespace {

struct CheckOptions {
    std::string filter = "*";
    std::string output;
    std::string only;  ///< a case, by settings of its name
    bool list = false;
    bool list_cases = false;
    bool explain = false;
    bool claims = false;
};

using Engines = std::vector<std::unique_ptr<Engine>>;

constexpr const char* kAllEngines = "all";

/// What --engine takes here.
std::vector<std::string> check_engine_words() {
    std::vector<std::string> words = engine_words();
    words.emplace_back(kAllEngines);
    return words;
}

/// Every engine that this machine has, the CPU first, for "all"; one engine for another name.
Engines checked_engines(const GlobalOptions& options) {
    Engines engines;
    require_engine_word(options, check_engine_words());
    if (options.engine != kAllEngines) {
        engines.push_back(exact_engine_from(options));
        return engines;
    }
    for (const std::string_view name : kEnumNames<EngineKind>) {
        GlobalOptions one = options;
        one.engine = name;
        try {
            engines.push_back(exact_engine_from(one));
        } catch (const CapabilityError&) {
            continue;  // "all" means all that can be opened
        }
    }
    return engines;
}

/// Colour is used only on a terminal, and not if the user set NO_COLOR (no-color.org).
bool colour_wanted(const CheckOptions& options) {
    const char* no_color = std::getenv("NO_COLOR");
    return options.output.empty() && isatty(STDOUT_FILENO) == 1 &&
           (no_color == nullptr || *no_color == '\0');
}

std::string listing(std::span<const Check* const> checks) {
    std::size_t width = 0;
    for (const Check* check : checks) {
        width = std::max(width, check->id.size());
    }
    std::string text;
    for (const Check* check : checks) {
        text += fmt::format("{:<{}}  {}\n", check->id, width, check->title);
    }
    return text;
}

/// Prints the name of every case as it is measured: a sweep may have a million.
void print_cases(std::span<const Check* const> checks, CheckContext context) {
    for (const Check* check : checks) {
        context.cases.measured = [check](const std::string& name) {
            print(fmt::format("{} --case '{}'\n", check->id, name));
        };
        check->run(context);
    }
}

/// Throws InputError if a case was named and no check has it.
void require_case(const CheckRun& run, const std::string& only) {
    const auto measured = [](const CheckResult& result) {
        return !result.finding.worst_case.empty();
    };
    if (!only.empty() && std::ranges::none_of(run.results, measured)) {
        throw InputError(
            fmt::format("--case: {} names no case of the chosen checks; "
                        "--list-cases names them all",
                        in_quotes(only)));
    }
}

/// The format that --format names, before or after the command. Without --format the ending of the
/// file decides.
const ReportFormat& chosen_format(const CheckOptions& options, const GlobalOptions& global) {
    return global.format_given ? report_format(global.format) : report_format_of(options.output);
}

/// On every processor, unless an engine belongs to the thread that made it.
CheckRun run_on_all(std::span<const Check* const> checks, const CheckContext& context) {
    const bool on_processor = std::ranges::all_of(
        context.engines, [](const Engine* engine) { return engine->kind() == EngineKind::cpu; });
    return on_processor ? run_checks_at_once(checks, context, default_threads())
                        : run_checks(checks, context);
}

int run_check(const CheckOptions& options, const GlobalOptions& global) {
    if (options.claims) {
        deliver(claims_page(), options.output);
        return 0;
    }
    const ReportFormat& format = chosen_format(options, global);
    const auto checks = select_checks(options.filter, lessons::further_checks());
    if (options.list) {
        if (global.format != "text") {
            throw InputError("check: --list is text; leave --format out, or run the checks");
        }
        deliver(listing(checks), options.output);
        return 0;
    }
    const Engines engines = checked_engines(global);
    CheckContext context{.engines = {}, .cases = Cases(options.only)};
    for (const auto& engine : engines) {
        context.engines.push_back(engine.get());
    }
    const auto able = runnable(checks, context);
    if (options.list_cases) {
        print_cases(able, context);
        return 0;
    }
    const CheckRun run = with_remedy("check", [&] { return run_on_all(able, context); });
    require_case(run, options.only);
    return deliver_report(run, format, {colour_wanted(options), options.explain}, options.output);
}

}  // namespace

Command check_command(GlobalOptions& options) {
    auto own = std::make_shared<CheckOptions>();
    std::vector<std::string> formats;
    for (const ReportFormat& format : report_formats()) {
        formats.emplace_back(format.name);
    }
    return {
        .name = "check",
        .text = "Prove the mathematics; exit code 1 if it fails",
        .options =
            {
                {.names = "--filter",
                 .target = &own->filter,
                 .type = "GLOB",
                 .text = "Only checks whose id matches, for example 'rope.*'"},
                {.names = "id",
                 .target = &own->filter,
                 .type = "GLOB",
                 .text = "The same as --filter"},
                {.names = "--case",
                 .target = &own->only,
                 .type = "TEXT",
                 .text = "Only cases of a sweep with these settings, for example 'head_dim=128 "
                         "m=40'; a "
                         "failing check prints its own"},
                {.names = "--list",
                 .target = &own->list,
                 .text = "Name the checks instead of running them"},
                {.names = "--list-cases",
                 .target = &own->list_cases,
                 .text = "Name every case of their sweeps"},
                {.names = "--claims",
                 .target = &own->claims,
                 .text =
                     "Print what the five texts state and which of it holds (Markdown), and exit"},
                {.names = "--explain",
                 .target = &own->explain,
                 .text = "Also say what each check claims, what it tried, and where its bound "
                         "comes from"},
                {.names = "--engine",
                 .target = &options.engine,
                 .type = fmt::format("{}", fmt::join(check_engine_words(), "|")),
                 .text = "What to check (default auto)"},
                {.names = "--format",
                 .target = &options.format,
                 .type = "text|json|junit|markdown",
                 .text = "How the report is written (default text, or by the ending of -o)",
                 .given = &options.format_given},
                {.names = "-o,--output",
                 .target = &own->output,
                 .type = "FILE",
                 .text = "Write the report to this file, whole or not at all: .txt, .json, .xml or "
                         ".md"},
            },
        .run = [own, &options] { return run_check(*own, options); },
        .reads = {"--engine", "--device", "--format"},
        .formats = std::move(formats),
        .footer = R"(Examples:
  ropescope check
  ropescope check --filter 'rope.*' --explain
  ropescope check --engine all --filter 'gpu.*'
  ropescope check -o report.json)"};
}

}  // namespace ropescope::cli
