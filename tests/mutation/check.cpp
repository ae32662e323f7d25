// Runs the checks of `ropescope check --engine cpu`, or gpu, without the app around them, which
// links faster, and prints the ids of those that failed. Arguments: cpu or gpu, then globs of
// checks that run first; the program ends with the first glob that has a failure.
#include <cstdio>
#include <string_view>

#include "app/headless/offscreen_engine.h"
#include "core/checks/check_run.h"

namespace ropescope {
namespace {

/// Whether all hold; prints what does not.
bool hold(const CheckRun& run) {
    for (const CheckResult& result : run.results) {
        if (result.finding.status == Status::failed) {
            std::puts(result.check->id.c_str());
        }
    }
    return run.ok();
}

bool hold_all(std::span<char* const> arguments) {
    const bool on_gpu = !arguments.empty() && arguments[0] == std::string_view("gpu");
    const auto engine = on_gpu ? headless::make_offscreen_engine() : make_cpu_engine();
    const CheckContext context{.engines = {engine.get()}};
    for (const char* const glob : arguments.subspan(arguments.empty() ? 0 : 1)) {
        if (!hold(run_checks(select_checks(glob), context))) {
            return false;
        }
    }
    return hold(run_checks(runnable(select_checks("*"), context), context));
}

}  // namespace
}  // namespace ropescope

int main(int count, char** arguments) {
    return ropescope::hold_all({arguments + 1, arguments + count}) ? 0 : 1;
}
