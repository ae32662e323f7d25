// Reads which layers have no position embedding.
#include "core/formats/layers_without.h"

namespace ropescope {

std::vector<Index> layers_without_rope(const ConfigObject& config, const ModelFamily& family,
                                       Index layers) {
    if (family.no_rope_list_key.empty()) {
        return {};
    }
    const Index interval =
        config.integer(family.no_rope_interval_key, 1, 1 << 16).value_or(kUsualNoRopeInterval);
    const auto list = config.numbers(family.no_rope_list_key, 1 << 16);
    const bool listed = list && !list->empty();
    std::vector<Index> without;
    for (Index layer = 0; layer < (listed ? std::ssize(*list) : layers); ++layer) {
        if (listed ? (*list)[layer] == 0.0 : (layer + 1) % interval == 0) {
            without.push_back(layer);
        }
    }
    return without;
}

}  // namespace ropescope
