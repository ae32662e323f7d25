#include "core/formats/model_rope.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/rope_scaling.h"

namespace ropescope {
namespace {

constexpr std::int64_t kMaxSize = std::int64_t{1} << 24;  // of hidden_size
constexpr double kMaxBase = 1e300;

constexpr const char* kFull = "full_attention";
constexpr const char* kSliding = "sliding_attention";

using Assumptions = std::vector<std::string>;
using Json = nlohmann::json;

/// The rotary parameters of one type of layer, wherever the file keeps them.
struct LayerKeys {
    std::string layer_type;  ///< "" where all layers are alike
    Json parameters;         ///< of rope_parameters and rope_scaling
    std::string where;       ///< starts messages about them
    std::string_view base_key;
    double base = 10000;
    std::string_view head_dim_key;
    int head_dim = 0;
};

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

/// In a family with types of its own, others are slips, unless layer_types lists them.
void check_layer_type(const ConfigObject& config, const ModelFamily& family,
                      const std::string& type) {
    const std::vector<std::string> known = {kFull, kSliding};
    const Json* listed = config.find("layer_types");
    const bool is_listed = listed != nullptr && listed->is_array() &&
                           std::count(listed->begin(), listed->end(), Json(type)) > 0;
    if (!family.local_base_key.empty() && !is_listed &&
        std::find(known.begin(), known.end(), type) == known.end()) {
        config.fail(fmt::format("rope_parameters.{}", printable(type)),
                    fmt::format("is no type of layer of {}; {} or {} is expected{}",
                                family.model_type, kFull, kSliding, did_you_mean(type, known)));
    }
}

bool is_by_layer(const Json& parameters) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [](const Json& value) { return value.is_object(); });
}

LayerKeys plain_keys(const ConfigObject& config, const ModelFamily& family) {
    return {.layer_type = {},
            .parameters = Json::object(),
            .where = config.path_of("rope_parameters"),
            .base_key = family.base_key,
            .base = family.base,
            .head_dim_key = family.head_dim_key,
            .head_dim = family.head_dim};
}

/// One entry a type that rope_parameters names, or the family's two.
std::vector<LayerKeys> keys_by_layer(const ConfigObject& config, const ModelFamily& family,
                                     const std::optional<ConfigObject>& parameters) {
    std::vector<LayerKeys> layers;
    const auto add = [&](const std::string& type) {
        LayerKeys keys = plain_keys(config, family);
        keys.layer_type = type;
        if (parameters && parameters->has(type)) {
            const ConfigObject own = *parameters->object(type);
            keys.parameters = own.json();
            keys.where = own.where();
        }
        if (type == kSliding && !family.local_base_key.empty()) {
            keys.base_key = family.local_base_key;
            keys.base = family.local_base_key == family.base_key ? family.base : family.local_base;
        }
        if (type == kFull && !family.global_head_dim_key.empty()) {
            keys.head_dim_key = family.global_head_dim_key;
            keys.head_dim = family.global_head_dim;
        }
        layers.push_back(std::move(keys));
    };
    if (!family.local_base_key.empty()) {
        add(kFull);
        add(kSliding);
    }
    if (parameters && is_by_layer(parameters->json())) {
        for (const auto& [type, value] : parameters->json().items()) {
            check_layer_type(config, family, type);
            const auto same = [&](const LayerKeys& keys) { return keys.layer_type == type; };
            if (!value.is_null() && std::none_of(layers.begin(), layers.end(), same)) {
                add(type);
            }
        }
    }
    return layers;
}

/// The file's rope_parameters, or the family's own where there are no rotary parameters at all.
Json rope_parameters(const ConfigObject& config, const ModelFamily& family,
                     Assumptions& assumptions) {
    if (const auto stated = config.object("rope_parameters")) {
        return stated->json();
    }
    if (family.default_parameters.empty() || config.has("rope_scaling")) {
        return nullptr;
    }
    Json usual = Json::parse(family.default_parameters);
    assumptions.push_back(fmt::format("rope_parameters is missing: {}'s own, {}", family.model_type,
                                      usual.value("rope_type", std::string("by type of layer"))));
    return usual;
}

std::vector<LayerKeys> layer_keys(const ConfigObject& config, const ModelFamily& family,
                                  Assumptions& assumptions) {
    const Json found = rope_parameters(config, family, assumptions);
    const auto parameters =
        found.is_null()
            ? std::nullopt
            : std::optional(ConfigObject(found, config.path_of("rope_parameters"), true));
    const auto scaling = config.object("rope_scaling");
    const bool by_layer = parameters && is_by_layer(parameters->json());
    std::vector<LayerKeys> layers;
    if (by_layer || !family.local_base_key.empty()) {
        layers = keys_by_layer(config, family, by_layer ? parameters : std::nullopt);
    } else {
        layers.push_back(plain_keys(config, family));
    }
    for (LayerKeys& keys : layers) {
        const bool local = keys.layer_type == kSliding;
        if (parameters && !by_layer && !local) {
            keys.parameters = parameters->json();
        }
        if (scaling && (!local || family.scales_local)) {
            if (keys.parameters.empty()) {
                keys.where = scaling->where();
            }
            merge(keys.parameters, scaling->json(), config, "rope_scaling");
        }
    }
    return layers;
}

