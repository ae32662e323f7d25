// Standard streams that the parent process may have closed.
#pragma once

namespace ropescope::cli {

/// Opens the standard streams that the parent process has closed, so that no file of ours takes
/// their number; writing to them fails as before. Call it before anything is opened.
void open_missing_streams();

}  // namespace ropescope::cli
