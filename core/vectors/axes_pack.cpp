// The pack of models in several axes: every published one that ropescope knows.
#include "core/formats/schemes/scheme_presets.h"
#include "core/vectors/model_cases.h"
#include "core/vectors/packs.h"

namespace ropescope::vectors {

Pack axes_pack() {
    Pack pack{.name = "axes"};
    for (const SchemePreset& preset : scheme_presets()) {
        const RotaryScheme scheme = scheme_of_preset(preset).scheme;
        const CaseModel model{preset.name, preset.title, preset.config_json, preset.part};
        pack.rotations.push_back(axes_case(model, scheme));
        pack.rotations.push_back(batched_axes_case(model, scheme));
    }
    return pack;
}

}  // namespace ropescope::vectors
