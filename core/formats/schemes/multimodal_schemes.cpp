// Reads the sections of language models that see (M-RoPE).
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/memo.h"
#include "core/formats/language_model.h"
#include "core/formats/limits.h"
#include "core/formats/model_config.h"
#include "core/formats/schemes/scheme_reader.h"
#include "core/formats/schemes/schemes.h"
#include "core/formats/schemes/type_line.h"
#include "core/formats/table_row.h"
#include "core/schemes/multimodal_text.h"

namespace ropescope {
namespace {

/// The names of the sections in mrope_section.
enum class SectionNames : std::uint8_t { thw, hwt };

}  // namespace

template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<SectionNames> = {"thw", "hwt"};

template <typename Visit>
static void each_field(const Sections*, Visit visit) {
    visit("t", &Sections::t);
    visit("h", &Sections::h);
    visit("w", &Sections::w);
}

namespace {

/// What a family does with sections, and what it takes if the file has none: a row of `sections` in
/// assets/families.json. The first that fits a type counts.
struct SectionFamily {
    std::string_view begins = {};  ///< of model_type
    std::string_view scheme = {};
    SectionOrder order = SectionOrder::bands;
    MultimodalFamily positions = MultimodalFamily::qwen2_vl;
    SectionNames names = SectionNames::thw;
    Sections usual = {};  ///< none: a model without sections turns in one axis
    /// mrope_interleaved does not choose the order. In GLM it says that channels 2i and 2i + 1 make
    /// a pair.
    bool order_is_fixed = false;
    /// The family by which the language model is read, if not by its own type: a file that holds
    /// its keys beside those of what sees has the name of the whole.
    std::string_view read_as = {};
    std::string_view source = {};
};
template <typename Visit>
void each_field(const SectionFamily*, Visit visit) {
    visit("begins", &SectionFamily::begins);
    visit("scheme", &SectionFamily::scheme);
    visit("order", &SectionFamily::order);
    visit("positions", &SectionFamily::positions);
    visit("names", &SectionFamily::names);
    visit("usual", &SectionFamily::usual);
    visit("order_is_fixed", &SectionFamily::order_is_fixed);
    visit("read_as", &SectionFamily::read_as);
    visit("source", &SectionFamily::source);
}

/// Families that are not listed do as Qwen2-VL, or as Qwen3-VL if mrope_interleaved says so.
constexpr SectionFamily kOther = {.begins = "", .scheme = "qwen2_vl_text"};

const SectionFamily& family_of_type(std::string_view type) {
    const std::vector<SectionFamily>& families = made_once([] {
        return read_rows<SectionFamily>(family_tables(), "sections", "begins", kFamiliesFile);
    });
    const auto is_of = [&](const SectionFamily& family) {
        // A tower of the line is not its language model, unless the row is the tower's.
        return type.starts_with(family.begins) &&
               (type.size() == family.begins.size() || !type.ends_with("_vision"));
    };
    const auto found = std::ranges::find_if(families, is_of);
    return found == families.end() ? kOther : *found;
}

/// Its own type, or what files of the whole's type mean.
std::string type_of_text(const ConfigObject& text, const ConfigObject& whole) {
    const std::string outer = whole.text("model_type").value_or("");
    const bool is_inside = text.where() != whole.where();
    const std::string_view meant = is_inside ? text_part_type(outer) : std::string_view();
    return text.text("model_type").value_or(meant.empty() ? outer : std::string(meant));
}

/// HunYuan-VL's own files call its sections of four axes so.
constexpr const char* kFourSections = "xdrope_section";

/// The object with sections for a type of layers, any if `type` is empty.
std::optional<ConfigObject> inner_with_sections(const ConfigObject& parameters,
                                                const std::string& type) {
    for (const auto& [name, value] : parameters.json().items()) {
        const bool fits = type.empty() || type == name;
        if (fits && value.is_object() && value.contains("mrope_section")) {
            return parameters.object(name);
        }
    }
    return std::nullopt;
}

/// rope_parameters or rope_scaling, whichever has the sections; or its object for a type of layers,
/// any if `type` is empty.
std::optional<ConfigObject> object_with_sections(const ConfigObject& text,
                                                 const std::string& type = "") {
    for (const char* key : {"rope_parameters", "rope_scaling"}) {
        const auto whole = text.object(key);
        if (whole && (whole->has("mrope_section") || whole->has(kFourSections))) {
            return whole;
        }
        if (const auto inside = whole ? inner_with_sections(*whole, type) : std::nullopt) {
            return inside;
        }
    }
    return std::nullopt;
}

/// Takes the sections out of rotary parameters, also where they are by type of layer.
void erase_sections(nlohmann::json& parameters) {
    parameters.erase("mrope_section");
    parameters.erase("mrope_interleaved");
    parameters.erase("mrope_layout");
    parameters.erase(kFourSections);
    for (nlohmann::json& inside : parameters) {
        if (inside.is_object()) {
            erase_sections(inside);
        }
    }
}

Sections read_sections(const SchemeReader& parameters, SectionNames names) {
    const std::vector<Index> pairs =
        parameters.integers("mrope_section", 0, kMaxHeadDim, 3, "the pairs of each axis")
            .value();  // object_with_sections() has seen them
    return names == SectionNames::thw ? Sections{pairs[0], pairs[1], pairs[2]}
                                      : Sections{pairs[2], pairs[0], pairs[1]};
}

/// The language model. What is read here, and not by read_model(), is left out for it; and it wants
/// heads even if head_dim is given.
ModelConfig text_model(const ConfigObject& text, std::string_view type) {
    nlohmann::json json = text.json();
    if (!type.empty()) {
        json["model_type"] = type;
    }
    for (const char* key : {"which_rope", "scale_factor", "freq_allocation"}) {
        json.erase(key);
    }
    if (text.boolean("rope_3d").value_or(false)) {  // what this reader takes for granted
        json.erase("rope_3d");
    }
    for (const char* parameters : {"rope_parameters", "rope_scaling"}) {
        if (text.object(parameters)) {
            erase_sections(json[parameters]);
        }
    }
    if (text.has("head_dim") && !text.has("num_attention_heads")) {
        json["num_attention_heads"] = 1;
    }
    return read_model(text.changed(json), text.where());
}

/// The pairs of the four axes.
std::vector<Index> read_four_sections(const SchemeReader& parameters, const ConfigObject& object) {
    return parameters
        .integers(object.has("mrope_section") ? "mrope_section" : kFourSections, 0, kMaxHeadDim, 4,
                  "the pairs of each axis")
        .value();  // object_with_sections() has seen them
}

/// The defaults of position_id_per_seconds and seconds_per_chunk in configuration_qwen2_5_omni.py
/// and, of the first, in configuration_qwen3_omni_moe.py.
constexpr double kOmniStepsPerSecond = 25, kOmniSecondsPerChunk = 2;

MultimodalRule read_rule(const ConfigObject& config, const SectionFamily& family) {
    MultimodalRule rule{.family = family.positions};
    if (rule.is_omni()) {
        const ConfigObject thinker = config.object("thinker_config").value_or(config);
        rule.tokens_per_second =
            thinker.positive("position_id_per_seconds", kMaxFactor).value_or(kOmniStepsPerSecond);
        const double seconds =
            thinker.positive("seconds_per_chunk", kMaxFactor).value_or(kOmniSecondsPerChunk);
        rule.chunk_steps = floor_to_index(rule.tokens_per_second * seconds);
        if (rule.family == MultimodalFamily::qwen2_5_omni && rule.chunk_steps < 1) {
            thinker.fail("seconds_per_chunk",
                         fmt::format("{} seconds of {} steps; one step at least is expected",
                                     seconds, rule.tokens_per_second));
        }
        if (const auto vision = thinker.object("vision_config")) {
            rule.merge = vision->integer("spatial_merge_size", 1, 64).value_or(rule.merge);
        }
        return rule;
    }
    // Baidu's own files of ERNIE 4.5 VL.
    rule.merge = config.integer("spatial_conv_size", 1, 64).value_or(rule.merge);
    rule.temporal_merge = config.integer("temporal_conv_size", 1, 64).value_or(rule.temporal_merge);
    const auto vision = config.object("vision_config");
    if (!vision) {
        return rule;
    }
    rule.merge = vision->integer("spatial_merge_size", 1, 64).value_or(rule.merge);
    rule.temporal_merge =
        vision->integer("temporal_merge_size", 1, 64).value_or(rule.temporal_merge);
    rule.tokens_per_second = vision->positive("tokens_per_second", kMaxFactor).value_or(1.0);
    return rule;
}

/// What is taken of Qwen2-VL for want of the model's own rule.
void say_whose_positions(const std::string& type, const SectionFamily& family,
                         std::vector<std::string>& assumptions) {
    if (family.positions == MultimodalFamily::hunyuan_vl) {
        assumptions.emplace_back(
            "images turn as in vLLM and in Tencent's own code; transformers of August 2026 pairs "
            "channels of different axes, which is no rotation for tokens of images");
    } else if (family.begins.empty() && !type.starts_with("qwen2_vl")) {
        assumptions.push_back(fmt::format(
            "positions are those of Qwen2-VL: how {} counts them is not known", in_quotes(type)));
    }
}

/// freq_allocation of Baidu's own files of ERNIE 4.5 VL: the pairs of time, behind those of height
/// and width, which share the others.
std::optional<Sections> time_last(const ConfigObject& text, Index pairs) {
    const auto time = text.integer("freq_allocation", 0, pairs);
    return time ? std::optional(Sections{*time, (pairs - *time) / 2, (pairs - *time) / 2})
                : std::nullopt;
}

SectionOrder order_of(const SectionFamily& family, const std::optional<ConfigObject>& parameters) {
    const bool interleaved = parameters && parameters->boolean("mrope_interleaved").value_or(false);
    return !family.order_is_fixed && interleaved ? SectionOrder::cyclic : family.order;
}

/// What the parts of a language model share.
struct MultimodalText {
    const ConfigObject& config;
    ConfigObject text;
    std::string type;
    SectionFamily family;
    ModelConfig model;
    bool is_videorope = false;

