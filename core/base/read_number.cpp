// By the standard library.
#include "core/base/read_number.h"

namespace ropescope {

std::from_chars_result read_number(const char* first, const char* last, double& value) {
    return std::from_chars(first, last, value);
}

}  // namespace ropescope
