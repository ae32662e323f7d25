// Packs the outcome of a check, and unpacks it.
#include "app/web/outcome.h"

#include <cstddef>

#include "core/base/error.h"
#include "core/base/packed.h"

namespace ropescope {
template <>
inline constexpr std::size_t kMembers<CheckFinding> = 6;
template <>
inline constexpr std::size_t kMembers<web::CheckOutcome> = 3;
}  // namespace ropescope

namespace ropescope::web {

std::string pack_outcome(const CheckOutcome& outcome) {
    return Packer().add(outcome).bytes();
}

CheckOutcome unpack_outcome(std::string_view bytes) {
    Unpacker unpacker(bytes);
    auto outcome = unpacker.get<CheckOutcome>();
    unpacker.end();
    if (outcome.finding.status < Status::passed || outcome.finding.status > Status::note) {
        throw InputError(
            "check: the worker of this page answered with no status; load the page again");
    }
    return outcome;
}

}  // namespace ropescope::web
