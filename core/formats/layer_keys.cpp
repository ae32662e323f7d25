// Collects rope_parameters, rope_scaling and the families' own keys for each type of layer.
#include "core/formats/layer_keys.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.h"
#include "core/base/index.h"
#include "core/base/names.h"
#include "core/formats/layer_bases.h"
#include "core/formats/layer_types.h"
#include "core/formats/limits.h"

namespace ropescope {
namespace {

using Json = nlohmann::json;

/// `more` into `keys`; a key that both have must not contradict itself.
void merge(Json& keys, const Json& more, const ConfigObject& config, std::string_view key) {
    for (const auto& [name, value] : more.items()) {
        const auto found = keys.find(name);
        if (found != keys.end() && *found != value) {
            config.fail(
                fmt::format("{}.{}", key, printable(name)),
                fmt::format("{} contradicts rope_parameters.{} {}; give one of them",
                            in_quotes(value.dump()), printable(name), in_quotes(found->dump())));
        }
        keys[name] = value;
    }
}

bool is_by_layer(const Json& parameters) {
    return std::ranges::any_of(parameters, [](const Json& value) { return value.is_object(); });
}

/// The family's row of the type, or what its name tells if the family has no such row.
LayerKind kind_of(const ModelFamily& family, std::string_view type) {
    const auto found = std::ranges::find(family.layers, type, &LayerKind::type);
    const bool local = type == kSlidingAttention;
    LayerKind kind =
        found != family.layers.end() ? *found : LayerKind{.local = local, .scaled = !local};
    if (kind.base_key.empty()) {
        kind.base_key = family.base_key;
        kind.base = family.base;
    }
    if (kind.head_dim_key.empty()) {
        kind.head_dim_key = family.head_dim_key;
        kind.head_dim = family.head_dim;
    }
    return kind;
}

LayerKeys keys_of(const ModelReader& file, const std::string& type) {
    return {.layer_type = type,
            .kind = kind_of(file.family, type),
            .parameters = Json::object(),
            .where = file.config.path_of("rope_parameters")};
}

/// A family with types of its own has no others, unless layer_types lists them.
void check_layer_type(const ModelReader& file, const std::string& type) {
    std::vector<std::string> known;
    for (const LayerKind& kind : file.family.layers) {
        known.emplace_back(kind.type);
    }
    const Json* listed = file.config.find("layer_types");
    const bool is_listed = listed != nullptr && listed->is_array() &&
                           std::count(listed->begin(), listed->end(), Json(type)) > 0;
    if (!known.empty() && !is_listed && std::ranges::find(known, type) == known.end()) {
        file.config.fail(
            fmt::format("rope_parameters.{}", printable(type)),
            fmt::format("is not a type of layer of {}; {} is expected{}", file.family.model_type,
                        fmt::join(known, " or "), did_you_mean(type, known)));
    }
}

/// The family's types, and those that rope_parameters names.
std::vector<std::string> layer_types(const ModelReader& file, const Json& parameters) {
    std::vector<std::string> types;
    for (const LayerKind& kind : file.family.layers) {
        types.emplace_back(kind.type);
    }
    for (const auto& [type, value] : parameters.items()) {
        // Numbers beside the types (rope_type, rope_theta) are of no layer: transformers writes
        // them where layer_types does not have every type.
        if (!value.is_object()) {
            continue;
        }
        check_layer_type(file, type);
        if (std::ranges::find(types, type) == types.end()) {
            types.push_back(type);
        }
    }
    return types;
}

/// rope_parameters that has an object for each type, or null for none of them.
std::vector<LayerKeys> keys_by_layer(const ModelReader& file, const Json& parameters) {
    const ConfigObject by_type(parameters, file.config.path_of("rope_parameters"), true);
    std::vector<LayerKeys> layers;
    for (const std::string& type : layer_types(file, parameters)) {
        LayerKeys& keys = layers.emplace_back(keys_of(file, type));
        if (by_type.has(type)) {
            const ConfigObject own = *by_type.object(type);
            keys.parameters = own.json();
            keys.where = own.where();
        }
    }
    return layers;
}

/// The layer's entry of a list with one for each layer into the parameters of its type. Layers of
/// one type that differ are refused.
void put_entry(Json& own, const char* name, const ModelReader& file, std::string_view key,
               std::size_t layer) {
    const Json* list = file.config.find(key);
    if (list == nullptr || !list->is_array() || layer >= list->size()) {
        return;
    }
    const Json& entry = (*list)[layer];
    if (own.contains(name) && own[name] != entry) {
        file.config.fail(fmt::format("{}[{}]", key, layer),
                         fmt::format("{} differs from the {} of another layer of its type; one "
                                     "value for each type is expected",
                                     in_quotes(entry.dump()), in_quotes(own[name].dump())));
    }
    own[name] = entry;
}

/// Step 3.5: rope_theta and partial_rotary_factors are lists with an entry for each layer, beside
/// layer_types. Empty if the file has no such lists.
Json parameters_of_lists(const ModelReader& file) {
    if (file.family.base_key != "rope_theta") {
        return Json::object();
    }
    const Json* types = file.config.find("layer_types");
    const Json* bases = file.config.find("rope_theta");
    Json parameters = Json::object();
    if (bases == nullptr || !bases->is_array()) {
        return parameters;
    }
    if (types == nullptr || !types->is_array()) {
        file.config.fail("rope_theta",
                         fmt::format("is a list with {} bases, and no key says whose they are; "
                                     "layer_types, a list with the type of each layer, is expected "
                                     "beside it",
                                     bases->size()));
    }
    for (std::size_t layer = 0;
         layer < std::min(types->size(), static_cast<std::size_t>(kMaxCount)); ++layer) {
        if (const Json& type = (*types)[layer]; type.is_string()) {
            Json& own = parameters[type.get<std::string>()];
            put_entry(own, "rope_theta", file, "rope_theta", layer);
            put_entry(own, "partial_rotary_factor", file, "partial_rotary_factors", layer);
        }
    }
    return parameters;
}

/// The parameters with the bases of a list that has one for each layer: as before if all layers
/// that turn have the same, else one object for each type of layers.
Json with_listed_bases(const ModelReader& file, Json parameters, const std::vector<double>& bases) {
    const std::string_view key = file.family.layer_base_key;
    const std::vector<double> different = different_bases(bases);
    if (different.empty()) {
        file.config.fail(key, "has no base above 0, so this model has no RoPE");
    }
    if (different.size() == 1 && !is_by_layer(parameters)) {
        parameters["rope_theta"] = different.front();
        return parameters;
    }
    const std::vector<std::string> types = types_of_layers(file, narrow<int>(std::ssize(bases)));
    if (types.size() < bases.size()) {
        file.config.fail(key,
                         "has several bases; layer_types is expected to be as long, or missing");
    }
    Json by_type = Json::object();
    for (std::size_t layer = 0; layer < bases.size(); ++layer) {
        const std::string& type = types[layer];
        if (bases[layer] == 0.0) {
            continue;
        }
        if (!by_type.contains(type)) {
            const bool has_own = parameters.contains(type) && parameters[type].is_object();
            if (!has_own && is_by_layer(parameters)) {
                file.config.fail(
                    fmt::format("{}[{}]", key, layer),
                    "differs from the base of another layer of its type; rope_parameters "
                    "that is not by type is expected beside it");
            }
            by_type[type] = has_own ? parameters[type] : parameters;
            by_type[type].erase("rope_theta");
        }
        put_entry(by_type[type], "rope_theta", file, key, layer);
    }
    return by_type;
}

/// InternLM's rotary object with the names of rope_parameters.
Json renamed(const ConfigObject& own) {
    Json parameters = Json::object();
    if (const Json* base = own.find("base")) {
        parameters["rope_theta"] = *base;
    }
    const std::string type = own.text("type").value_or("origin");
    if (type != "origin") {
        parameters["rope_type"] = type;
        const Json* factor = own.find("scaling_factor");
        parameters["factor"] = factor == nullptr ? Json(1.0) : *factor;
    }
    return parameters;
}

/// The file's rope_parameters; the family's own if the file has no rotary parameters at all; else
/// an empty object.
Json rope_parameters(const ModelReader& file) {
    if (const auto stated = file.config.object("rope_parameters")) {
        return stated->json();
    }
    if (Json by_layer = parameters_of_lists(file); !by_layer.empty()) {
        return by_layer;
    }
    if (const auto own = file.family.rotary_object.empty()
                             ? std::nullopt
                             : file.config.object(file.family.rotary_object)) {
        return renamed(*own);
    }
    if (file.family.default_parameters == nullptr || file.config.has("rope_scaling")) {
        return Json::object();
    }
    const Json& usual = *file.family.default_parameters;
    file.assume(fmt::format("rope_parameters is missing: {}'s own, {}", file.family.model_type,
                            usual.value("rope_type", std::string("by type of layer"))));
    return usual;
}

}  // namespace

std::vector<LayerKeys> layer_keys(const ModelReader& file) {
    const std::vector<double> bases = speeds_by_layer(file);
    const Json parameters = bases.empty() ? rope_parameters(file)
                                          : with_listed_bases(file, rope_parameters(file), bases);
    const auto scaling = file.config.object("rope_scaling");
    const bool by_layer = is_by_layer(parameters);
    std::vector<LayerKeys> layers =
        by_layer || !file.family.layers.empty()
            ? keys_by_layer(file, by_layer ? parameters : Json::object())
            : std::vector{keys_of(file, "")};
    for (LayerKeys& keys : layers) {
        if (!by_layer && (!keys.kind.local || keys.kind.scaled)) {
            keys.parameters = parameters;
            if (keys.kind.local) {
                keys.parameters.erase("rope_theta");
            }
        }
        if (scaling && keys.kind.scaled) {
            if (keys.parameters.empty()) {
                keys.where = scaling->where();
            }
            merge(keys.parameters, scaling->json(), file.config, "rope_scaling");
        }
    }
    return layers;
}

}  // namespace ropescope