/// ChatGLM's rope_ratio.
double read_base_ratio(const ConfigObject& config, const ModelFamily& family,
                       Assumptions& assumptions) {
    constexpr double kMaxRatio = 1e6;
    const double ratio = config.positive(family.base_ratio_key, kMaxRatio).value_or(1);
    if (ratio != 1) {
        assumptions.push_back(
            fmt::format("{} {} multiplies the base (in ChatGLM2-6B-32K it divides positions)",
                        family.base_ratio_key, ratio));
    }
    return ratio;
}

double read_base(const ConfigObject& config, const ConfigObject& parameters,
                 const ModelFamily& family, const LayerKeys& keys, Assumptions& assumptions) {
    if (const auto stated = parameters.positive("rope_theta", kMaxBase)) {
        const auto beside =
            keys.base_key.empty() || keys.layer_type == kSliding
                ? std::nullopt
                : attention_object(config, family).positive(keys.base_key, kMaxBase);
        if (beside && *beside != *stated) {
            assumptions.push_back(
                fmt::format("rope_theta {} in rope_parameters counts, not the {} {} beside it, as "
                            "in transformers",
                            *stated, keys.base_key, *beside));
        }
        return *stated;
    }
    if (!family.base_ratio_key.empty()) {
        return keys.base * read_base_ratio(config, family, assumptions);
    }
    if (keys.base_key.empty()) {
        return keys.base;
    }
    const auto stated = attention_object(config, family).positive(keys.base_key, kMaxBase);
    if (!stated) {
        assumptions.push_back(fmt::format("{} is missing: {}", keys.base_key, keys.base));
    }
    return stated.value_or(keys.base);
}

/// A width, and for messages where it comes from.
struct Width {
    int channels = 0;
    std::string source;
};

/// Gemma 4 as transformers 5.16 writes it: per_layer_config holds what is different in the layers
/// with full attention, by their numbers.
std::optional<int> overridden_head_dim(const ConfigObject& config, const LayerKeys& keys) {
    const auto layers = keys.layer_type == kFull ? config.object("per_layer_config") : std::nullopt;
    if (!layers || layers->json().empty()) {
        return std::nullopt;
    }
    const auto layer = layers->object(layers->json().begin().key());
    const auto head_dim = layer ? layer->integer("head_dim", 1, kMaxHeadDim) : std::nullopt;
    return head_dim ? std::optional(static_cast<int>(*head_dim)) : std::nullopt;
}

Width read_head_dim(const ConfigObject& config, const ModelFamily& family, const LayerKeys& keys,
                    std::int64_t heads, Assumptions& assumptions) {
    if (!keys.head_dim_key.empty()) {
        if (const auto value = config.integer(keys.head_dim_key, 1, kMaxHeadDim)) {
            return {static_cast<int>(*value), fmt::format("the file's {}", keys.head_dim_key)};
        }
    }
    if (const auto value = overridden_head_dim(config, keys)) {
        return {*value, "the file's per_layer_config"};
    }
    if (keys.head_dim != 0) {
        assumptions.push_back(fmt::format("{} is missing: {}", keys.head_dim_key, keys.head_dim));
        return {keys.head_dim, fmt::format("the default of {}", family.model_type)};
    }
    auto hidden = config.integer({"hidden_size", "n_embd", "d_model"}, 1, kMaxSize);
    if (!hidden && family.text.hidden != 0) {
        hidden = family.text.hidden;
        assumptions.push_back(fmt::format("hidden_size is missing: {}", *hidden));
    }
    if (!hidden) {
        config.fail("hidden_size",
                    fmt::format("is missing; an integer from 1 to {} is expected", kMaxSize));
    }
    if (*hidden % heads != 0 || *hidden / heads > kMaxHeadDim) {
        config.fail("hidden_size",
                    fmt::format("{} does not give {} heads a head_dim; {} times a number up to {} "
                                "is expected",
                                *hidden, heads, heads, kMaxHeadDim));
    }
    return {static_cast<int>(*hidden / heads),
            fmt::format("hidden_size {} / {} {}", *hidden, family.heads_key, heads)};
}

std::optional<double> stated_factor(const ConfigObject& config, const ConfigObject& parameters,
                                    const ModelFamily& family) {
    if (const auto inside = parameters.positive("partial_rotary_factor", 1)) {
        return inside;
    }
    return family.factor_key.empty() ? std::nullopt : config.positive(family.factor_key, 1);
}

Width read_rotary_dim(const ConfigObject& config, const ConfigObject& parameters,
                      const ModelFamily& family, int head_dim, Assumptions& assumptions) {
    if (!family.width_key.empty()) {
        const auto stated = config.integer(family.width_key, 1, kMaxHeadDim);
        if (!stated && family.width != 0) {
            assumptions.push_back(fmt::format("{} is missing: {}", family.width_key, family.width));
        }
        if (const auto width = stated.value_or(family.width); width != 0) {
            return {static_cast<int>(width), fmt::format("the file's {}", family.width_key)};
        }
    }
    const auto stated = stated_factor(config, parameters, family);
    if (!stated && family.factor != 1 && !family.factor_key.empty()) {
        assumptions.push_back(fmt::format("{} is missing: {}", family.factor_key, family.factor));
    }
    const double factor = stated.value_or(family.factor);
    return {static_cast<int>(head_dim * factor), fmt::format("head_dim x {}", factor)};
}