    Part part(const RopeSpec& spec, const std::string& layer_type) const;
    std::string layout_of_axes(const std::optional<ConfigObject>& parameters) const;
};

/// mrope_layout, which stands with the sections, with the language model's keys or with those of
/// the whole; what the family does where it stands nowhere.
std::string MultimodalText::layout_of_axes(const std::optional<ConfigObject>& parameters) const {
    constexpr const char* kKey = "mrope_layout";
    const auto inside = parameters ? parameters->text(kKey) : std::nullopt;
    const auto beside = inside ? inside : text.text(kKey);
    return beside ? *beside : config.text(kKey).value_or("interleaved_runs");
}

Part MultimodalText::part(const RopeSpec& spec, const std::string& layer_type) const {
    Part read{.layer_type = layer_type,
              .shared = spec,
              .assumptions = model.assumptions,
              .inferred = inference_of(model),
              .layout_is_assumed = model.layout_is_assumed};
    if (read.inferred.empty() && find_model_family(type) == nullptr && !family.begins.empty() &&
        !is_known_in_line(type, family.begins)) {
        read.inferred = inferred_from_line(type, family.begins);
        read.assumptions.insert(read.assumptions.begin(), read.inferred);
    }
    const std::optional<ConfigObject> parameters = object_with_sections(text, layer_type);
    if (family.positions == MultimodalFamily::hunyuan_vl) {
        say_whose_positions(type, family, read.assumptions);
        read.scheme = four_axes_text(
            std::string(family.scheme), spec,
            read_four_sections({parameters.value(), read.assumptions}, parameters.value()),
            read_rule(config, family));
        return read;
    }
    const std::optional<Sections> allocated = time_last(text, spec.pairs());
    const Sections sections = parameters
                                  ? read_sections({*parameters, read.assumptions}, family.names)
                                  : allocated.value_or(family.usual);
    if (!parameters && !allocated) {
        read.assumptions.push_back(fmt::format("mrope_section is missing: t {}, h {}, w {}",
                                               sections.t, sections.h, sections.w));
    }
    if (!is_videorope) {
        say_whose_positions(type, family, read.assumptions);
    }
    if (!read.inferred.empty() && !family.begins.empty()) {  // its name begins as a known one
        read.assumptions.push_back(
            fmt::format("the order of the axes and the positions are those of {}: model_type {} is "
                        "not known",
                        family.begins, in_quotes(type)));
    }
    const std::string rule = layout_of_axes(parameters);
    if (rule != "interleaved_runs") {
        read.assumptions.push_back(
            fmt::format("mrope_layout {} is not read: positions are those of {}", in_quotes(rule),
                        to_string(family.positions)));
    }
    const SectionOrder order = order_of(family, parameters);
    read.scheme = multimodal_text(
        std::string(order == SectionOrder::cyclic && family.order != order ? "qwen3_vl_text"
                                                                           : family.scheme),
        spec, sections, order, read_rule(config, family));
    return read;
}

}  // namespace

bool has_language_model(const ConfigObject& config) {
    const ConfigObject text = language_model(config);
    const bool sees = config.has("vision_config") || config.has("vision_encoder");
    const bool has_one = text.where() != config.where() ||
                         (sees && (config.has("hidden_size") || config.has("dim")));
    // One without RoPE, as CLIP's, is no part that could be asked for.
    return has_one && other_positions("without_rope", type_of_text(text, config)).empty();
}

std::vector<Part> multimodal_schemes(const ConfigObject& config) {
    const ConfigObject text = language_model(config);
    const std::string type = type_of_text(text, config);
    SectionFamily family = family_of_type(type);
    const bool has_sections = object_with_sections(text) || family.usual != Sections{};
    if (!has_sections) {
        return {};
    }
    const bool is_videorope = config.text("which_rope").value_or("") == "videorope";
    if (is_videorope) {
        family.scheme = "videorope";
        family.order = SectionOrder::space_first;
        family.positions = MultimodalFamily::videorope;
    }
    const ModelConfig model = text_model(text, family.read_as.empty() ? type : family.read_as);
    const MultimodalText shared{config, text, type, family, model, is_videorope};
    std::vector<Part> parts;
    for (const LayerRope& layer : model.layer_ropes) {
        parts.push_back(shared.part(layer.rope, layer.layer_type));
    }
    std::ranges::stable_partition(
        parts, [](const Part& part) { return part.layer_type == kFullAttention; });
    if (parts.empty()) {
        parts.push_back(shared.part(model.rope, ""));
    }
    return parts;
}

}  // namespace ropescope
