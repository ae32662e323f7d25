#include "core/scaling/llama3.h"

#include <fmt/format.h>
#include <numbers>

#include "core/base/error.h"
#include "core/scaling/require.h"

namespace ropescope {

void validate(const Llama3Scaling& scaling, const FrequencyInput&) {
    require_factor("factor", scaling.factor);
    require_positive("low_freq_factor", scaling.low_freq_factor);
    require_positive("high_freq_factor", scaling.high_freq_factor);
    require_length("original_max_position_embeddings", scaling.original_positions);
    if (scaling.low_freq_factor >= scaling.high_freq_factor) {
        throw InputError(
            fmt::format("low_freq_factor: {} is not below high_freq_factor {}; the "
                        "ramp between them "
                        "needs a width",
                        scaling.low_freq_factor, scaling.high_freq_factor));
    }
}

Frequencies frequencies(const Llama3Scaling& scaling, const FrequencyInput& input) {
    Frequencies result{default_inv_freq(input.rotary_dim, input.base)};
    const double length = static_cast<double>(scaling.original_positions);
    for (double& inv_freq : result.inv_freq_rad) {
        const double turns = length * inv_freq / (2.0 * std::numbers::pi);
        if (turns > scaling.high_freq_factor) {
            continue;
        }
        if (turns < scaling.low_freq_factor) {
            inv_freq /= scaling.factor;
            continue;
        }
        const double smooth = (turns - scaling.low_freq_factor) /
                              (scaling.high_freq_factor - scaling.low_freq_factor);
        inv_freq = (1.0 - smooth) * inv_freq / scaling.factor + smooth * inv_freq;
    }
    return result;
}

}  // namespace ropescope
