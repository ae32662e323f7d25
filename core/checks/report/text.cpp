// A report as aligned, optionally coloured text.
#include <algorithm>
#include <fmt/format.h>

#include "core/checks/report/report.h"

namespace ropescope {
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

}  // namespace ropescope
