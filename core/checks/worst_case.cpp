// Turns the worst of many cases into a finding.
#include "core/checks/worst_case.h"

#include <fmt/format.h>

namespace ropescope {

CheckFinding WorstCase::finding(std::string bound_reason, const std::string& swept) const {
    if (cases_ == 0 && !wanted_.all()) {
        return skipped(swept + ": no case has this name");
    }
    if (cases_ == 0) {
        return at_most(std::numeric_limits<double>::quiet_NaN(), 0.0, std::move(bound_reason),
                       swept + ": no case was measured");
    }
    CheckFinding finding = at_most(error_, bound_, std::move(bound_reason),
                                   fmt::format("{}; {} cases, worst at {}", swept, cases_, where_));
    finding.worst_case = where_;
    return finding;
}

}  // namespace ropescope
