// Reads which layers have no position embedding.
#include "core/formats/layers_without.h"

#include <algorithm>

#include "core/formats/layer_bases.h"
#include "core/formats/layer_types.h"

namespace ropescope {

namespace {

std::vector<Index> numbers_if(Index layers, const auto& is_without) {
    std::vector<Index> without;
    for (Index layer = 0; layer < layers; ++layer) {
        if (is_without(layer)) {
            without.push_back(layer);
        }
    }
    return without;
}

}  // namespace

std::vector<Index> layers_without_rope(const ModelReader& file, int layers) {
    const ModelFamily& family = file.family;
    if (const std::vector<double> bases = bases_by_layer(file); !bases.empty()) {
        return numbers_if(std::ssize(bases), [&](Index layer) { return bases[layer] == 0.0; });
    }
    if (family.no_rope_list_key.empty()) {
        const std::vector<std::string> types = types_of_layers(file, layers);
        return numbers_if(std::ssize(types), [&](Index layer) {
            return is_still(file, types[layer]) && !turns_for_being_dense(file, narrow<int>(layer));
        });
    }
    const auto list = file.config.numbers(family.no_rope_list_key, 1 << 16);
    if (list && !list->empty()) {
        return numbers_if(std::ssize(*list), [&](Index layer) { return (*list)[layer] == 0.0; });
    }
    const Index interval =
        file.config.integer(family.no_rope_interval_key, 1, 1 << 16).value_or(kUsualNoRopeInterval);
    return numbers_if(layers, [&](Index layer) { return (layer + 1) % interval == 0; });
}

}  // namespace ropescope
