// Reads base, widths, layout and scaling of each type of layer by the model's family.
#include "core/formats/model_rope.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/index.h"
#include "core/formats/layer_bases.h"
#include "core/formats/layer_keys.h"
#include "core/formats/layer_types.h"
#include "core/formats/layers_without.h"
#include "core/formats/limits.h"
#include "core/formats/model_reader.h"
#include "core/formats/rope_scaling.h"
#include "core/scaling/method.h"
#include "core/scaling/ntk.h"

namespace ropescope {
namespace {

/// A width, and for messages where it comes from.
struct Width {
    int channels = 0;
    std::string source;
};

/// Reads the rotary parameters of one type of layer.
struct LayerReader {
    const ModelReader& file;
    const ModelSizes& sizes;
    const LayerKeys& keys;
    ConfigObject parameters{keys.parameters, keys.where, true};

    RopeSpec spec() const;

  private:
    Width head_dim() const;
    std::optional<Width> width_by_layer() const;
    std::vector<Index> stated_widths() const;
    Width head_dim_of_hidden_size() const;
    Width rotary_dim(int head_dim) const;
    std::optional<double> stated_factor() const;
    double base() const;
    double base_ratio() const;
    double stretched(double base, Index rotary_dim) const;
    double position_scale() const;
    Layout layout() const;
    ScalingSurroundings surroundings(Index rotary_pairs) const;
};

/// ChatGLM's rope_ratio.
double LayerReader::base_ratio() const {
    const std::string_view key = file.family.base_ratio_key;
    const double ratio = file.config.positive(key, kMaxFactor).value_or(1);
    if (ratio != 1) {
        file.assume(fmt::format(
            "{} {} multiplies the base (in ChatGLM2-6B-32K it divides positions)", key, ratio));
    }
    return ratio;
}

double LayerReader::base() const {
    const LayerKind& kind = keys.kind;
    const auto beside = [&] {
        const auto own = kind.base_key.empty() ? std::nullopt
                                               : file.attention().positive(kind.base_key, kMaxBase);
        return own ? own : file.config.positive(file.family.other_base_key, kMaxBase);
    };
    if (const auto stated = parameters.positive("rope_theta", kMaxBase)) {
        const nlohmann::json* value = file.attention().find(kind.base_key);
        const bool by_layer = value != nullptr && value->is_array();
        const auto other = kind.local || by_layer ? std::nullopt : beside();
        if (other && *other != *stated) {
            file.assume(
                fmt::format("rope_theta {} in rope_parameters counts, not the {} {} beside "
                            "it, as in transformers",
                            *stated, kind.base_key, *other));
        }
        return *stated;
    }
    if (!file.family.base_ratio_key.empty()) {
        return kind.base * base_ratio();
    }
    return kind.base_key.empty() ? kind.base : file.or_usual(beside(), kind.base_key, kind.base);
}

/// The base, or what the family's switch for a long context makes of it.
double LayerReader::stretched(double base, Index rotary_dim) const {
    const LongContext& context = file.family.long_context;
    if (!file.long_context() || rotary_dim <= 2) {
        return base;
    }
    file.assume(fmt::format(
        "{} multiplies the base {} by {}^({}/{}) at every length and means a "
        "context of {} positions",
        context.key, base, context.factor, rotary_dim, rotary_dim - 2, context.positions));
    return scaled_base(NtkScaling{context.factor}, {.rotary_dim = rotary_dim, .base = base});
}

/// By what positions are divided in the families that have a key for it.
double LayerReader::position_scale() const {
    return file.config.positive(file.family.position_scale_key, kMaxFactor).value_or(1);
}

constexpr const char* kByLayer = "per_layer_config";

/// The widths that per_layer_config states for the layers of this type, each once; 0 for a layer of
/// which it states none.
std::vector<Index> LayerReader::stated_widths() const {
    const auto layers = file.config.object(kByLayer);
    const std::vector<std::string> types = types_of_layers(file, sizes.n_layers);
    std::set<Index> widths;
    for (Index layer = 0; layer < std::max<Index>(sizes.n_layers, std::ssize(types)); ++layer) {
        const bool is_of_type = keys.layer_type.empty() || layer >= std::ssize(types) ||
                                types[static_cast<std::size_t>(layer)] == keys.layer_type;
        if (is_of_type) {
            const auto own = layers ? layers->object(std::to_string(layer)) : std::nullopt;
            const auto width = own ? own->integer("head_dim", 1, kMaxHeadDim) : std::nullopt;
            widths.insert(width.value_or(0));
        }
    }
    return {widths.begin(), widths.end()};
}

/// transformers 5.16 writes in per_layer_config what is different in single layers, by their
/// numbers. Where it is there, types of layers have no widths of their own (Gemma 4).
std::optional<Width> LayerReader::width_by_layer() const {
    if (!file.config.has(kByLayer) && !file.config.is_null(kByLayer)) {
        return std::nullopt;
    }
    const std::vector<Index> widths = stated_widths();
    if (widths.size() > 1) {
        file.config.fail(
            kByLayer,
            fmt::format("{} have heads of different widths ({}); layers{} of one width "
                        "are expected",
                        keys.layer_type.empty() ? "layers" : "layers of " + keys.layer_type,
                        widths.front() == 0
                            ? fmt::format("{}, and the usual one",
                                          fmt::join(widths.begin() + 1, widths.end(), ", "))
                            : fmt::format("{}", fmt::join(widths, ", ")),
                        keys.layer_type.empty() ? "" : " of one type"));
    }
    const Index own = widths.empty() ? 0 : widths.front();
    if (own != 0) {
        return Width{narrow<int>(own), fmt::format("the file's {}", kByLayer)};
    }
    const std::string_view key = file.family.head_dim_key;
    const auto usual = key.empty() ? std::nullopt : file.config.integer(key, 1, kMaxHeadDim);
    return usual ? std::optional(Width{narrow<int>(*usual), fmt::format("the file's {}", key)})
           : file.family.head_dim != 0
               ? std::optional(Width{file.family.head_dim,
                                     fmt::format("the default of {}", file.family.model_type)})
               : std::nullopt;
}

Width LayerReader::head_dim() const {
    const LayerKind& kind = keys.kind;
    if (const auto own = width_by_layer()) {
        return *own;
    }
    if (!kind.head_dim_key.empty()) {
        if (const auto stated = file.config.integer(kind.head_dim_key, 1, kMaxHeadDim)) {
            return {narrow<int>(*stated), fmt::format("the file's {}", kind.head_dim_key)};
        }
    }
    if (kind.head_dim != 0) {
        return {file.or_usual(std::optional<int>(), kind.head_dim_key, kind.head_dim),
                fmt::format("the default of {}", file.family.model_type)};
    }
    return head_dim_of_hidden_size();
}

Width LayerReader::head_dim_of_hidden_size() const {
    auto hidden = file.config.integer({file.family.hidden_key, "hidden_size", "n_embd", "d_model",
                                       "model_dim", "embed_dim", "dim"},
                                      1, kMaxWidth);
    if (!hidden && file.family.text.hidden == 0) {
        file.config.fail("hidden_size",
                         fmt::format("is missing; an integer from 1 to {} is expected", kMaxWidth));
    }
    const Index times = file.family.hidden_times;
    const Index size = times * file.or_usual<Index>(hidden, "hidden_size", file.family.text.hidden);
    if (size % sizes.n_heads != 0 || size / sizes.n_heads > kMaxHeadDim) {
        file.config.fail("hidden_size",
                         fmt::format("{} does not give {} heads a head_dim; {} times a number up "
                                     "to {} is expected",
                                     size, sizes.n_heads, sizes.n_heads, kMaxHeadDim));
    }
    return {narrow<int>(size / sizes.n_heads),
            fmt::format("{}hidden_size {} / {} {}", times == 1 ? "" : fmt::format("{} x ", times),
                        size / times, file.family.heads_key, sizes.n_heads)};
}

std::optional<double> LayerReader::stated_factor() const {
    const std::string_view key = file.family.factor_key;
    const auto beside = key.empty() ? std::nullopt : file.config.positive(key, 1);
    const auto inside = parameters.positive("partial_rotary_factor", 1);
    if (inside && beside && *inside != *beside && keys.layer_type.empty()) {
        file.assume(
            fmt::format("partial_rotary_factor {} in rope_parameters counts, not the {} {} "
                        "beside it",
                        *inside, key, *beside));
    }
    return inside ? inside : beside;
}

Width LayerReader::rotary_dim(int head_dim) const {
    const ModelFamily& family = file.family;
    if (!family.width_key.empty()) {
        const auto stated = file.config.integer(family.width_key, 1, kMaxHeadDim);
        if (stated || family.width != 0) {
            const Index width = file.or_usual<Index>(stated, family.width_key, family.width);
            return {narrow<int>(width), fmt::format("the file's {}", family.width_key)};
        }
    }
    const auto stated = stated_factor();
    const bool unsaid = family.factor == 1 || family.factor_key.empty();
    const double factor = unsaid ? stated.value_or(family.factor)
                                 : file.or_usual(stated, family.factor_key, family.factor);
    return {narrow<int>(floor_to_index(head_dim * factor)), fmt::format("head_dim x {}", factor)};
}

Layout LayerReader::layout() const {
    const std::string_view key = file.family.layout_key;
    const auto interleaved = key.empty() ? std::nullopt : file.config.boolean(key);
    if (!interleaved) {
        return file.family.layout;
    }
    return *interleaved ? Layout::interleaved : Layout::half_split;
}

namespace {

bool is_scaled(const Scaling& scaling) {
    return !std::holds_alternative<NoScaling>(scaling);
}

/// What params.json of Meta's checkpoints says, with the values that apply_scaling() of
/// models/llama3/model.py has for what is missing.
std::optional<Scaling> scaling_of_meta(const ConfigObject& config) {
    if (!config.boolean("use_scaled_rope").value_or(false)) {
        return std::nullopt;
    }
    Llama3Scaling scaling;
    scaling.factor = config.positive("rope_scaling_factor", kMaxFactor).value_or(scaling.factor);
    scaling.high_freq_factor =
        config.positive("rope_high_freq_factor", kMaxFactor).value_or(scaling.high_freq_factor);
    return scaling;
}

}  // namespace

ScalingSurroundings LayerReader::surroundings(Index rotary_pairs) const {
    return {.max_positions = sizes.max_positions,
            .original_positions =
                file.config.integer("original_max_position_embeddings", 1, kMaxSeqLen),
            .usual_original = file.family.original_positions,
            .partial_rotary_factor = file.family.factor_key.empty()
                                         ? std::nullopt
                                         : file.config.number(file.family.factor_key),
            .scales_softmax = file.family.scales_softmax,
            .mscale_by_length = file.family.mscale_by_length,
            .llama3_may_step = file.family.llama3_may_step,
            .yarn_keeps_length = file.family.yarn_keeps_length,
            .gte_pairs = file.family.ntk_of_gte ? rotary_pairs : 0};
}

RopeSpec LayerReader::spec() const {
    const Width head = head_dim();
    const bool spans_head =
        file.family.rotary_part_only || rope_type_of(parameters) == "proportional";
    const Width rotary = spans_head ? head : rotary_dim(head.channels);
    RopeSpec spec{head.channels, rotary.channels, stretched(base(), rotary.channels), layout()};
    try {
        validate(spec);
    } catch (const InputError& error) {
        file.config.fail("rope", fmt::format("{} (head_dim is {}, rotary_dim is {})", error.what(),
                                             head.source, rotary.source));
    }
    spec.scaling = read_scaling(parameters, surroundings(spec.pairs()), file.assumptions);
    if (const auto scaled = scaling_of_meta(file.config); scaled && !is_scaled(spec.scaling)) {
        spec.scaling = *scaled;
        file.assume(
            "use_scaled_rope without numbers takes those of Meta's code: factor 8, turns from 1 to "
            "4, 8192 positions before (the config.json of Llama 3.2 has factor 32)");
    }
    if (const double scale = position_scale(); scale != 1 && spec.scaling == Scaling(NoScaling{})) {
        spec.scaling = LinearScaling{scale};
    }
    validate(spec.scaling, frequency_input(spec), keys.where);
    return spec;
}

/// The layers that a list of bases or a null of rope_parameters leaves without position embedding.
void note_layers_of_file(const ModelReader& file, int layers) {
    const std::vector<double> bases = bases_by_layer(file);
    if (!bases.empty() && std::ssize(bases) < layers) {
        file.config.fail(file.family.layer_base_key,
                         fmt::format("{} entries for {} layers; one for each layer is expected",
                                     bases.size(), layers));
    }
    const nlohmann::json* parameters = file.config.find("rope_parameters");
    const bool by_null = parameters != nullptr && parameters->is_object() &&
                         std::ranges::any_of(*parameters, &nlohmann::json::is_null);
    const std::size_t without = layers_without_rope(file, layers).size();
    if (without > 0 && (!bases.empty() || by_null)) {
        file.assume(
            fmt::format("{} of {} layers use no position embedding ({})", without,
                        bases.empty() ? layers : narrow<int>(std::ssize(bases)),
                        bases.empty() ? "null in rope_parameters" : file.family.layer_base_key));
    }
}

/// How many layers use no position embedding, in the families that have such layers.
void note_layers_without(const ModelReader& file, int layers) {
    const ModelFamily& family = file.family;
    note_layers_of_file(file, layers);
    if (family.no_rope_list_key.empty()) {
        return;
    }
    const Index interval = file.config.integer(family.no_rope_interval_key, 1, kMaxCount)
                               .value_or(kUsualNoRopeInterval);
    const std::size_t without = layers_without_rope(file, layers).size();
    file.assume(layers == 0 ? fmt::format("every {}th layer uses no position embedding", interval)
                            : fmt::format("{} of {} layers use no position embedding ({})", without,
                                          layers, family.no_rope_list_key));
}

/// A list whose bases only say which layers turn may state others than the one at which they do.
void note_bases_of_switch(const ModelReader& file, double base) {
    std::vector<double> others = different_bases(bases_by_layer(file));
    std::erase(others, base);
    if (file.family.layer_bases_only_switch && !others.empty()) {
        file.assume(
            fmt::format("{} says only which layers turn: they turn at base {}, not at its "
                        "{}",
                        file.family.layer_base_key, base, fmt::join(others, ", ")));
    }
}

}  // namespace

ModelRope read_rope(const ModelReader& file, const ModelSizes& sizes) {
    ModelRope model;
    const std::vector<LayerKeys> layers = layer_keys(file);
    const std::vector<std::string> types = types_of_layers(file, sizes.n_layers);
    note_layers_without(file, sizes.n_layers);
    if (sizes.n_layers > 0 &&
        std::ssize(layers_without_rope(file, sizes.n_layers)) == sizes.n_layers) {
        file.config.fail(types.empty() ? "num_hidden_layers" : "layer_types",
                         "none of the layers has position embedding, so this model has no RoPE");
    }
    for (const LayerKeys& keys : layers) {
        const RopeSpec spec = LayerReader{file, sizes, keys}.spec();
        note_bases_of_switch(file, spec.base);
        if (keys.layer_type.empty()) {
            return {.rope = spec, .layers = {}};
        }
        const int count = narrow<int>(std::ranges::count(types, keys.layer_type));
        model.layers.push_back({keys.layer_type, count, spec});
    }
    if (model.layers.empty()) {
        file.config.fail("rope_parameters",
                         "is null for every type of layers, so this model has no "
                         "RoPE; parameters for one of them are expected");
    }
    const auto full = std::ranges::find(model.layers, kFullAttention, &LayerRope::layer_type);
    model.rope = (full == model.layers.end() ? model.layers.begin() : full)->rope;
    return model;
}

}  // namespace ropescope
