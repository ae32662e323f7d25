// The report of a probe as text for people and as JSON for programs.
#pragma once

#include <string>

#include "core/probe/judge.h"

namespace ropescope::probe {

/// As diagnosis_text(), with the request that shows each finding.
std::string report_text(const Report& report);

/// The keys of diagnosis_json(), with `part`, `requests`, `smallest_failing`, and `request` in each
/// finding. Ends in a line break.
std::string report_json(const Report& report);

}  // namespace ropescope::probe
