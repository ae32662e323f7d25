// Choosing checks, running them, and what a run found.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/checks/check.h"

namespace ropescope {

struct CheckResult {
    const Check* check = nullptr;
    CheckFinding finding;
    double seconds = 0.0;
};

struct CheckRun {
    std::vector<CheckResult> results;
    /// The checks that were asked for, in their order, also those that have no result yet.
    std::vector<const Check*> asked = {};
    /// From the first check to the last; nothing while the run is under way.
    std::optional<double> elapsed_seconds = {};

    int count(Status status) const;
    bool ok() const { return count(Status::failed) == 0; }
    /// How long the run took, or, while it is under way, its checks together. Notes take no time.
    double seconds() const;
};

/// The checks whose id matches the glob ('*' and '?'), in registry order. Throws InputError naming
/// near matches if none does.
std::vector<const Check*> select_checks(std::string_view glob);

/// Those of `checks` that can say something with the engines at hand: without a second engine the
/// family gpu, which compares engines, is left out, unless no check would remain.
std::vector<const Check*> runnable(std::vector<const Check*> checks, const CheckContext& context);

/// Runs the checks in order and calls `progress` after each. An exception inside a check becomes a
/// failed finding that carries its message. A CapabilityError (a lost engine) ends the run: it is
/// no verdict on the mathematics.
CheckRun run_checks(std::span<const Check* const> checks, const CheckContext& context,
                    const std::function<void(const CheckResult&)>& progress = {});

/// The same on `threads` threads at once, results in the order of the checks. For engines on the
/// processor only: others belong to a thread. Each check computes on its own thread alone.
CheckRun run_checks_at_once(std::span<const Check* const> checks, const CheckContext& context,
                            int threads);

/// A finished run of every check on this engine, and of `more` after them; `more` must outlive it.
CheckRun run_all_checks(Engine& engine, std::span<const Check> more = {});

// Choosing checks among those of the registry and others.

/// As select_checks(glob) of check_run.h, with the checks of `more` behind those of the registry.
/// They must outlive the result.
std::vector<const Check*> select_checks(std::string_view glob, std::span<const Check> more);

}  // namespace ropescope
