// The pack of models in several axes: every published one that ropescope knows.
#include "core/formats/presets.h"
#include "core/vectors/model_cases.h"
#include "core/vectors/packs.h"

namespace ropescope::vectors {

Pack axes_pack() {
    Pack pack{.name = "axes"};
    for (const Preset& preset : several_axes_presets()) {
        const Model model = open_model(preset.name);
        pack.rotations.push_back(axes_case(model, model.part()));
        pack.rotations.push_back(batched_axes_case(model, model.part()));
    }
    return pack;
}

}  // namespace ropescope::vectors
