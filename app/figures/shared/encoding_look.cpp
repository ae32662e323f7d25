// Lists the ways to know positions.
#include "app/figures/shared/encoding_look.h"

#include <algorithm>

namespace ropescope::figures {

const std::vector<EncodingLook>& encoding_looks() {
    // A colour for each kind: what turns, a fixed bias, learned numbers, added sines, nothing.
    // Lines with the same dashes differ in brightness, too, for every colour vision.
    using plot::Dash;
    using plot::Role;
    static const std::vector<EncodingLook> looks = {
        {"rope", "RoPE", Role::first, Dash::none},
        {"yarn", "RoPE, YaRN", Role::first, Dash::dashed},
        {"partial", "partial RoPE", Role::first, Dash::dash_dot},
        {"alibi", "ALiBi", Role::second, Dash::long_dash},
        {"t5", "T5 bias", Role::third, Dash::dashed},
        {"learned", "learned", Role::third, Dash::dotted},
        {"sinusoidal", "sinusoids", Role::dim, Dash::dotted},
        {"none", "none", Role::text, Dash::none},
    };
    return looks;
}

const EncodingLook& encoding_look(std::string_view id) {
    return *std::ranges::find(encoding_looks(), id, &EncodingLook::id);
}

}  // namespace ropescope::figures
