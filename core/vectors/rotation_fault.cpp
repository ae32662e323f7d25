// Puts the list of faults together.
#include "core/vectors/rotation_fault.h"

namespace ropescope::vectors {

const std::vector<RotationFault>& rotation_faults() {
    static const std::vector<RotationFault> faults = [] {
        std::vector<RotationFault> all = layout_faults();
        for (const auto& part : {spectrum_faults(), place_faults()}) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return faults;
}

}  // namespace ropescope::vectors
