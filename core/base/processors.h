// What this process may run on: processors, and threads of its own.
// Sources: processors.cpp; processors_one.cpp where the program has one thread.
#pragma once

#include <string>
#include <string_view>

namespace ropescope {

int allowed_processors();

/// The processor's name as Linux gives it; "CPU" if it gives none.
std::string processor_name();

/// Throws CapabilityError if the system lets this process have no further thread. For libraries
/// that end the process then, or wait for ever. `what` needs it: "letters".
void require_thread(std::string_view what);

}  // namespace ropescope
