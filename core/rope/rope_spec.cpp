// Checks the fields of a RopeSpec and positions against their ranges, and says a spec in words.
#include "core/rope/rope_spec.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

/// Below this base the angles of the fastest pair leave the range of double.
constexpr double kMinBase = 1e-300;

}  // namespace

void validate(const RopeSpec& spec) {
    if (spec.head_dim < 2 || spec.head_dim > kMaxHeadDim || spec.head_dim % 2 != 0) {
        throw InputError(
            fmt::format("head_dim: {} is not an even number from 2 to {}; give the "
                        "channels of one head, for example 64 or 128",
                        spec.head_dim, kMaxHeadDim));
    }
    if (spec.rotary_dim > spec.head_dim) {
        throw InputError(
            fmt::format("rotary_dim: {} exceeds head_dim {}; give an even number from 2 to {}",
                        spec.rotary_dim, spec.head_dim, spec.head_dim));
    }
    if (spec.rotary_dim < 2 || spec.rotary_dim % 2 != 0) {
        throw InputError(
            fmt::format("rotary_dim: {} cannot be split into pairs; give an even number from 2 to "
                        "head_dim {}",
                        spec.rotary_dim, spec.head_dim));
    }
    if (spec.base > 0 && spec.base < kMinBase) {
        throw InputError(
            fmt::format("base: {} is too small to compute with; give rope_theta from {} on, for "
                        "example 10000",
                        spec.base, kMinBase));
    }
    if (!std::isfinite(spec.base) || spec.base <= 0) {
        throw InputError(fmt::format(
            "base: {} is not a finite number above 0; give rope_theta, for example 10000",
            spec.base));
    }
    if (spec.seq_len < 0 || spec.seq_len > kMaxSeqLen) {
        throw InputError(fmt::format("seq_len: {} positions; give 1 to {}, or 0 for not known",
                                     spec.seq_len, kMaxSeqLen));
    }
    validate(spec.scaling, frequency_input(spec));
}

FrequencyInput frequency_input(const RopeSpec& spec) {
    return {spec.head_dim, spec.rotary_dim, spec.base, spec.seq_len};
}

std::string describe(const RopeSpec& spec) {
    return fmt::format("head_dim {}, rotary_dim {}, base {}, {}", spec.head_dim, spec.rotary_dim,
                       spec.base, to_string(spec.layout));
}

void validate_position(Index position, const char* what) {
    if (position < -kMaxPosition || position > kMaxPosition) {
        throw InputError(fmt::format("{}: {} is outside the supported range; give -{} to {}", what,
                                     position, kMaxPosition, kMaxPosition));
    }
}

}  // namespace ropescope
