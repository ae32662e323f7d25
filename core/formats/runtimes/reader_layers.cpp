// Answers which layers turn nothing, and how the pairs of several axes are shared out.
#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/formats/layer_types.h"
#include "core/formats/limits.h"
#include "core/formats/model_family.h"
#include "core/formats/runtimes/config_path.h"
#include "core/formats/runtimes/reader.h"

namespace ropescope::runtimes {
namespace {

using Json = nlohmann::ordered_json;

constexpr Index kUsualInterval = 4;  // of layers without RoPE

/// The layers that are listed with a 0.
Json zeros_of(const std::vector<double>& list) {
    Json zeros = Json::array();
    for (Index layer = 0; layer < std::ssize(list); ++layer) {
        if (list[layer] == 0) {
            zeros.push_back(layer);
        }
    }
    return zeros.empty() ? Json("none") : zeros;
}

/// The last of every `interval` layers; in words if nobody says how many layers there are.
Json one_in(Index interval, std::optional<Index> layers) {
    if (!layers) {
        return fmt::format("one in {}", interval);
    }
    Json without = Json::array();
    for (Index layer = interval - 1; layer < *layers; layer += interval) {
        without.push_back(layer);
    }
    return without;
}

std::optional<Index> layers_of(const ConfigObject& config) {
    return config.integer("num_hidden_layers", 0, kMaxCount);
}

/// layer_types as far as they are words; empty if the file has none.
std::vector<std::string> stated_types(const ConfigObject& config) {
    std::vector<std::string> types;
    const nlohmann::json* list = config.find("layer_types");
    if (list == nullptr || !list->is_array() || std::ssize(*list) > kMaxCount) {
        return types;
    }
    for (const nlohmann::json& type : *list) {
        types.push_back(type.is_string() ? type.get<std::string>() : "");
    }
    types.resize(static_cast<std::size_t>(
        std::min<Index>(std::ssize(types), layers_of(config).value_or(std::ssize(types)))));
    return types;
}

bool any_is(const std::vector<std::string>& types, std::string_view type) {
    return std::ranges::find(types, type) != types.end();
}

/// Whether each layer is of the type; not so for no layers.
bool all_are(const std::vector<std::string>& types, std::string_view type) {
    return !types.empty() &&
           std::ranges::all_of(types, [&](const auto& one) { return one == type; });
}

Json none_or_all(bool all) {
    return all ? "all" : "none";
}

}  // namespace

std::vector<std::string> Reader::types() const {
    std::vector<std::string> assumptions;
    return types_of_layers(ModelReader{config_, *family_.row, assumptions},
                           narrow<int>(layers_of(config_).value_or(0)));
}

bool Reader::has_layers_of(std::string_view type) const {
    const std::vector<std::string> known = types();
    const auto is_ruled = [&](const LayerRule& rule) { return any_is(known, rule.type); };
    // Types that no rule names are those of a layer_types in other words.
    return any_is(known, type) || std::ranges::none_of(family_.layers, is_ruled);
}

std::size_t Reader::list_index(const LayerRule& rule) const {
    if (rule.list_index >= 0) {
        return static_cast<std::size_t>(rule.list_index);
    }
    const std::vector<std::string> known = types();
    const auto first = std::ranges::find(known, rule.type);
    return first == known.end() ? 0 : static_cast<std::size_t>(first - known.begin());
}

bool Reader::is_scaled(const LayerRule& rule) const {
    const nlohmann::json* scaled =
        rule.scaled_types_key.empty() ? nullptr : config_.find(rule.scaled_types_key);
    return scaled == nullptr || scaled->empty() ||
           std::ranges::find(*scaled, nlohmann::json(rule.type)) != scaled->end();
}

bool Reader::turns_for_being_dense(Index layer) const {
    if (family_.dense_by_pattern &&
        config_.integer("prefix_dense_sliding_window_pattern", 1, kMaxCount).value_or(1) != 1) {
        return false;
    }
    for (const std::string_view key : family_.dense_keys) {
        const nlohmann::json* stated = config_.find(key);
        if (stated != nullptr && stated->is_array()) {
            return layer < std::ssize(*stated) &&
                   (*stated)[static_cast<std::size_t>(layer)] == "dense";
        }
        if (stated != nullptr) {
            return layer < config_.integer(key, 0, kMaxCount).value_or(0);
        }
    }
    return false;
}

Json Reader::with_full_attention() const {
    const std::vector<std::string> known = types();
    if (known.empty()) {
        return "those with full attention";
    }
    Json full = Json::array();
    for (Index layer = 0; layer < std::ssize(known); ++layer) {
        if (known[static_cast<std::size_t>(layer)] == kFullAttention &&
            !turns_for_being_dense(layer)) {
            full.push_back(layer);
        }
    }
    return full.empty() ? Json("none") : full;
}

Json Reader::full_if(bool some_are_still) const {
    return some_are_still ? with_full_attention() : Json("none");
}

/// llama.cpp knows EXAONE 4's large model by its number of layers; its converter writes which of
/// them have a window only if the file has a window.
Json Reader::full_of_64() const {
    const std::optional<Index> layers = layers_of(config_);
    return layers != 64                        ? Json("none")
           : config_.is_null("sliding_window") ? one_in(kUsualInterval, layers)
                                               : with_full_attention();
}

TakenQuantity Reader::listed_without() const {
    constexpr const char* kKey = "no_rope_layer_interval";
    const auto list = config_.numbers("no_rope_layers", kMaxCount);
    const auto interval = config_.integer(kKey, 1, kMaxCount);
    const bool listed = list && !list->empty();
    return {.value = listed ? zeros_of(*list)
                            : one_in(interval.value_or(kUsualInterval), layers_of(config_)),
            .from = listed     ? "no_rope_layers"
                    : interval ? kKey
                               : ""};
}

TakenQuantity Reader::still_layers() const {
    constexpr const char* kUse = "position_embedding_type";
    constexpr const char* kWindow = "sliding_window";
    const std::vector<std::string> stated = stated_types(config_);
    const char* by_types = stated.empty() ? "" : "layer_types";
    const Json fourth = one_in(kUsualInterval, layers_of(config_));
    switch (family_.no_rope) {
        case NoRope::none:
            break;
        case NoRope::listed:
            return listed_without();
        case NoRope::every_fourth:
            return {.value = fourth};
        case NoRope::every_fourth_by_use:
            return {.value = all_are(stated, kFullAttention) ? Json("none") : fourth,
                    .from = by_types};
        case NoRope::full_attention:
            return {.value = with_full_attention(), .from = by_types};
        case NoRope::full_beside_window: {
            const bool no_window = config_.is_null(kWindow);
            return {.value = full_if(!no_window), .from = no_window ? kWindow : by_types};
        }
        case NoRope::full_beside_sliding:
            return {.value = full_if(any_is(types(), kSlidingAttention)), .from = by_types};
        case NoRope::full_of_64:
            return {.value = full_of_64(), .from = "num_hidden_layers"};
        case NoRope::all_unless_rope:
            return {.value = none_or_all(config_.text(kUse).value_or("") != "rope"),
                    .from = config_.has(kUse) ? kUse : ""};
        case NoRope::all_beside_mamba:
            return {.value = none_or_all(!all_are(stated, "attention")), .from = by_types};
    }
    return {.value = "none"};
}

std::string Reader::missing() const {
    for (const std::string_view key : family_.needs) {
        if (!find({key})) {
            return std::string(key);
        }
    }
    return missing_object();
}

std::string Reader::missing_object() const {
    const bool has_parameters = config_.has("rope_parameters");
    const std::vector<std::string> stated = stated_types(config_);
    for (const LayerRule& rule : family_.layers) {
        const bool is_used = stated.empty() || any_is(stated, rule.type);
        const auto is_there = [&](std::string_view path) {
            const auto parent = parent_of(config_, path);
            return parent && parent->has(leaf_of(path));
        };
        if (rule.needs_object && is_used && std::ranges::none_of(rule.objects, is_there) &&
            (has_parameters || usual_object(rule).empty())) {
            return fmt::format("rope_parameters.{}", rule.type);
        }
    }
    return "";
}

TakenQuantity Reader::no_rope() const {
    TakenQuantity answer = still_layers();
    answer.quantity = "layers without RoPE";
    const bool by_configuration =
        family_.no_rope == NoRope::none || family_.no_rope == NoRope::listed;
    answer.source = !family_.no_rope_source.file.empty() ? family_.no_rope_source
                    : by_configuration                   ? family_.config
                                                         : family_.model;
    return answer;
}

TakenQuantity Reader::sections() {
    constexpr const char* kSection = "mrope_section";
    constexpr const char* kInTurn = "mrope_interleaved";
    TakenQuantity answer{.quantity = "sections", .value = "none", .source = family_.model};
    const std::optional<std::string> path = find(family_.section_keys);
    const auto parent = path ? parent_of(config_, *path) : std::nullopt;
    std::vector<double> numbers(family_.usual_sections.begin(), family_.usual_sections.end());
    if (parent) {
        numbers = parent->numbers(leaf_of(*path), 16).value_or(numbers);
        answer.from = *path;
        take(*path, kSection, numbers);
    }
    if (numbers.size() < 3) {
        answer.note = family_.needs_sections
                          ? fmt::format("without {} it ends with an error",
                                        leaf_of(family_.section_keys.front()))
                          : "without mrope_section one position counts for all pairs";
        answer.value = family_.needs_sections ? "refused" : "none";
        return answer;
    }
    const auto order = find({"@.mrope_interleaved"});
    const bool stated = order && parent_of(config_, *order)->boolean(kInTurn).value_or(false);
    const bool in_turn = family_.sections == MropeOrder::in_turn ||
                         (family_.sections == MropeOrder::by_key && stated);
    if (order && in_turn == stated) {
        take(*order, kInTurn, stated);
    }
    answer.value = fmt::format(
        "{}, {}",
        numbers.size() == 3 ? fmt::format("t {}, h {}, w {}", numbers[0], numbers[1], numbers[2])
                            : fmt::format("{}", fmt::join(numbers, ", ")),
        in_turn ? "in turn" : "in bands");
    return answer;
}

}  // namespace ropescope::runtimes
