// Linear scaling, "position interpolation": Chen et al., arXiv:2306.15595; Hugging Face rope type
// "linear".
#include "core/base/memo.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

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

double fp32_units(const LinearScaling&, const FrequencyInput&, Index, double) {
    return 1.0;
}

}  // namespace

const Description<LinearScaling>& LinearScaling::description() {
    return made_once([] {
        return Description<LinearScaling>{
            .facts = {.type = "linear",
                      .title = "linear: every pair by the factor",
                      .source = "Chen et al., arXiv:2306.15595",
                      .statement = "Position interpolation divides every frequency by the factor."},
            .validate = validate,
            .frequencies = frequencies,
            .fp32_units = fp32_units,
            .fields = {{.key = "factor",
                        .member = &LinearScaling::factor,
                        .missing = Missing::refused,
                        .setting = kScalingFactor}}};
    });
}

}  // namespace ropescope
