// What all requests and findings of a report come to.
#pragma once

#include <span>

#include "core/probe/judge.h"
#include "core/probe/reply.h"

namespace ropescope::probe {

/// Sets the smallest failing request, the verdict and its line. `replies` [requests].
void conclude(const Part& subject, std::span<const Reply> replies, Report& report);

}  // namespace ropescope::probe
