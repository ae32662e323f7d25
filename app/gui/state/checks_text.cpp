// Says how far a run is, or what it found.
#include "app/gui/state/checks_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace ropescope::gui {

std::string checks_text(const ChecksState& checks) {
    switch (checks.phase) {
        case ChecksState::Phase::unknown:
            return "Run the checks";
        case ChecksState::Phase::asked:
            return "checks";
        case ChecksState::Phase::running:
            return fmt::format("checks: {} of {}", checks.done(), checks.total());
        case ChecksState::Phase::over:
            break;
    }
    // Notes and skipped checks count as neither.
    const int passed = checks.run.count(Status::passed), failed = checks.run.count(Status::failed);
    if (failed == 0) {
        return fmt::format("{} checks hold", passed);
    }
    const auto first =
        std::ranges::find(checks.run.results, Status::failed,
                          [](const CheckResult& result) { return result.finding.status; });
    return fmt::format("{} of {} checks fail, first {}", failed, passed + failed, first->check->id);
}

}  // namespace ropescope::gui
