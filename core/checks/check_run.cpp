// Runs checks, one after the other or on several threads.
#include "core/checks/check_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <limits>
#include <new>

#include "core/base/error.h"
#include "core/base/names.h"
#include "core/base/parallel.h"

namespace ropescope {
namespace {

/// A check that throws has failed, unless the machine lacks something: that is no fault of the
/// mathematics.
CheckFinding run_guarded(const Check& check, const CheckContext& context) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    try {
        CheckFinding finding = check.run(context);
        const bool has_cases = !finding.worst_case.empty() || finding.status != Status::passed;
        return context.cases.all() || has_cases ? std::move(finding)
                                                : skipped("it is not a sweep: it has no cases");
    } catch (const CapabilityError&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        return at_most(kNaN, 0.0, "no exception", error.what());
    } catch (...) {
        return at_most(kNaN, 0.0, "no exception", "an exception of unknown type");
    }
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

CheckResult timed(const Check& check, const CheckContext& context) {
    const auto start = Clock::now();
    CheckFinding finding = run_guarded(check, context);
    return {&check, std::move(finding), seconds_since(start)};
}

}  // namespace

int CheckRun::count(Status status) const {
    return static_cast<int>(std::ranges::count_if(
        results, [status](const CheckResult& result) { return result.finding.status == status; }));
}

double CheckRun::seconds() const {
    if (elapsed_seconds) {
        return *elapsed_seconds;
    }
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
    const auto start = Clock::now();
    CheckRun run{.results = {}, .asked = {checks.begin(), checks.end()}};
    run.results.reserve(checks.size());
    for (const Check* check : checks) {
        run.results.push_back(timed(*check, context));
        if (progress) {
            progress(run.results.back());
        }
    }
    run.elapsed_seconds = seconds_since(start);
    return run;
}

CheckRun run_checks_at_once(std::span<const Check* const> checks, const CheckContext& context,
                            int threads) {
    const auto start = Clock::now();
    CheckRun run{.results = std::vector<CheckResult>(checks.size()),
                 .asked = {checks.begin(), checks.end()}};
    // A thread takes the next check when it is done with one, since they take unlike times.
    std::atomic<std::size_t> next = 0;
    parallel_for(threads, 1, threads, [&](std::int64_t, std::int64_t) {
        for (std::size_t i = next++; i < checks.size(); i = next++) {
            run.results[i] = timed(*checks[i], context);
        }
    });
    run.elapsed_seconds = seconds_since(start);
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
