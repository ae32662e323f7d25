// Makes parts of language models, and finds the transformers beside the one that is read as text.
#include "core/models/transformers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/formats/language_model.h"
#include "core/formats/model_family.h"
#include "core/formats/schemes/schemes.h"
#include "core/formats/table_row.h"

namespace ropescope {
namespace {

constexpr int kDeepest = 3;
constexpr std::string_view kEnding = "_config";
/// Objects that other readers take: what sees, and the language model, which may be repeated.
constexpr std::array<std::string_view, 5> kOfOthers = {"vision_config", "text_config", "llm_config",
                                                       "language_config", "lm_config"};

/// The model_type of an object that may say none: a row of `transformers` in assets/families.json.
struct Untyped {
    std::string_view key = {};  ///< of the object
    std::string_view of = {};   ///< model_type of the whole
    std::string_view read_as = {};
    std::string_view source = {};
};
template <typename Visit>
void each_field(const Untyped*, Visit visit) {
    visit("key", &Untyped::key);
    visit("of", &Untyped::of);
    visit("read_as", &Untyped::read_as);
    visit("source", &Untyped::source);
}

/// The object's own type, else the table's; empty if there is none.
std::string type_of(const ConfigObject& object, std::string_view key, std::string_view whole) {
    const nlohmann::json* const stated = object.find("model_type");
    if (stated != nullptr) {
        return stated->is_string() ? stated->get<std::string>() : "";
    }
    for (const Untyped& each :
         read_rows<Untyped>(family_tables(), "transformers", "key", kFamiliesFile)) {
        if (each.of == whole && each.key == key) {
            return std::string(each.read_as);
        }
    }
    return {};
}

/// What turns in the object of a transformer, in several axes or in one.
std::vector<Part> parts_of(const ConfigObject& transformer, const std::string& type) {
    nlohmann::json typed = transformer.json();
    typed["model_type"] = type;
    const ConfigObject object = transformer.changed(typed);
    if (std::vector<Part> several = multimodal_schemes(object); !several.empty()) {
        return several;
    }
    const ModelConfig read = read_model(object, object.where());
    std::vector<Part> parts = parts_of_text(read);
    for (Part& part : parts) {
        part.q_heads = read.n_heads;
        part.kv_heads = read.n_kv_heads;
    }
    return parts;
}

/// Goes through the objects inside `object`; the place of the one read as text is passed over.
struct OtherTransformers {
    std::string whole, text;  ///< its model_type, and the place of the language model
    Model& model;
    std::vector<std::string> refused = {};

    void look_in(const ConfigObject& object, int depth) {
        for (const auto& [key, value] : object.json().items()) {
            const bool of_others = std::ranges::find(kOfOthers, key) != kOfOthers.end();
            if (!value.is_object() || value.empty() || of_others) {
                continue;
            }
            const ConfigObject inner = *object.object(key);
            const std::string type = type_of(inner, key, whole);
            if (inner.where() != text && find_model_family(type) != nullptr) {
                take(inner, std::string_view(key), type);
            } else if (depth < kDeepest) {
                look_in(inner, depth + 1);
            }
        }
    }

    void take(const ConfigObject& object, std::string_view key, const std::string& type) {
        const std::string_view kind =
            key.ends_with(kEnding) ? key.substr(0, key.size() - kEnding.size()) : key;
        try {
            for (Part part : parts_of(object, type)) {
                part.kind = kind;
                model.parts.push_back(std::move(part));
            }
        } catch (const InputError& error) {
            refused.push_back(fmt::format("the part {} is not shown: {}", kind, error.what()));
        }
    }
};

}  // namespace

std::vector<Part> parts_of_text(const ModelConfig& model) {
    const auto part = [&](const RopeSpec& spec, const std::string& layer_type) {
        Part made = part_of(spec, model.turns_backwards);
        made.layer_type = layer_type;
        made.softmax_scale = model.softmax_scale;
        made.reach = model.max_positions;
        made.assumptions = model.assumptions;
        made.inferred = inference_of(model);
        made.layout_is_assumed = model.layout_is_assumed;
        return made;
    };
    std::vector<Part> parts;
    for (const LayerRope& layer : model.layer_ropes) {
        parts.push_back(part(layer.rope, layer.layer_type));
    }
    std::ranges::stable_partition(parts,
                                  [&](const Part& each) { return *each.spec == model.rope; });
    if (parts.empty()) {
        parts.push_back(part(model.rope, ""));
    }
    return parts;
}

void append_other_transformers(const ConfigObject& config, Model& model) {
    if (model.parts.empty()) {
        return;
    }
    OtherTransformers others{config.text("model_type").value_or(""), language_model(config).where(),
                             model};
    others.look_in(config, 1);
    std::vector<std::string>& assumptions = model.parts.front().assumptions;
    std::ranges::move(others.refused, std::back_inserter(assumptions));
}

}  // namespace ropescope
