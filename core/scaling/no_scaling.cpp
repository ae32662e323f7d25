// No scaling: Hugging Face rope type "default".
#include "core/base/memo.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

void validate(const NoScaling&, const FrequencyInput&) {}

Frequencies frequencies(const NoScaling&, const FrequencyInput& input) {
    return {default_inv_freq(input.rotary_dim, input.base)};
}

double fp32_units(const NoScaling&, const FrequencyInput&, Index, double) {
    return 0.0;
}

}  // namespace

const Description<NoScaling>& NoScaling::description() {
    // The sections of "mrope" take their positions from time, height and width; the frequencies are
    // the usual ones.
    return made_once([] {
        return Description<NoScaling>{
            .facts = {.type = "default", .name = "none", .older_type = "mrope", .extends = false},
            .validate = validate,
            .frequencies = frequencies,
            .fp32_units = fp32_units};
    });
}

}  // namespace ropescope
