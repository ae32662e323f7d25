// Reads the list of layer types, or counts by the family's period.
#include "core/formats/layer_types.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/index.h"

namespace ropescope {
namespace {

using Json = nlohmann::json;

/// layer_types, or the family's pattern; null if the file has neither.
const Json* layer_list(const ModelReader& file) {
    for (const std::string_view key : {std::string_view("layer_types"), file.family.pattern_key}) {
        const Json* list = file.config.find(key);
        if (list != nullptr && list->is_array()) {
            return list;
        }
    }
    return nullptr;
}

/// Whether an entry of layer_types, or a number of the family's pattern, is of this kind.
bool is_of(const Json& entry, const LayerKind& kind) {
    return entry.is_number() ? (entry != 0) == kind.rest
                             : entry == Json(kind.listed_as.empty() ? kind.type : kind.listed_as);
}

/// The kind that the entry names, else the family's kind for all others, else its own word.
std::string type_of(const Json& entry, const ModelFamily& family) {
    auto kind = std::ranges::find_if(family.layers,
                                     [&](const LayerKind& each) { return is_of(entry, each); });
    if (kind == family.layers.end()) {
        kind = std::ranges::find_if(family.layers, &LayerKind::rest);
    }
    if (kind != family.layers.end()) {
        return std::string(kind->type);
    }
    return entry.is_string() ? entry.get<std::string>() : "";
}

/// EXAONE 4 writes a period as letters, of which the last layer is always the full one: "LLLG".
bool is_full_by_letters(const std::string& letters, int layer, int layers) {
    return layer == layers - 1 || letters[static_cast<std::size_t>(layer) % letters.size()] != 'L';
}

bool is_full_by_period(const ModelFamily& family, int period, int layer, int layers) {
    const bool last = family.last_is_full && layer == layers - 1;
    return period == 0 || last || (family.period_starts_full ? layer : layer + 1) % period == 0;
}

std::vector<std::string> types_by_period(const ModelReader& file, int layers) {
    const ModelFamily& family = file.family;
    const Json* stated = family.period_key.empty() ? nullptr : file.config.find(family.period_key);
    const std::string letters =
        stated != nullptr && stated->is_string() ? stated->get<std::string>() : "";
    const Index period = stated == nullptr || !letters.empty()
                             ? family.period
                             : *file.config.integer(family.period_key, 0, 1 << 16);
    std::vector<std::string> types;
    for (int layer = 0; layer < layers; ++layer) {
        const bool full = letters.empty()
                              ? is_full_by_period(family, narrow<int>(period), layer, layers)
                              : is_full_by_letters(letters, layer, layers);
        types.emplace_back(full ? kFullAttention : kSlidingAttention);
    }
    return types;
}

}  // namespace

std::vector<std::string> types_of_layers(const ModelReader& file, int layers) {
    const Json* list = layer_list(file);
    if (list == nullptr) {
        return file.family.period == 0 ? std::vector<std::string>() : types_by_period(file, layers);
    }
    // Layers that only predict further tokens may follow those of the model.
    const Index counted =
        layers > 0 ? std::min<Index>(std::ssize(*list), layers) : std::ssize(*list);
    std::vector<std::string> types;
    for (Index layer = 0; layer < counted; ++layer) {
        types.push_back(type_of((*list)[static_cast<std::size_t>(layer)], file.family));
    }
    return types;
}

std::vector<double> bases_by_layer(const ModelReader& file) {
    constexpr double kMostBase = 1e300;
    constexpr std::size_t kMostLayers = std::size_t{1} << 16;
    const std::string_view key = file.family.layer_base_key;
    const Json* list = file.config.find(key);
    if (list == nullptr) {
        return {};
    }
    if (!list->is_array() || list->size() > kMostLayers) {
        file.config.fail(key, "a list with a base for each layer is expected");
    }
    std::vector<double> bases;
    for (const Json& entry : *list) {
        const double base = entry.is_null() ? 0 : entry.is_number() ? entry.get<double>() : -1;
        if (!(base >= 0 && base <= kMostBase)) {
            file.config.fail(fmt::format("{}[{}]", key, bases.size()),
                             fmt::format("{}; a base above 0 is expected, or 0 for a layer without "
                                         "position embedding",
                                         in_quotes(entry.dump())));
        }
        bases.push_back(base);
    }
    return bases;
}

bool is_still(const ModelReader& file, const std::string& type) {
    const bool only_with_window = file.family.still_with_window;
    return !file.family.still_type.empty() && type == file.family.still_type &&
           (!only_with_window || file.config.has("sliding_window"));
}

}  // namespace ropescope
