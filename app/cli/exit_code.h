// The exit codes of the program; a check that failed has its own, 1 (output.h).
#pragma once

namespace ropescope::cli {

enum ExitCode { kOk = 0, kBadInput = 2, kCapabilityMissing = 3 };

}  // namespace ropescope::cli
