// Reads the rows of the model families.
#include "core/formats/model_family.h"

#include <algorithm>
#include <set>

#include "core/base/embedded.h"
#include "core/base/memo.h"
#include "core/formats/json_object.h"
#include "core/formats/table_row.h"

namespace ropescope {

// The keys of a row. They are found by the reader of rows, which is a template, through the type of
// the row.

template <typename Visit>
static void each_field(const LayerKind*, Visit visit) {
    visit("type", &LayerKind::type);
    visit("local", &LayerKind::local);
    visit("scaled", &LayerKind::scaled);
    visit("base_key", &LayerKind::base_key);
    visit("base", &LayerKind::base);
    visit("head_dim_key", &LayerKind::head_dim_key);
    visit("head_dim", &LayerKind::head_dim);
    visit("listed_as", &LayerKind::listed_as);
    visit("rest", &LayerKind::rest);
}

template <typename Visit>
static void each_field(const TextSizes*, Visit visit) {
    visit("hidden", &TextSizes::hidden);
    visit("heads", &TextSizes::heads);
    visit("kv_heads", &TextSizes::kv_heads);
}

template <typename Visit>
static void each_field(const LongContext*, Visit visit) {
    visit("key", &LongContext::key);
    visit("factor", &LongContext::factor);
    visit("positions", &LongContext::positions);
}

template <typename Visit>
static void each_field(const Condition*, Visit visit) {
    visit("key", &Condition::key);
    visit("value", &Condition::value);
    visit("missing", &Condition::missing);
}

template <typename Visit>
static void each_field(const Alternative*, Visit visit) {
    visit("key", &Alternative::key);
    visit("value", &Alternative::value);
    visit("zero_keys", &Alternative::zero_keys);
    visit("as", &Alternative::as);
}

template <typename Visit>
static void each_field(const ModelFamily*, Visit visit) {
    visit("model_type", &ModelFamily::model_type);
    visit("source", &ModelFamily::source);
    visit("layout", &ModelFamily::layout);
    visit("base_key", &ModelFamily::base_key);
    visit("base", &ModelFamily::base);
    visit("other_base_key", &ModelFamily::other_base_key);
    visit("base_ratio_key", &ModelFamily::base_ratio_key);
    visit("factor_key", &ModelFamily::factor_key);
    visit("factor", &ModelFamily::factor);
    visit("width_key", &ModelFamily::width_key);
    visit("width", &ModelFamily::width);
    visit("heads_key", &ModelFamily::heads_key);
    visit("head_dim_key", &ModelFamily::head_dim_key);
    visit("head_dim", &ModelFamily::head_dim);
    visit("hidden_times", &ModelFamily::hidden_times);
    visit("hidden_key", &ModelFamily::hidden_key);
    visit("layers_key", &ModelFamily::layers_key);
    visit("kv_heads_key", &ModelFamily::kv_heads_key);
    visit("positions_key", &ModelFamily::positions_key);
    visit("rotary_part_only", &ModelFamily::rotary_part_only);
    visit("heads", &ModelFamily::heads);
    visit("kv_heads", &ModelFamily::kv_heads);
    visit("positions", &ModelFamily::positions);
    visit("original_positions", &ModelFamily::original_positions);
    visit("text", &ModelFamily::text);
    visit("long_context", &ModelFamily::long_context);
    visit("attention_object", &ModelFamily::attention_object);
    visit("layout_key", &ModelFamily::layout_key);
    visit("default_parameters", &ModelFamily::default_parameters);
    visit("rotary_object", &ModelFamily::rotary_object);
    visit("scales_softmax", &ModelFamily::scales_softmax);
    visit("mscale_by_length", &ModelFamily::mscale_by_length);
    visit("llama3_may_step", &ModelFamily::llama3_may_step);
    visit("yarn_keeps_length", &ModelFamily::yarn_keeps_length);
    visit("ntk_of_gte", &ModelFamily::ntk_of_gte);
    visit("position_scale_key", &ModelFamily::position_scale_key);
    visit("layers", &ModelFamily::layers);
    visit("pattern_key", &ModelFamily::pattern_key);
    visit("period_key", &ModelFamily::period_key);
    visit("period", &ModelFamily::period);
    visit("period_starts_full", &ModelFamily::period_starts_full);
    visit("last_is_full", &ModelFamily::last_is_full);
    visit("period_from_last", &ModelFamily::period_from_last);
    visit("condition", &ModelFamily::condition);
    visit("alternative", &ModelFamily::alternative);
    visit("layer_base_key", &ModelFamily::layer_base_key);
    visit("layer_bases_only_switch", &ModelFamily::layer_bases_only_switch);
    visit("no_rope_list_key", &ModelFamily::no_rope_list_key);
    visit("no_rope_interval_key", &ModelFamily::no_rope_interval_key);
    visit("still_type", &ModelFamily::still_type);
    visit("still_with_window", &ModelFamily::still_with_window);
    visit("dense_layers_turn", &ModelFamily::dense_layers_turn);
    visit("query_scalar", &ModelFamily::query_scalar);
    visit("unscaled_scores", &ModelFamily::unscaled_scores);
    visit("turns_backwards", &ModelFamily::turns_backwards);
    visit("note", &ModelFamily::note);
    visit("runtimes", &ModelFamily::runtimes);
}

namespace {

/// Types of models that have something else in place of one position for each token.
struct OtherTypes {
    std::string_view have = {};
    std::vector<std::string_view> model_types = {};
    std::string_view source = {};
};
template <typename Visit>
void each_field(const OtherTypes*, Visit visit) {
    visit("have", &OtherTypes::have);
    visit("model_types", &OtherTypes::model_types);
    visit("source", &OtherTypes::source);
}

/// The row of that type; throws InputError if there is none among `rows`.
const nlohmann::json& row_of_type(const std::vector<nlohmann::json>& rows,
                                  const nlohmann::json& type, const std::string& origin) {
    const auto found = std::ranges::find_if(rows, [&](const nlohmann::json& row) {
        return row.value("model_type", nlohmann::json()) == type;
    });
    if (found == rows.end()) {
        throw InputError(
            fmt::format("{}: as: the model_type of an earlier row is expected; {} is "
                        "found",
                        origin, in_quotes(type.dump())));
    }
    return *found;
}

/// The columns of the row that `as` in `runtimes` names, and what differs from them.
nlohmann::json whole_columns(const std::vector<nlohmann::json>& earlier, nlohmann::json columns,
                             const std::string& origin) {
    if (!columns.is_object() || !columns.contains("as")) {
        return columns;
    }
    const nlohmann::json base =
        row_of_type(earlier, columns["as"], origin).value("runtimes", nlohmann::json::object());
    columns.erase("as");
    return differing(base, columns);
}

/// The row with what it takes from the row that `as` names, whose source and runtimes are its own.
nlohmann::json whole_row(const std::vector<nlohmann::json>& earlier, nlohmann::json row,
                         const std::string& origin) {
    if (row.is_object() && row.contains("runtimes")) {
        row["runtimes"] = whole_columns(earlier, row["runtimes"], origin);
    }
    if (!row.is_object() || !row.contains("as")) {
        return row;
    }
    nlohmann::json base = row_of_type(earlier, row["as"], origin);
    for (const char* own : {"source", "runtimes", "about"}) {
        base.erase(own);
    }
    row.erase("as");
    return differing(std::move(base), row);
}

/// The file, and the families that point into it.
struct Kept {
    nlohmann::json tables;
    std::vector<ModelFamily> families;
};

const Kept& kept() {
    return made_once([] {
        Kept made{parse_family_tables(embedded_file(kFamiliesFile).value_or("{}"), kFamiliesFile),
                  {}};
        made.families = read_families(made.tables, kFamiliesFile);
        return made;
    });
}

}  // namespace

nlohmann::json parse_family_tables(std::string_view text, const std::string& origin) {
    nlohmann::json tables = parse_json_object(text, origin);
    std::vector<nlohmann::json> whole;
    for (const nlohmann::json& row : tables.value("families", nlohmann::json::array())) {
        whole.push_back(whole_row(whole, row, origin));
    }
    tables["families"] = std::move(whole);
    return tables;
}

std::vector<ModelFamily> read_families(const nlohmann::json& tables, const std::string& origin) {
    std::vector<ModelFamily> families =
        read_rows<ModelFamily>(tables, "families", "model_type", origin);
    std::set<std::string_view> types;
    for (const ModelFamily& family : families) {
        if (family.model_type.empty() || family.source.empty()) {
            throw InputError(fmt::format("{}: {}: a row has a model_type and a source", origin,
                                         family.model_type));
        }
        if (!types.insert(family.model_type).second) {
            throw InputError(fmt::format("{}: {}: one row is expected", origin, family.model_type));
        }
    }
    for (const ModelFamily& family : families) {
        const Alternative& other = family.alternative;
        if (!other.key.empty() && (other.value == nullptr || !types.contains(other.as))) {
            throw InputError(
                fmt::format("{}: {}.alternative: a value, and in as the model_type of a "
                            "row are expected",
                            origin, family.model_type));
        }
    }
    return families;
}

const nlohmann::json& family_tables() {
    return kept().tables;
}

std::string_view other_positions(const char* list, std::string_view model_type) {
    for (const OtherTypes& other :
         read_rows<OtherTypes>(kept().tables, list, "have", kFamiliesFile)) {
        if (std::ranges::find(other.model_types, model_type) != other.model_types.end()) {
            return other.have;
        }
    }
    return {};
}

std::string_view text_part_type(std::string_view model_type) {
    return other_positions("text_parts", model_type);
}

std::span<const ModelFamily> model_families() {
    return kept().families;
}

const ModelFamily* find_model_family(std::string_view model_type,
                                     std::span<const ModelFamily> families) {
    const auto found = std::ranges::find(families, model_type, &ModelFamily::model_type);
    return found == families.end() ? nullptr : &*found;
}

}  // namespace ropescope
