// Answers base, widths and layout.
#include "core/formats/runtimes/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "core/base/index.h"
#include "core/formats/limits.h"
#include "core/formats/runtimes/config_path.h"
#include "core/rope/rope_spec.h"

namespace ropescope::runtimes {
namespace {

using Json = nlohmann::ordered_json;

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

double Reader::positive(const std::string& path, const LayerRule& rule, double most) const {
    const ConfigObject parent = *parent_of(config_, path);
    const std::string leaf = leaf_of(path);
    if (!parent.find(leaf)->is_array()) {
        return *parent.positive(leaf, most);
    }
    const std::vector<double> list =
        parent.numbers(leaf, kMaxCount).value_or(std::vector<double>());
    const std::size_t index = list_index(rule);
    if (index >= list.size() || !(list[index] > 0 && list[index] <= most)) {
        parent.fail(leaf,
                    fmt::format("[{}]: a number above 0, of at most {}, is expected", index, most));
    }
    return list[index];
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
    const auto path = family_.fixed_base ? find({family_.base_ratio_key}) : find(keys);
    const double stated = path ? positive(*path, rule, kMaxBase) : rule.base;
    const double base = path && family_.fixed_base ? rule.base * stated : stated;
    if (base == 0) {
        return {.quantity = "base",
                .note = fmt::format("the usual base is {}", kNotKnown),
                .source = family_.config};
    }
    take(path.value_or(""), "rope_theta", base);
    take(path.value_or(""), "rotary_emb_base", base);
    return {.quantity = "base",
            .value = base,
            .from = path.value_or(""),
            .source = path && !family_.fixed_base ? runtime_.base.source : family_.config};
}

TakenQuantity Reader::head_dim(const LayerRule& rule) {
    TakenQuantity answer{.quantity = "head_dim", .source = family_.config};
    const std::string key(rule.head_dim_key.empty() ? family_.head_dim_key : rule.head_dim_key);
    const int usual = rule.head_dim != 0 ? rule.head_dim : family_.head_dim;
    if (const auto stated = config_.integer(key, 1, kMaxHeadDim)) {
        answer.value = *stated;
        answer.from = key;
    } else if (usual != 0) {
        answer.value = usual;
    } else {
        const auto hidden = config_.integer("hidden_size", 1, kMaxWidth);
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

std::optional<TakenQuantity> Reader::counted_width(bool share_is_stated) {
    if (family_.width_key.empty() || (share_is_stated && !family_.width_first)) {
        return std::nullopt;
    }
    const std::string key(family_.width_key);
    TakenQuantity answer{.quantity = "rotary_dim", .source = family_.model};
    if (const auto stated = config_.integer(key, 1, kMaxHeadDim)) {
        take(key, key, *stated);
        answer.value = *stated;
        answer.from = key;
        return answer;
    }
    if (!family_.needs_width) {
        return std::nullopt;
    }
    answer.value = "refused";
    answer.note = fmt::format("without {} it ends with an error", key);
    return answer;
}

TakenQuantity Reader::rotary_dim(const LayerRule& rule, const TakenQuantity& head_dim) {
    const bool is_fixed = family_.reads_share == Share::fixed;
    const auto path = is_fixed ? std::nullopt
                               : find(!rule.share_keys.empty()      ? rule.share_keys
                                      : !family_.share_keys.empty() ? family_.share_keys
                                                                    : runtime_.share.keys);
    if (const auto counted = counted_width(path.has_value())) {
        return *counted;
    }
    const double usual = rule.share != 0 ? rule.share : family_.share;
    const double stated = path ? positive(*path, rule, 1) : usual;
    TakenQuantity answer{.quantity = "rotary_dim",
                         .source = path ? runtime_.share.source : family_.model};
    const bool reads = family_.reads_share == Share::read || is_fixed;
    if (head_dim.value.is_null()) {
        answer.note = head_dim.note;
        return answer;
    }
    if (family_.needs_share && !path) {
        answer.value = "refused";
        answer.note = "without partial_rotary_factor it ends with an error";
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
    choose_object(is_scaled(rule) ? rule.objects : Keys());
    const TakenQuantity head = head_dim(rule);
    std::vector<TakenQuantity> own = {base(rule), head, rotary_dim(rule, head), layout()};
    std::ranges::move(scaling(rule), std::back_inserter(own));
    for (TakenQuantity& answer : own) {
        answer.layer_type = rule.type;
        answers.push_back(std::move(answer));
    }
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
        const bool is_switch = stated.path == "position_embedding_type";
        return is_taken(stated.path, stated.value) ||
               (lists_layers && family_.no_rope == NoRope::listed) ||
               (is_switch && family_.no_rope == NoRope::all_unless_rope);
    });
    return unread;
}

}  // namespace ropescope::runtimes
