// Runs the checks of `ropescope check --engine cpu`, or gpu, without the app around them, which
// links faster, and prints the id of the first that fails. Arguments: cpu or gpu, then globs of
// checks that run before the others.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "app/headless/offscreen_engine.h"
#include "core/checks/check_run.h"

namespace ropescope {
namespace {

/// The checks of these globs, then all.
std::vector<const Check*> in_order(std::span<char* const> globs, const CheckContext& context) {
    std::vector<const Check*> checks;
    for (const char* const glob : globs) {
        std::ranges::copy(select_checks(glob), std::back_inserter(checks));
    }
    std::ranges::copy(runnable(select_checks("*"), context), std::back_inserter(checks));
    return checks;
}

/// Whether all hold; prints the first that does not.
bool hold_all(std::string_view where, std::span<char* const> globs) {
    const auto engine = where == "gpu" ? headless::make_offscreen_engine() : make_cpu_engine();
    const CheckContext context{.engines = {engine.get()}};
    for (const Check* const check : in_order(globs, context)) {
        if (!run_checks({&check, 1}, context).ok()) {
            std::puts(check->id.c_str());
            return false;
        }
    }
    return true;
}

}  // namespace
}  // namespace ropescope

int main(int count, char** arguments) {
    return count > 1 && ropescope::hold_all(arguments[1], {arguments + 2, arguments + count}) ? 0
                                                                                              : 1;
}
