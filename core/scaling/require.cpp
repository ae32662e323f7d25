// The refusals that several scaling methods share.
#include "core/scaling/require.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope {

void require_factor(std::string_view key, double value) {
    if (!std::isfinite(value) || value < 1.0) {
        throw InputError(fmt::format(
            "{}: {} does not extend a context; give a finite number of at least 1", key, value));
    }
}

void require_positive(std::string_view key, double value) {
    if (!std::isfinite(value) || value <= 0.0) {
        throw InputError(fmt::format("{}: {}; give a finite number above 0", key, value));
    }
}

void require_length(std::string_view key, std::int64_t positions) {
    if (positions < 1) {
        throw InputError(fmt::format(
            "{}: {} positions; give the length as a whole number of at least 1", key, positions));
    }
}

}  // namespace ropescope
