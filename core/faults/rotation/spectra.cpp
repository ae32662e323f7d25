// Lists the bases of spectra.
#include "core/faults/rotation/spectra.h"

#include <algorithm>
#include <vector>

#include "core/base/memo.h"
#include "core/formats/presets.h"

namespace ropescope::faults {

std::span<const double> usual_bases() {
    return made_once([] {
        std::vector<double> all = {1e4,  5e5, 1e6, 100.0, 1e3, 1e5,   1.6e5, 1.5e5, 5e6, 1e7,
                                   8e6,  5e4, 2e5, 2.5e4, 4e4, 2.5e5, 6e5,   3e6,   4e6, 2e6,
                                   10.0, 1e8, 1e9, 256.0, 7e4, 1.5e7, 1e11,  3e4,   2e4, 2.0};
        for (const ModelConfig& preset : model_presets()) {
            if (std::ranges::find(all, preset.rope.base) == all.end()) {
                all.push_back(preset.rope.base);
            }
        }
        return all;
    });
}

}  // namespace ropescope::faults