Layout read_layout(const ConfigObject& config, const ModelFamily& family) {
    const auto interleaved =
        family.layout_key.empty() ? std::optional<bool>() : config.boolean(family.layout_key);
    if (!interleaved) {
        return family.layout;
    }
    return *interleaved ? Layout::interleaved : Layout::half_split;
}

ScalingSurroundings surroundings(const ConfigObject& config, const ModelFamily& family,
                                 const ModelConfig& model) {
    return {.max_positions = model.max_positions,
            .original_positions = config.integer("original_max_position_embeddings", 1, kMaxSeqLen),
            .usual_original = family.original_positions,
            .partial_rotary_factor = config.number("partial_rotary_factor"),
            .scales_softmax = family.scales_softmax,
            .mscale_by_length = family.mscale_by_length,
            .llama3_may_step = family.llama3_may_step};
}

RopeSpec read_spec(const ConfigObject& config, const ModelFamily& family, const LayerKeys& keys,
                   ModelConfig& model) {
    const ConfigObject parameters(keys.parameters, keys.where, true);
    const Width head = read_head_dim(config, family, keys, model.n_heads, model.assumptions);
    const bool spans_head = rope_type_of(parameters) == "proportional";
    const Width rotary =
        spans_head ? head
                   : read_rotary_dim(config, parameters, family, head.channels, model.assumptions);
    RopeSpec spec{head.channels, rotary.channels,
                  read_base(config, parameters, family, keys, model.assumptions),
                  read_layout(config, family)};
    try {
        validate(spec);
    } catch (const InputError& error) {
        config.fail("rope", fmt::format("{} (head_dim is {}, rotary_dim is {})", error.what(),
                                        head.source, rotary.source));
    }
    spec.scaling = read_scaling(parameters, surroundings(config, family, model), model.assumptions);
    validate(spec.scaling, frequency_input(spec), keys.where);
    return spec;
}

/// How many layers of a type there are: as layer_types lists them, else by the family's period.
int count_layers(const ConfigObject& config, const ModelFamily& family, const std::string& type,
                 int layers) {
    if (const Json* types = config.find("layer_types"); types != nullptr && types->is_array()) {
        return static_cast<int>(std::count(types->begin(), types->end(), Json(type)));
    }
    if (family.period == 0) {
        return 0;
    }
    const int period =
        family.period_key.empty()
            ? family.period
            : static_cast<int>(
                  config.integer(family.period_key, 1, 1 << 16).value_or(family.period));
    const bool rounds_up = family.period_starts_full || family.last_is_full;
    const int full = rounds_up ? (layers + period - 1) / period : layers / period;
    return type == kFull ? full : layers - full;
}

/// How many layers use no position embedding, in the families that have such.
void note_layers_without(const ConfigObject& config, const ModelFamily& family,
                         ModelConfig& model) {
    if (family.no_rope_list_key.empty()) {
        return;
    }
    constexpr std::int64_t kUsualInterval = 4;
    const std::int64_t interval =
        config.integer(family.no_rope_interval_key, 1, 1 << 16).value_or(kUsualInterval);
    const auto list = config.numbers(family.no_rope_list_key, 1 << 16);
    const std::int64_t layers = model.n_layers;
    const std::int64_t without =
        list && !list->empty() ? std::count(list->begin(), list->end(), 0.0) : layers / interval;
    model.assumptions.push_back(
        layers == 0 ? fmt::format("every {}th layer uses no position embedding", interval)
                    : fmt::format("{} of {} layers use no position embedding ({})", without, layers,
                                  family.no_rope_list_key));
}

}  // namespace

ConfigObject attention_object(const ConfigObject& config, const ModelFamily& family) {
    const auto own =
        family.attention_object.empty() ? std::nullopt : config.object(family.attention_object);
    return own.value_or(config);
}

void read_rope(const ConfigObject& config, const ModelFamily& family, ModelConfig& model) {
    const std::vector<LayerKeys> layers = layer_keys(config, family, model.assumptions);
    note_layers_without(config, family, model);
    for (const LayerKeys& keys : layers) {
        const RopeSpec spec = read_spec(config, family, keys, model);
        if (keys.layer_type.empty()) {
            model.rope = spec;
            return;
        }
        model.layer_ropes.push_back(
            {keys.layer_type, count_layers(config, family, keys.layer_type, model.n_layers), spec});
    }
    const auto full = std::find_if(model.layer_ropes.begin(), model.layer_ropes.end(),
                                   [](const LayerRope& rope) { return rope.layer_type == kFull; });
    model.rope = full == model.layer_ropes.end() ? model.layer_ropes.front().rope : full->rope;
}

}  // namespace ropescope
