// Answers base, widths, layout and layers without RoPE.
#include "core/formats/runtimes/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "core/base/index.h"
#include "core/formats/runtimes/config_path.h"
#include "core/rope/rope_spec.h"

namespace ropescope::runtimes {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMaxBase = 1e300;
constexpr Index kMaxSize = Index{1} << 24;
constexpr Index kMaxCount = Index{1} << 16;  // of heads and layers
constexpr Index kUsualInterval = 4;          // of layers without RoPE

/// The layers that are listed with a 0.
Json zeros_of(const std::vector<double>& list) {
    Json zeros = Json::array();
    for (Index layer = 0; layer < std::ssize(list); ++layer) {
        if (list[layer] == 0) {
            zeros.push_back(layer);
        }
    }
    return zeros;
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

}  // namespace

std::optional<std::string> Reader::find(const Keys& keys) const {
    for (const std::string_view key : keys) {
        if (key.starts_with('@') && object_.empty()) {
            continue;
        }
        const std::string path =
            key.starts_with('@') ? object_ + std::string(key.substr(1)) : std::string(key);
        const auto parent = parent_of(config_, path);
        if (parent && parent->has(leaf_of(path))) {
            return path;
        }
    }
    return std::nullopt;
}

std::optional<double> Reader::positive(const std::string& path, double most) const {
    return parent_of(config_, path)->positive(leaf_of(path), most);
}

void Reader::take(const std::string& path, std::string leaf, const Json& value) {
    taken_.push_back({path, std::move(leaf), value});
}

void Reader::choose_object(const Keys& keys) {
    object_.clear();
    for (const std::string_view key : keys) {
        const auto parent = parent_of(config_, key);
        const auto object = parent ? parent->object(leaf_of(key)) : std::nullopt;
        if (object && !object->json().empty() && !is_by_layer(object->json())) {
            object_ = key;
            return;
        }
    }
}

TakenQuantity Reader::base(const LayerRule& rule) {
    const Keys& keys = !rule.base_keys.empty()      ? rule.base_keys
                       : !family_.base_keys.empty() ? family_.base_keys
                                                    : runtime_.base.keys;
    const auto path = find(keys);
    const double base = path ? *positive(*path, kMaxBase) : rule.base;
    take(path.value_or(""), "rope_theta", base);
    take(path.value_or(""), "rotary_emb_base", base);
    return {.quantity = "base",
            .value = base,
            .from = path.value_or(""),
            .source = path ? runtime_.base.source : family_.config};
}

TakenQuantity Reader::head_dim() {
    TakenQuantity answer{.quantity = "head_dim", .source = family_.config};
    const std::string key(family_.head_dim_key);
    if (const auto stated = config_.integer(key, 1, kMaxHeadDim)) {
        answer.value = *stated;
        answer.from = key;
    } else if (family_.head_dim != 0) {
        answer.value = family_.head_dim;
    } else {
        const auto hidden = config_.integer("hidden_size", 1, kMaxSize);
        const auto heads = config_.integer("num_attention_heads", 1, kMaxCount);
        if (hidden && heads) {
            answer.value = *hidden / *heads;
            answer.from = "hidden_size / num_attention_heads";
        } else {
            answer.note = "hidden_size and num_attention_heads are not both in the file";
        }
    }
    return answer;
}

TakenQuantity Reader::rotary_dim(const TakenQuantity& head_dim) {
    const auto path = find(family_.share_keys.empty() ? runtime_.share.keys : family_.share_keys);
    const double stated = path ? *positive(*path, 1) : family_.share;
    TakenQuantity answer{.quantity = "rotary_dim",
                         .source = path ? runtime_.share.source : family_.model};
    const bool reads = family_.reads_share == Share::read;
    if (head_dim.value.is_null()) {
        answer.note = head_dim.note;
        return answer;
    }
    if (family_.reads_share == Share::unchecked && stated != 1) {
        answer.note = fmt::format("a head that turns in part is {}", kNotKnown);
    } else {
        const double share = reads ? stated : 1;
        answer.value = floor_to_index(to_double(head_dim.value.get<Index>()) * share);
    }
    if (family_.reads_share != Share::ignored) {
        answer.from = path.value_or(head_dim.from);
        take(path.value_or(""), "partial_rotary_factor", stated);
        take(path.value_or(""), "rotary_pct", stated);
    } else {
        answer.from = head_dim.from;
        take("", "partial_rotary_factor", 1.0);
        take("", "rotary_pct", 1.0);
    }
    return answer;
}

TakenQuantity Reader::layout() {
    Layout layout = family_.layout;
    const std::string key(family_.layout_key);
    const auto interleaved = key.empty() ? std::nullopt : config_.boolean(key);
    if (interleaved) {
        layout = *interleaved ? Layout::interleaved : Layout::half_split;
    }
    take(interleaved ? key : "", "rope_interleave", layout == Layout::interleaved);
    return {.quantity = "layout",
            .value = std::string(to_string(layout)),
            .from = interleaved ? key : "",
            .source = family_.model};
}

void Reader::read_layers(const LayerRule& rule) {
    choose_object(rule.objects);
    const TakenQuantity head = head_dim();
    std::vector<TakenQuantity> own = {base(rule), head, rotary_dim(head), layout()};
    std::ranges::move(scaling(), std::back_inserter(own));
    for (TakenQuantity& answer : own) {
        answer.layer_type = rule.type;
        answers.push_back(std::move(answer));
    }
}

TakenQuantity Reader::no_rope() const {
    const bool apart = !family_.no_rope_source.file.empty();
    TakenQuantity answer{.quantity = "layers without RoPE",
                         .value = "none",
                         .source = apart ? family_.no_rope_source : family_.config};
    const bool listed = family_.no_rope == NoRope::listed;
    const auto list = listed ? config_.numbers("no_rope_layers", kMaxCount) : std::nullopt;
    if (family_.no_rope == NoRope::full_attention) {
        answer.value = "those with full attention";
        answer.source = family_.model;
    } else if (list && !list->empty()) {
        answer.from = "no_rope_layers";
        answer.value = zeros_of(*list);
    } else if (family_.no_rope != NoRope::none) {
        constexpr const char* kKey = "no_rope_layer_interval";
        const auto interval = listed ? config_.integer(kKey, 1, kMaxCount) : std::nullopt;
        answer.from = interval ? kKey : "";
        answer.value = one_in(interval.value_or(kUsualInterval),
                              config_.integer("num_hidden_layers", 0, kMaxCount));
    }
    return answer;
}

/// Whether the key was read, or its value was taken from elsewhere.
bool Reader::is_taken(const std::string& path, const nlohmann::json& value) const {
    const std::string leaf = leaf_of(path);
    const bool is_type = leaf == "rope_type" || leaf == "type";
    return (is_type && value == "default") || std::ranges::any_of(taken_, [&](const Taken& taken) {
               return taken.path == path || (taken.leaf == leaf && taken.value == value);
           });
}

std::vector<Stated> Reader::unread() const {
    std::vector<Stated> unread = stated_keys(config_.json());
    std::erase_if(unread, [&](const Stated& stated) {
        const bool lists_layers = stated.path.starts_with("no_rope");
        return is_taken(stated.path, stated.value) ||
               (lists_layers && family_.no_rope == NoRope::listed);
    });
    return unread;
}

}  // namespace ropescope::runtimes
