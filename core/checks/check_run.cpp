// Runs checks one after the other.
#include "core/checks/check_run.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <limits>

#include "core/base/error.h"
#include "core/base/names.h"

namespace ropescope {
namespace {

/// A check that throws anything but CapabilityError has failed.
Finding run_guarded(const Check& check, const CheckContext& context) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    try {
        Finding finding = check.run(context);
        const bool has_cases = !finding.worst_case.empty() || finding.status != Status::passed;
        return context.cases.all() || has_cases ? std::move(finding)
                                                : skipped("it is not a sweep: it has no cases");
    } catch (const CapabilityError&) {
        throw;
    } catch (const std::exception& error) {
        return at_most(kNaN, 0.0, "no exception", error.what());
    } catch (...) {
        return at_most(kNaN, 0.0, "no exception", "an exception of unknown type");
    }
}

}  // namespace

int CheckRun::count(Status status) const {
    return static_cast<int>(std::ranges::count_if(
        results, [status](const CheckResult& result) { return result.finding.status == status; }));
}

double CheckRun::seconds() const {
    double sum = 0.0;
    for (const CheckResult& result : results) {
        sum += result.finding.status == Status::note ? 0.0 : result.seconds;
    }
    return sum;
}

std::vector<const Check*> runnable(std::vector<const Check*> checks, const CheckContext& context) {
    std::vector<const Check*> able;
    std::ranges::copy_if(checks, std::back_inserter(able), [&](const Check* check) {
        return context.engines.size() > 1 || family_of(check->id) != "gpu";
    });
    return able.empty() ? checks : able;
}

CheckRun run_checks(std::span<const Check* const> checks, const CheckContext& context,
                    const std::function<void(const CheckResult&)>& progress) {
    using Clock = std::chrono::steady_clock;
    CheckRun run{.results = {}, .asked = {checks.begin(), checks.end()}};
    run.results.reserve(checks.size());
    for (const Check* check : checks) {
        const auto start = Clock::now();
        CheckResult result{check, run_guarded(*check, context), 0.0};
        result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        run.results.push_back(std::move(result));
        if (progress) {
            progress(run.results.back());
        }
    }
    return run;
}

CheckRun run_all_checks(Engine& engine, std::span<const Check> more) {
    return run_checks(select_checks("*", more), {.engines = {&engine}});
}

// Selects checks by glob.

namespace {

/// The glob without "*" and "?", so that a mistyped one is compared by its letters.
std::string without_wildcards(std::string_view glob) {
    std::string letters(glob);
    std::erase_if(letters, [](char c) { return c == '*' || c == '?'; });
    return letters;
}

[[noreturn]] void refuse_filter(std::string_view glob, std::span<const Check> more) {
    std::vector<std::string> names;
    std::string families;
    for (const std::span<const Check> part : {std::span(all_checks()), more}) {
        for (const Check& check : part) {
            const std::string family = std::string(family_of(check.id)) + ".*";
            if (std::ranges::find(names, family) == names.end()) {
                names.push_back(family);
                families += (families.empty() ? "" : ", ") + family;
            }
            names.push_back(check.id);
        }
    }
    std::string hint = did_you_mean(glob, names);
    if (hint.empty()) {
        hint = did_you_mean(without_wildcards(glob), names);
    }
    throw InputError("--filter: '" + std::string(glob) + "' matches no check" + hint +
                     (hint.empty() ? ";" : "") + " the families are " + families +
                     ", and --list names every check");
}

}  // namespace

std::vector<const Check*> select_checks(std::string_view glob, std::span<const Check> more) {
    std::vector<const Check*> selected;
    for (const std::span<const Check> part : {std::span(all_checks()), more}) {
        for (const Check& check : part) {
            if (glob_matches(glob, check.id)) {
                selected.push_back(&check);
            }
        }
    }
    if (selected.empty()) {
        refuse_filter(glob, more);
    }
    return selected;
}

std::vector<const Check*> select_checks(std::string_view glob) {
    return select_checks(glob, {});
}

}  // namespace ropescope
