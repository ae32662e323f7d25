// Finds the family of a config.json among a runtime's and reads the file by its rules.
#include "core/formats/runtimes/reading.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/characters.h"
#include "core/formats/family_of.h"
#include "core/formats/language_model.h"
#include "core/formats/runtimes/config_path.h"
#include "core/formats/runtimes/reader.h"

namespace ropescope::runtimes {
namespace {

/// Whether the object has members, and none of them is for a type of layer.
bool is_flat(const ConfigObject& config, std::string_view key) {
    const auto object = config.object(key);
    return object && !object->json().empty() && !is_by_layer(object->json());
}

bool is_split(const ConfigObject& config, std::string_view key) {
    const auto object = config.object(key);
    return object && is_by_layer(object->json());
}

/// A form of rotary parameters that nobody followed through the runtime's source; empty if the
/// table knows it.
std::string unknown_form(const Runtime& runtime, const Family& family, const ConfigObject& config) {
    const auto splits = [&](std::string_view key) { return is_split(config, key); };
    if ((family.layers.empty() || family.flat_objects) &&
        std::ranges::any_of(runtime.objects.keys, splits)) {
        return "rope_parameters by type of layer";
    }
    const bool mixed = is_flat(config, "rope_parameters") && config.has("rope_scaling");
    return !family.layers.empty() && mixed
               ? "rope_scaling beside one rope_parameters for all layers"
               : "";
}

/// The type, or that of the family by which a key of the file says that it is read.
std::string meant_type(const ConfigObject& config) {
    const std::string type = config.text("model_type").value_or("");
    const ModelFamily* family = find_model_family(type);
    std::vector<std::string> assumptions;
    return family == nullptr
               ? type
               : std::string(
                     meant_family(config, *family, model_families(), assumptions).model_type);
}

/// The language model alone.
Reading read_text(const Runtime& runtime, const ConfigObject& config) {
    Reading reading{.runtime = runtime};
    const std::string type = meant_type(config);
    const auto family = std::ranges::find(runtime.families, type, &Family::model_type);
    if (family == runtime.families.end()) {
        const std::string_view others = other_positions("without_rope", type);
        reading.unknown =
            others.empty() ? fmt::format("model_type {} is {}", in_quotes(type), kNotKnown)
                           : fmt::format("model_type {} has no RoPE: {}", in_quotes(type), others);
        return reading;
    }
    if (const std::string form = unknown_form(runtime, *family, config); !form.empty()) {
        reading.unknown = fmt::format("{}, in {}, is {}", form, type, kNotKnown);
        return reading;
    }
    if (family->of_copy) {
        reading.runtime.repository = runtime.copy.repository;
        reading.runtime.version = runtime.copy.version;
        reading.runtime.commit = runtime.copy.commit;
    }
    Reader reader(runtime, *family, config);
    if (const std::string missing = reader.missing(); !missing.empty()) {
        reading.unknown = fmt::format("without {} it ends with an error", missing);
        reading.fails = true;
        return reading;
    }
    if (family->layers.empty()) {
        reader.read_layers({.objects = runtime.objects.keys, .base = family->base});
    }
    for (const LayerRule& rule : family->layers) {
        if (reader.has_layers_of(rule.type)) {
            reader.read_layers(rule);
        }
    }
    if (family->sections != MropeOrder::none) {
        reader.answers.push_back(reader.sections());
    }
    reader.answers.push_back(reader.no_rope());
    reading.answers = std::move(reader.answers);
    reading.unread = reader.unread();
    return reading;
}

}  // namespace

Reading read_as(const Runtime& runtime, const ConfigObject& whole) {
    ConfigObject part = whole;
    std::vector<std::string> assumptions;
    const bool inside = enter_language_model(part, assumptions);
    const auto typed = inside ? part_of_the_files_type(part, whole) : std::nullopt;
    return read_text(runtime, typed ? part.changed(*typed) : part);
}

}  // namespace ropescope::runtimes
