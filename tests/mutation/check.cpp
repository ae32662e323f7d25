// Runs the checks of `ropescope check --engine cpu` without the app around them, which links
// faster, and prints the ids of those that failed. The families that are named run first: the
// program ends with the first failure there.
#include <cstdio>

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

}  // namespace
}  // namespace ropescope

int main(int count, char** families) {
    using namespace ropescope;
    const auto engine = make_cpu_engine();
    const CheckContext context{{engine.get()}};
    for (int i = 1; i < count; ++i) {
        if (!hold(run_checks(select_checks(families[i]), context))) {
            return 1;
        }
    }
    return hold(run_checks(runnable(select_checks("*"), context), context)) ? 0 : 1;
}
