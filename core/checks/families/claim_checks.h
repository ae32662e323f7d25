// From a claim of one of the five texts to a finding.
#pragma once

#include "core/checks/check.h"
#include "core/claims/claim.h"

namespace ropescope {

/// Computes the evidence. Passed when the correct statement holds within its bound and, for a claim
/// that is not simply true, the refutation reaches its threshold. `claim` must not be a note.
Finding judge(const Claim& claim);

}  // namespace ropescope
