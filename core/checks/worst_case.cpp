// Turns the worst of many cases into a finding.
#include "core/checks/worst_case.h"

#include <fmt/format.h>

namespace ropescope {

Finding WorstCase::finding(std::string bound_reason, const std::string& swept) const {
    if (cases_ == 0) {
        return at_most(std::numeric_limits<double>::quiet_NaN(), 0.0, std::move(bound_reason),
                       swept + ": no case was measured");
    }
    return at_most(error_, bound_, std::move(bound_reason),
                   fmt::format("{}; {} cases, worst at {}", swept, cases_, where_));
}

}  // namespace ropescope
