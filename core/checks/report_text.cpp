#include <algorithm>
#include <fmt/format.h>

#include "core/checks/report.h"

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

std::string comparison(const Finding& finding) {
    if (finding.status == Status::note) {
        return "";
    }
    if (finding.status == Status::skipped) {
        return fmt::format("{:>20}", "not measured");
    }
    const char* sign = finding.status == Status::passed ? "<=" : "> ";
    return fmt::format("{:>8.2e} {} {:>8.2e}", finding.measured, sign, finding.bound);
}

std::string failure_line(const CheckRun& run, const Paint& paint) {
    const auto failed = [](const CheckResult& r) { return r.finding.status == Status::failed; };
    const auto first = std::find_if(run.results.begin(), run.results.end(), failed);
    if (first == run.results.end()) {
        return "";
    }
    const Finding& finding = first->finding;
    const int more = run.count(Status::failed) - 1;
    return fmt::format("{} {}: {:.3e} is not within {:.3e}; {}{}\n\n", paint.bad("FAILED"),
                       paint.strong(first->check->id), finding.measured, finding.bound,
                       finding.detail, more > 0 ? fmt::format(" (and {} more)", more) : "");
}

/// Lines under a check: for every failure, and for all when the reader wants to know.
std::string explanation(const CheckResult& result, const Paint& paint) {
    const auto line = [&](std::string_view label, std::string_view text) {
        return text.empty() ? "" : fmt::format("       {} {}\n", paint.dim(label), text);
    };
    return line("claim ", result.check->statement) + line("source", result.check->source) +
           line("bound ", result.finding.bound_reason) + line("swept ", result.finding.detail);
}

std::size_t widest(const CheckRun& run, std::string Check::*column) {
    std::size_t width = 0;
    for (const CheckResult& result : run.results) {
        width = std::max(width, (result.check->*column).size());
    }
    return width;
}

}  // namespace

std::string report_text(const CheckRun& run, const ReportOptions& options) {
    const Paint paint(options.colour);
    const std::size_t id_width = widest(run, &Check::id);
    const std::size_t title_width = widest(run, &Check::title);
    std::string text = failure_line(run, paint);
    std::string_view family;
    double seconds = 0.0;
    for (const CheckResult& result : run.results) {
        if (family_of(result.check->id) != family) {
            text += family.empty() ? "" : "\n";
            family = family_of(result.check->id);
            text += paint.strong(family) + "\n";
        }
        text += fmt::format("  {} {:<{}}  {:<{}}  {}\n", status_word(result.finding.status, paint),
                            result.check->id, id_width, result.check->title, title_width,
                            comparison(result.finding));
        if (options.explain || result.finding.status != Status::passed) {
            text += explanation(result, paint);
        }
        seconds += result.seconds;
    }
    const std::string failed = fmt::format("{} failed", run.count(Status::failed));
    text += fmt::format("\n{} passed, {}, {} skipped in {:.2f} s\n", run.count(Status::passed),
                        run.ok() ? failed : paint.bad(failed), run.count(Status::skipped), seconds);
    return text;
}

}  // namespace ropescope
