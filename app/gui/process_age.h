// How long this process has been running, for the time to the first frame.
#pragma once

namespace ropescope::gui {

/// Milliseconds since the kernel started this process, loading the program included. Linux gives
/// them in ticks of 10 ms. Negative if they are not known.
double process_age_ms();

}  // namespace ropescope::gui
