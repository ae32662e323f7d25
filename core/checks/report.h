// A finished run and the ways to write it down.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks/check.h"

namespace ropescope {

struct CheckResult {
    const Check* check = nullptr;
    Finding finding;
    double seconds = 0.0;
};

struct CheckRun {
    std::vector<CheckResult> results;
    int count(Status status) const;
    bool ok() const { return count(Status::failed) == 0; }
};

/// Checks whose id matches the glob ('*' and '?'); throws InputError naming near matches when none
/// does.
std::vector<const Check*> select_checks(std::string_view glob);

/// Runs them in order; an exception inside a check is a failed finding that carries its message.
/// `progress` (may be empty) is called after each.
CheckRun run_checks(std::span<const Check* const> checks, const CheckContext& context,
                    const std::function<void(const CheckResult&)>& progress = {});

/// Grouped and aligned; colour by ANSI codes only when asked for. The first failing line comes
/// first.
std::string report_text(const CheckRun& run, bool colour);
/// {summary{passed, failed, skipped}, checks[{id, title, source, status, measured, bound, detail}]}
std::string report_json(const CheckRun& run);

}  // namespace ropescope
