// Lists the ways to know positions.
#include "app/figures/shared/encoding_look.h"

#include <algorithm>

namespace ropescope::figures {

const std::vector<EncodingLook>& encoding_looks() {
    using plot::Dash;
    using plot::Role;
    static const std::vector<EncodingLook> looks = {
        {"rope", "RoPE", Role::first, Dash::none},
        {"yarn", "RoPE, YaRN", Role::first, Dash::dashed},
        {"partial", "RoPE on a quarter", Role::sin_part, Dash::dash_dot},
        {"alibi", "ALiBi", Role::second, Dash::none},
        {"t5", "T5 bias", Role::third, Dash::long_dash},
        {"learned", "learned", Role::key, Dash::dotted},
        {"sinusoidal", "sinusoids", Role::faint, Dash::dotted},
        {"none", "none", Role::dim, Dash::dashed},
    };
    return looks;
}

const EncodingLook& encoding_look(std::string_view id) {
    return *std::ranges::find(encoding_looks(), id, &EncodingLook::id);
}

}  // namespace ropescope::figures
