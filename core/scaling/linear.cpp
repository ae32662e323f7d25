#include "core/scaling/linear.h"

#include "core/scaling/require.h"

namespace ropescope {

void validate(const LinearScaling& scaling, const FrequencyInput&) {
    require_factor("factor", scaling.factor);
}

Frequencies frequencies(const LinearScaling& scaling, const FrequencyInput& input) {
    Frequencies result{default_inv_freq(input.rotary_dim, input.base)};
    for (double& inv_freq : result.inv_freq_rad) {
        inv_freq /= scaling.factor;
    }
    return result;
}

}  // namespace ropescope
