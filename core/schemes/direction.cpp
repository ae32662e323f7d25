// Negates the frequencies of schemes whose models turn backwards.
#include "core/schemes/direction.h"

namespace ropescope {

RotaryScheme turned_round(RotaryScheme scheme) {
    for (Spectrum& head : scheme.heads) {
        for (double& omega : head.inv_freq_rad) {
            omega = -omega;
        }
    }
    return scheme;
}

RotaryScheme text_scheme(const RopeSpec& spec, bool backwards) {
    return backwards ? turned_round(scheme_of(spec)) : scheme_of(spec);
}

}  // namespace ropescope
