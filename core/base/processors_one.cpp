// In place of processors.cpp where no thread can be started.
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/processors.h"

namespace ropescope {

int allowed_processors() {
    return 1;
}

std::string processor_name() {
    return "CPU";
}

void require_thread(std::string_view what) {
    throw CapabilityError(
        fmt::format("{} need a thread of their own, and there is none here", what));
}

void require_addresses(std::size_t /*bytes*/) {}  // memory grows with what is asked for

}  // namespace ropescope
