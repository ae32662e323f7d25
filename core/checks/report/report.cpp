// The table of report formats.
#include "core/checks/report/report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/junit.h"

namespace ropescope {

std::span<const ReportFormat> report_formats() {
    static constexpr std::array kFormats{
        ReportFormat{"text", ".txt", report_text},
        ReportFormat{"json", ".json", report_json},
        ReportFormat{"junit", ".xml", report_junit},
        ReportFormat{"markdown", ".md", report_markdown},
    };
    return kFormats;
}

const ReportFormat& report_format(std::string_view name) {
    std::string choices;
    for (const ReportFormat& format : report_formats()) {
        if (format.name == name) {
            return format;
        }
        choices += (choices.empty() ? "" : ", ") + std::string(format.name);
    }
    throw InputError(fmt::format("format: '{}' is not a report format of check; choose one of {}",
                                 name, choices));
}

const ReportFormat& report_format_of(const std::filesystem::path& path) {
    const std::string ending = lower_case(path.extension().string());
    const auto formats = report_formats();
    const auto found = std::ranges::find(formats, ending, &ReportFormat::ending);
    return found == formats.end() ? formats.front() : *found;
}

// A report as aligned, optionally coloured text.

namespace {

/// ANSI codes, or nothing.
class Paint {
  public:
    explicit Paint(bool colour) : colour_(colour) {}
    std::string good(std::string_view text) const { return wrap("32", text); }
    std::string bad(std::string_view text) const { return wrap("1;31", text); }
    std::string dim(std::string_view text) const { return wrap("2", text); }
    std::string strong(std::string_view text) const { return wrap("1", text); }

