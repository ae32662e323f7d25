#include "core/scaling/proportional.h"

#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/scaling/require.h"

namespace ropescope {

int turning_pairs(const ProportionalScaling& scaling, const FrequencyInput& input) {
    return static_cast<int>(std::floor(scaling.partial_rotary_factor * input.head_dim / 2.0));
}

void validate(const ProportionalScaling& scaling, const FrequencyInput& input) {
    require_factor("factor", scaling.factor);
    require_positive("partial_rotary_factor", scaling.partial_rotary_factor);
    if (scaling.partial_rotary_factor > 1.0) {
        throw InputError(
            fmt::format("partial_rotary_factor: {} is more than the whole head; give at most 1",
                        scaling.partial_rotary_factor));
    }
    if (input.rotary_dim != input.head_dim) {
        throw InputError(fmt::format(
            "rope_type: proportional spans the whole head; give rotary_dim the head_dim {}, not {}",
            input.head_dim, input.rotary_dim));
    }
}

Frequencies frequencies(const ProportionalScaling& scaling, const FrequencyInput& input) {
    Frequencies result{default_inv_freq(input.head_dim, input.base)};
    const std::size_t turning = static_cast<std::size_t>(turning_pairs(scaling, input));
    for (std::size_t i = 0; i < result.inv_freq_rad.size(); ++i) {
        result.inv_freq_rad[i] = i < turning ? result.inv_freq_rad[i] / scaling.factor : 0.0;
    }
    return result;
}

}  // namespace ropescope
