// Reads the sections of language models that see (M-RoPE).
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/formats/model_config.h"
#include "core/formats/schemes/model_schemes.h"
#include "core/formats/schemes/scheme_reader.h"
#include "core/schemes/multimodal_text.h"

namespace ropescope {
namespace {

/// The names of the sections in mrope_section.
enum class SectionNames : std::uint8_t { thw, hwt };

/// What a family does with sections, and what it takes if the file has none. Sources:
/// modeling_<type>.py and configuration_<type>.py of Hugging Face transformers 5.15.
struct TextFamily {
    std::string_view begins;  ///< of model_type
    std::string_view id;
    SectionOrder order = SectionOrder::bands;
    MultimodalFamily positions = MultimodalFamily::qwen2_vl;
    SectionNames names = SectionNames::thw;
    Sections usual = {};  ///< none: the model turns in one axis then
    /// The family's word on mrope_interleaved: it does not choose the order.
    bool order_is_fixed = false;
};

constexpr std::array kFamilies = {
    TextFamily{
        .begins = "qwen2_5_vl", .id = "qwen2_vl_text", .positions = MultimodalFamily::qwen2_5_vl},
    TextFamily{.begins = "qwen2_vl", .id = "qwen2_vl_text"},
    TextFamily{.begins = "qwen3_vl",
               .id = "qwen3_vl_text",
               .order = SectionOrder::cyclic,
               .positions = MultimodalFamily::qwen3_vl,
               .usual = {24, 20, 20},
               .order_is_fixed = true},
    TextFamily{.begins = "qwen3_5",
               .id = "qwen3_5_text",
               .order = SectionOrder::cyclic,
               .positions = MultimodalFamily::qwen3_vl,
               .usual = {11, 11, 10},
               .order_is_fixed = true},
    // Here mrope_interleaved says that channels 2i and 2i + 1 make a pair.
    TextFamily{.begins = "glm",
               .id = "glm4v_text",
               .positions = MultimodalFamily::glm4v,
               .usual = {8, 12, 12},
               .order_is_fixed = true},
    TextFamily{.begins = "ernie4_5",
               .id = "ernie45vl_text",
               .order = SectionOrder::space_first,
               .names = SectionNames::hwt,
               .usual = {20, 22, 22},
               .order_is_fixed = true}};

/// Families that are not listed do as Qwen2-VL, or as Qwen3-VL if mrope_interleaved says so.
constexpr TextFamily kOther = {.begins = "", .id = "qwen2_vl_text"};

/// Types whose file has no sections although the model takes its usual ones.
bool has_sections_anyway(std::string_view type) {
    return type.starts_with("qwen3_vl") || type.starts_with("qwen3_5") ||
           type.starts_with("glm4v") || type.starts_with("glm_ocr") ||
           type.starts_with("ernie4_5_vl") || type == "ernie4_5_moe_vl";
}

const TextFamily& family_of_type(std::string_view type) {
    const auto* const found = std::ranges::find_if(
        kFamilies, [&](const TextFamily& family) { return type.starts_with(family.begins); });
    return found == kFamilies.end() ? kOther : *found;
}

/// The object of the language model, which may lie in another.
ConfigObject language_model(ConfigObject config) {
    constexpr std::array kParts = {"thinker_config", "text_config", "language_config",
                                   "llm_config"};
    for (const char* part : kParts) {
        if (const auto inside = config.object(part)) {
            config = *inside;
        }
    }
    return config;
}

/// rope_parameters or rope_scaling, whichever has the sections.
std::optional<ConfigObject> object_with_sections(const ConfigObject& text) {
    for (const char* key : {"rope_parameters", "rope_scaling"}) {
        const auto inside = text.object(key);
        if (inside && inside->has("mrope_section")) {
            return inside;
        }
    }
    return std::nullopt;
}

Sections read_sections(const ConfigObject& parameters, SectionNames names) {
    constexpr std::string_view kForm = "three whole numbers are expected, the pairs of each axis";
    const auto numbers = parameters.numbers("mrope_section", 3);
    if (!numbers || numbers->size() != 3) {
        parameters.fail("mrope_section",
                        fmt::format("{} numbers; {}", numbers ? numbers->size() : 0, kForm));
    }
    std::array<Index, 3> pairs{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double number = (*numbers)[i];
        if (number < 0 || number > to_double(kMaxHeadDim) || number != std::floor(number)) {
            parameters.fail("mrope_section", fmt::format("{}; {}", number, kForm));
        }
        pairs[i] = round_to_index(number);
    }
    return names == SectionNames::thw ? Sections{pairs[0], pairs[1], pairs[2]}
                                      : Sections{pairs[2], pairs[0], pairs[1]};
}

/// The language model's spec, whose reader knows ERNIE's text model by the name of the one that
/// does not see, GLM-4V's by the name of the part, and wants heads even where head_dim is given.
RopeSpec text_spec(const ConfigObject& text, std::string_view type,
                   std::vector<std::string>& assumptions) {
    nlohmann::json json = text.json();
    if (type.starts_with("ernie4_5")) {
        json["model_type"] = "ernie4_5_moe";
    } else if (type == "glm4v" || type == "glm4v_moe") {
        json["model_type"] = std::string(type) + "_text";
    }
    json.erase("which_rope");  // read here
    json.erase("scale_factor");
    if (text.has("head_dim") && !text.has("num_attention_heads")) {
        json["num_attention_heads"] = 1;
    }
    const ModelConfig model = read_model(ConfigObject(json, text.where()), text.where());
    std::ranges::copy_if(
        model.assumptions, std::back_inserter(assumptions),
        [](const std::string& line) { return !line.starts_with("mrope_section"); });
    return model.rope;
}

MultimodalRule read_rule(const ConfigObject& config, const TextFamily& family) {
    MultimodalRule rule{.family = family.positions};
    const auto vision = config.object("vision_config");
    if (!vision) {
        return rule;
    }
    rule.merge = vision->integer("spatial_merge_size", 1, 64).value_or(rule.merge);
    rule.tokens_per_second = vision->positive("tokens_per_second", 1e6).value_or(1.0);
    return rule;
}

SectionOrder order_of(const TextFamily& family, const std::optional<ConfigObject>& parameters) {
    const bool interleaved = parameters && parameters->boolean("mrope_interleaved").value_or(false);
    return !family.order_is_fixed && interleaved ? SectionOrder::cyclic : family.order;
}

}  // namespace

std::optional<ModelScheme> multimodal_scheme(const ConfigObject& config) {
    const ConfigObject text = language_model(config);
    const std::string type =
        text.text("model_type").value_or(config.text("model_type").value_or(""));
    const std::optional<ConfigObject> parameters = object_with_sections(text);
    if (!parameters && !has_sections_anyway(type)) {
        return std::nullopt;
    }
    TextFamily family = family_of_type(type);
    const std::string which = config.text("which_rope").value_or("");
    if (which == "videorope") {
        family.id = "videorope";
        family.order = SectionOrder::space_first;
        family.positions = MultimodalFamily::videorope;
    }
    ModelScheme read{"text", {}, {}};
    const RopeSpec spec = text_spec(text, type, read.assumptions);
    const Sections sections = parameters ? read_sections(*parameters, family.names) : family.usual;
    if (!parameters) {
        read.assumptions.push_back(fmt::format("mrope_section is missing: t {}, h {}, w {}",
                                               sections.t, sections.h, sections.w));
    }
    const SectionOrder order = order_of(family, parameters);
    read.scheme = multimodal_text(
        std::string(order == SectionOrder::cyclic && family.order != order ? "qwen3_vl_text"
                                                                           : family.id),
        spec, sections, order, read_rule(config, family));
    return read;
}

}  // namespace ropescope
