// Reads the list of layer types, or counts by the family's period.
#include "core/formats/layer_types.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/index.h"
#include "core/formats/layer_bases.h"

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
    const int counted = family.period_from_last     ? layers - 1 - layer
                        : family.period_starts_full ? layer
                                                    : layer + 1;
    return period == 0 || last || counted % period == 0;
}

/// Cohere 2 MoE counts its dense layers, which come first, by a period of their own.
std::pair<int, int> period_of_dense(const ModelReader& file) {
    if (!file.family.dense_layers_turn) {
        return {0, 1};
    }
    const Index count = file.config.integer("first_k_dense_replace", 0, 1 << 16).value_or(0);
    const Index period =
        file.config.integer("prefix_dense_sliding_window_pattern", 1, 1 << 16).value_or(1);
    return {narrow<int>(count), narrow<int>(period)};
}

std::vector<std::string> types_by_period(const ModelReader& file, int layers) {
    const ModelFamily& family = file.family;
    const Json* stated = family.period_key.empty() ? nullptr : file.config.find(family.period_key);
    const std::string letters =
        stated != nullptr && stated->is_string() ? stated->get<std::string>() : "";
    const Index period = stated == nullptr || !letters.empty()
                             ? family.period
                             : *file.config.integer(family.period_key, 0, 1 << 16);
    const auto [dense, dense_period] = period_of_dense(file);
    std::vector<std::string> types;
    for (int layer = 0; layer < layers; ++layer) {
        const bool full = !letters.empty() ? is_full_by_letters(letters, layer, layers)
                          : layer < dense  ? is_full_by_period(family, dense_period, layer, layers)
                                           : is_full_by_period(family, narrow<int>(period),
                                                               layer - dense, layers - dense);
        types.emplace_back(full ? kFullAttention : kSlidingAttention);
    }
    return types;
}

/// By layer_types, else by the family's period.
std::vector<std::string> stated_types(const ModelReader& file, int layers) {
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

/// Whether rope_parameters has null for the type. Families with types of their own mean by it that
/// the usual values hold.
bool is_null_by_type(const ModelReader& file, const std::string& type) {
    const Json* parameters = file.config.find("rope_parameters");
    const auto is_own = [&](const LayerKind& kind) { return kind.type == type; };
    return parameters != nullptr && parameters->is_object() && parameters->contains(type) &&
           (*parameters)[type].is_null() && std::ranges::none_of(file.family.layers, is_own);
}

}  // namespace

std::vector<std::string> types_of_layers(const ModelReader& file, int layers) {
    return types_told_apart(stated_types(file, layers), speeds_by_layer(file));
}

bool is_still(const ModelReader& file, const std::string& type) {
    // A file that is silent about its window has the usual one.
    const bool no_window = file.config.is_null("sliding_window");
    const bool by_family = !file.family.still_type.empty() && type == file.family.still_type &&
                           !(file.family.still_with_window && no_window);
    return by_family || is_null_by_type(file, type);
}

bool turns_for_being_dense(const ModelReader& file, int layer) {
    const auto [dense, period] = period_of_dense(file);
    if (!file.family.dense_layers_turn || period != 1) {
        return false;
    }
    const Json* list = file.config.find("mlp_layer_types");
    return list != nullptr && list->is_array() && layer < std::ssize(*list)
               ? (*list)[static_cast<std::size_t>(layer)] == Json("dense")
               : layer < dense;
}

}  // namespace ropescope