  private:
    std::string wrap(std::string_view code, std::string_view text) const {
        return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
    }
    bool colour_;
};

/// The word is padded before it is painted: codes have no width.
std::string status_word(Status status, const Paint& paint) {
    switch (status) {
        case Status::passed:
            return paint.good("ok  ");
        case Status::failed:
            return paint.bad("FAIL");
        case Status::skipped:
            return paint.dim("skip");
        case Status::note:
            return paint.dim("note");
    }
    return "";
}

/// The same width for every status, so that the titles behind it align.
std::string comparison(const CheckFinding& finding) {
    switch (finding.status) {
        case Status::passed:
            return fmt::format("{:>8.2e} <= {:>8.2e}", finding.measured, finding.bound);
        case Status::failed:
            return fmt::format("{:>8.2e} >  {:>8.2e}", finding.measured, finding.bound);
        case Status::skipped:
            return fmt::format("{:>20}", "not measured");
        case Status::note:
            break;
    }
    return std::string(20, ' ');
}

std::string failure_line(const CheckRun& run, const Paint& paint) {
    const auto failed = [](const CheckResult& r) { return r.finding.status == Status::failed; };
    const auto first = std::ranges::find_if(run.results, failed);
    if (first == run.results.end()) {
        return "";
    }
    const CheckFinding& finding = first->finding;
    const int more = run.count(Status::failed) - 1;
    return fmt::format("{} {}: {:.3e} is not within {:.3e}; {}{}\n\n", paint.bad("FAILED"),
                       paint.strong(first->check->id), finding.measured, finding.bound,
                       finding.detail, more > 0 ? fmt::format(" (and {} more)", more) : "");
}

/// Runs the worst case of a sweep again, alone.
std::string command_for(const CheckResult& result) {
    const std::string& name = result.finding.worst_case;
    return name.empty() ? ""
                        : fmt::format("ropescope check {} --case '{}'", result.check->id, name);
}

/// Lines under a check: for every failure, and for all when the reader wants to know.
std::string explanation(const CheckResult& result, const Paint& paint) {
    const auto line = [&](std::string_view label, std::string_view text) {
        return text.empty() ? "" : fmt::format("       {} {}\n", paint.dim(label), text);
    };
    return line("claim ", result.check->statement) + line("source", result.check->source) +
           line("bound ", result.finding.bound_reason) + line("swept ", result.finding.detail) +
           line("again ", command_for(result));
}

std::size_t id_width(const CheckRun& run) {
    std::size_t width = 0;
    for (const CheckResult& result : run.results) {
        width = std::max(width, result.check->id.size());
    }
    return width;
}

bool wants_explanation(const CheckFinding& finding, const ReportOptions& options) {
    return options.explain || finding.status == Status::failed || finding.status == Status::skipped;
}

std::string summary(const CheckRun& run, const Paint& paint) {
    const std::string failed = fmt::format("{} failed", run.count(Status::failed));
    const int notes = run.count(Status::note);
    return fmt::format("{} passed, {}, {} skipped{} in {:.2f} s\n", run.count(Status::passed),
                       run.ok() ? failed : paint.bad(failed), run.count(Status::skipped),
                       notes > 0 ? fmt::format(", {} notes", notes) : "", run.seconds());
}

}  // namespace

std::string report_text(const CheckRun& run, const ReportOptions& options) {
    const Paint paint(options.colour);
    const std::size_t width = id_width(run);
    std::string text = failure_line(run, paint);
    std::string_view family;
    for (const CheckResult& result : run.results) {
        if (family_of(result.check->id) != family) {
            text += family.empty() ? "" : "\n";
            family = family_of(result.check->id);
            text += paint.strong(family) + "\n";
        }
        text +=
            fmt::format("  {} {:<{}}  {}  {}\n", status_word(result.finding.status, paint),
                        result.check->id, width, comparison(result.finding), result.check->title);
        if (wants_explanation(result.finding, options)) {
            text += explanation(result, paint);
        }
    }
    return text + "\n" + summary(run, paint);
}

// A report as JSON.

std::string report_json(const CheckRun& run, const ReportOptions&) {
    using Json = nlohmann::ordered_json;  // keys in the order in which they are read
    Json checks = Json::array();
    Json notes = Json::array();
    for (const CheckResult& result : run.results) {
        const CheckFinding& finding = result.finding;
        if (finding.status == Status::note) {
            notes.push_back({{"id", result.check->id},
                             {"title", result.check->title},
                             {"source", result.check->source},
                             {"detail", finding.detail}});
            continue;
        }
        checks.push_back({{"id", result.check->id},
                          {"title", result.check->title},
                          {"source", result.check->source},
                          {"status", to_string(finding.status)},
                          {"measured", finding.measured},
                          {"bound", finding.bound},
                          {"bound_reason", finding.bound_reason},
                          {"detail", finding.detail},
                          {"worst_case", finding.worst_case},
                          {"seconds", result.seconds}});
    }
    const Json report{{"summary",
                       {{"passed", run.count(Status::passed)},
                        {"failed", run.count(Status::failed)},
                        {"skipped", run.count(Status::skipped)},
                        {"seconds", run.seconds()}}},
                      {"checks", std::move(checks)},
                      {"notes", std::move(notes)}};
    // The message of an exception may hold any bytes; the report stays valid UTF-8.
    return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A report as JUnit XML.

namespace {

JunitCase case_of(const CheckResult& result) {
    const CheckFinding& finding = result.finding;
    JunitCase test{.group = std::string(family_of(result.check->id)),
                   .name = std::string(result.check->id),
                   .seconds = result.seconds};
    if (finding.status == Status::skipped) {
        test.skipped = finding.detail;
    } else if (finding.status == Status::failed) {
        test.failure = fmt::format("{:.3e} is not within {:.3e}", finding.measured, finding.bound);
        test.detail = fmt::format("{}\nbound: {}", finding.detail, finding.bound_reason);
    }
    return test;
}

}  // namespace

std::string report_junit(const CheckRun& run, const ReportOptions&) {
    std::vector<JunitCase> cases;
    for (const CheckResult& result : run.results) {
        if (result.finding.status != Status::note) {
            cases.push_back(case_of(result));
        }
    }
    return junit_text("ropescope check", cases);
}

// A report as Markdown tables.

namespace {

/// Text for a table cell: a bar would end the cell, a line break the table, and the rest would be
/// taken for markup.
std::string cell(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            safe += ' ';
            continue;
        }
        if (std::string_view("\\|*_<>[]`").find(c) != std::string_view::npos) {
            safe += '\\';
        }
        safe += c;
    }
    return safe;
}

std::string number(const CheckFinding& finding, double value) {
    const bool measured = finding.status == Status::passed || finding.status == Status::failed;
    return measured ? fmt::format("{:.2e}", value) : "";
}

}  // namespace

std::string report_markdown(const CheckRun& run, const ReportOptions& options) {
    std::string text =
        fmt::format("# Checks\n\n{} passed, {} failed, {} skipped.\n", run.count(Status::passed),
                    run.count(Status::failed), run.count(Status::skipped));
    std::string_view family;
    for (const CheckResult& result : run.results) {
        const Check& check = *result.check;
        const CheckFinding& finding = result.finding;
        if (family_of(check.id) != family) {
            family = family_of(check.id);
            text += fmt::format(
                "\n## {}\n\n| check | claim | source | status | measured | bound | remark |\n"
                "|---|---|---|---|--:|--:|---|\n",
                family);
        }
        const bool remark = options.explain || finding.status != Status::passed;
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", check.id,
                            cell(check.statement), cell(check.source), to_string(finding.status),
                            number(finding, finding.measured), number(finding, finding.bound),
                            remark ? cell(finding.detail) : cell(finding.bound_reason));
    }
    return text;
}

}  // namespace ropescope
