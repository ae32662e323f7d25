// The verdicts that a check can return.
#include "core/checks/check.h"

namespace ropescope {

std::string_view family_of(std::string_view check_id) {
    return check_id.substr(0, check_id.find('.'));
}

Finding at_most(double measured, double bound, std::string bound_reason, std::string detail) {
    // Written so that NaN on either side fails.
    const Status status = measured <= bound ? Status::passed : Status::failed;
    return {status, measured, bound, std::move(bound_reason), std::move(detail), {}};
}

Finding skipped(std::string reason) {
    Finding finding;
    finding.status = Status::skipped;
    finding.detail = std::move(reason);
    return finding;
}

Finding note(std::string text) {
    Finding finding;
    finding.status = Status::note;
    finding.detail = std::move(text);
    return finding;
}

}  // namespace ropescope
