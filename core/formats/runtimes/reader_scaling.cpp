// Answers what becomes of the scaling: applied, passed over or refused.
#include <algorithm>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/formats/runtimes/config_path.h"
#include "core/formats/runtimes/reader.h"

namespace ropescope::runtimes {
namespace {

using Json = nlohmann::ordered_json;

/// Whether the object has every key that the rule must have.
bool is_complete(const ScalingRule& rule, const ConfigObject& object) {
    return std::ranges::all_of(rule.required,
                               [&](std::string_view key) { return object.json().contains(key); });
}

}  // namespace

/// What is left of a scaling that the runtime does not apply.
TakenQuantity Reader::passed_over(Fate fate, const std::string& type, const Source& source) const {
    const char* key = fate == Fate::refused ? "refused" : "type";
    return {.quantity = "scaling",
            .value = {{key, fate == Fate::refused ? type : "none"}},
            .from = object_,
            .note = fate == Fate::refused ? "" : fmt::format("{} is not applied", in_quotes(type)),
            .source = source};
}

/// Null if nothing states it.
Taken Reader::trained_length(const ScalingRule& rule, const ConfigObject& object) const {
    Taken length{.value = family_.original != 0 ? nlohmann::json(family_.original) : nullptr};
    for (const std::string_view key : rule.original) {
        const bool inside = key.starts_with('@');
        const std::string leaf = leaf_of(key);
        const ConfigObject& place = inside ? object : config_;
        if (place.has(leaf)) {
            length.path = inside ? fmt::format("{}.{}", object_, leaf) : leaf;
            length.value = *place.find(leaf);
            break;
        }
    }
    return length;
}

TakenQuantity Reader::scaling_by(const ScalingRule& rule, const ConfigObject& object) {
    const auto is_there = [&](std::string_view key) { return object.json().contains(key); };
    const Fate fate = is_complete(rule, object) ? rule.fate : rule.if_incomplete;
    if (fate != Fate::applied) {
        return passed_over(fate, std::string(rule.type), rule.source);
    }
    TakenQuantity answer{.quantity = "scaling",
                         .value = {{"type", std::string(rule.method)}},
                         .from = object_,
                         .source = rule.source};
    for (const Keys& keys : {rule.required, rule.optional}) {
        for (const std::string_view key : keys) {
            if (is_there(key)) {
                const Json value = object.json().at(std::string(key));
                answer.value[std::string(key)] = value;
                take(fmt::format("{}.{}", object_, key), std::string(key), value);
            }
        }
    }
    std::optional<double> original;
    if (!rule.original.empty()) {
        const char* name = "original_max_position_embeddings";
        const Taken length = trained_length(rule, object);
        answer.value[name] = length.value;
        take(length.path, name, length.value);
        original =
            length.value.is_number() ? std::optional(length.value.get<double>()) : std::nullopt;
    }
    take_effect(rule, object, original);
    return answer;
}

nlohmann::json Reader::usual_object(const LayerRule& rule) const {
    if (family_.usual_object == nullptr || family_.usual_object->is_null()) {
        return nlohmann::json::object();
    }
    const nlohmann::json& usual = *family_.usual_object;
    return is_by_layer(usual) ? usual.value(std::string(rule.type), nlohmann::json::object())
                              : usual;
}

const ScalingRule* Reader::rule_of(std::string_view type, const ConfigObject& object) const {
    const auto counts = [&](const ScalingRule& rule) {
        return rule.type == type && (!rule.or_usual || is_complete(rule, object));
    };
    const std::vector<ScalingRule> none;
    for (const auto* rules :
         {&family_.scalings, family_.only_own_scalings ? &none : &runtime_.scalings}) {
        const auto rule = std::ranges::find_if(*rules, counts);
        if (rule != rules->end()) {
            return &*rule;
        }
    }
    return nullptr;
}

TakenQuantity Reader::scaling_alone(const LayerRule& layers) {
    TakenQuantity answer{.quantity = "scaling", .value = {{"type", "none"}}};
    answer.source = runtime_.objects.source;
    const nlohmann::json usual = usual_object(layers);
    if (object_.empty() && usual.empty()) {
        return answer;
    }
    const auto parent = object_.empty() ? std::nullopt : parent_of(config_, object_);
    const ConfigObject object =
        parent ? *parent->object(leaf_of(object_)) : ConfigObject(usual, "default", true);
    const auto newer = object.text("rope_type");
    const auto older = object.text("type");
    if (newer && older && *newer != *older) {
        answer.value = nullptr;
        answer.note = fmt::format("a type beside another rope_type is {}", kNotKnown);
        return answer;
    }
    for (const char* key : {"rope_type", "type"}) {
        if (object.has(key)) {
            take(fmt::format("{}.{}", object_, key), key, *object.find(key));
        }
    }
    const std::string type = newer ? *newer : older.value_or("");
    if (type.empty() && runtime_.untyped_scaling == Fate::refused) {
        return passed_over(Fate::refused, "an object without rope_type", answer.source);
    }
    if (type.empty() || type == "default") {
        answer.from = object_;
        return answer;
    }
    if (!family_.checked.empty() &&
        std::ranges::find(family_.checked, type) == family_.checked.end()) {
        answer.value = nullptr;
        answer.note =
            fmt::format("{} for {} is {}", in_quotes(type), family_.model_type, kNotKnown);
        return answer;
    }
    if (const ScalingRule* rule = rule_of(type, object)) {
        return scaling_by(*rule, object);
    }
    return passed_over(runtime_.other_scalings, type,
                       family_.only_own_scalings ? family_.model : answer.source);
}

}  // namespace ropescope::runtimes
