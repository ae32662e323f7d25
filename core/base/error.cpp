// Says in words why a library failed that has only the name of its exception.
#include "core/base/error.h"

#include <new>

namespace ropescope {

std::string reason_of(const std::exception& error) {
    // A container whose size no memory holds throws std::length_error.
    const bool no_room = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                         dynamic_cast<const std::length_error*>(&error) != nullptr;
    return no_room ? std::string(kOutOfMemory) : error.what();
}

}  // namespace ropescope
