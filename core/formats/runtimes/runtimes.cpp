// Reads the table of the runtimes, and what each does with the families that it knows.
#include <algorithm>
#include <fmt/format.h>

#include "core/base/embedded.h"
#include "core/base/memo.h"
#include "core/formats/json_object.h"
#include "core/formats/runtimes/runtime.h"
#include "core/formats/table_row.h"

namespace ropescope::runtimes {

using TableJson = nlohmann::json;

// The keys of the rows, for the template that reads them.

template <typename Visit>
static void each_field(const Source*, Visit visit) {
    visit("file", &Source::file);
    visit("function", &Source::function);
}

template <typename Visit>
static void each_field(const Lookup*, Visit visit) {
    visit("keys", &Lookup::keys);
    visit("source", &Lookup::source);
}

template <typename Visit>
static void each_field(const ScalingRule*, Visit visit) {
    visit("type", &ScalingRule::type);
    visit("method", &ScalingRule::method);
    visit("required", &ScalingRule::required);
    visit("optional", &ScalingRule::optional);
    visit("original", &ScalingRule::original);
    visit("fate", &ScalingRule::fate);
    visit("if_incomplete", &ScalingRule::if_incomplete);
    visit("or_usual", &ScalingRule::or_usual);
    visit("source", &ScalingRule::source);
    visit("formula", &ScalingRule::formula);
    visit("other_if", &ScalingRule::other_if);
    visit("other_formula", &ScalingRule::other_formula);
    visit("formula_source", &ScalingRule::formula_source);
    visit("attention", &ScalingRule::attention);
    visit("attention_source", &ScalingRule::attention_source);
    visit("lengths_first", &ScalingRule::lengths_first);
}

template <typename Visit>
static void each_field(const LayerRule*, Visit visit) {
    visit("type", &LayerRule::type);
    visit("objects", &LayerRule::objects);
    visit("needs_object", &LayerRule::needs_object);
    visit("base_keys", &LayerRule::base_keys);
    visit("base", &LayerRule::base);
    visit("head_dim_key", &LayerRule::head_dim_key);
    visit("head_dim", &LayerRule::head_dim);
    visit("share_keys", &LayerRule::share_keys);
    visit("share", &LayerRule::share);
    visit("list_index", &LayerRule::list_index);
    visit("scaled_types_key", &LayerRule::scaled_types_key);
}

template <typename Visit>
static void each_field(const Family*, Visit visit) {
    visit("layout", &Family::layout);
    visit("base", &Family::base);
    visit("head_dim", &Family::head_dim);
    visit("share", &Family::share);
    visit("reads_share", &Family::reads_share);
    visit("original", &Family::original);
    visit("head_dim_key", &Family::head_dim_key);
    visit("layout_key", &Family::layout_key);
    visit("base_keys", &Family::base_keys);
    visit("fixed_base", &Family::fixed_base);
    visit("base_ratio_key", &Family::base_ratio_key);
    visit("share_keys", &Family::share_keys);
    visit("needs", &Family::needs);
    visit("width_key", &Family::width_key);
    visit("width_first", &Family::width_first);
    visit("needs_width", &Family::needs_width);
    visit("needs_share", &Family::needs_share);
    visit("layers", &Family::layers);
    visit("flat_objects", &Family::flat_objects);
    visit("usual_object", &Family::usual_object);
    visit("sections", &Family::sections);
    visit("section_keys", &Family::section_keys);
    visit("usual_sections", &Family::usual_sections);
    visit("needs_sections", &Family::needs_sections);
    visit("scalings", &Family::scalings);
    visit("only_own_scalings", &Family::only_own_scalings);
    visit("checked", &Family::checked);
    visit("no_rope", &Family::no_rope);
    visit("dense_keys", &Family::dense_keys);
    visit("dense_by_pattern", &Family::dense_by_pattern);
    visit("config", &Family::config);
    visit("no_rope_source", &Family::no_rope_source);
    visit("model", &Family::model);
    visit("of_copy", &Family::of_copy);
    visit("folder", &Family::folder);
    visit("class", &Family::class_name);
    visit("path", &Family::path);
    visit("converter", &Family::converter);
}

template <typename Visit>
static void each_field(const Checkout*, Visit visit) {
    visit("repository", &Checkout::repository);
    visit("version", &Checkout::version);
    visit("commit", &Checkout::commit);
}

template <typename Visit>
static void each_field(const Runtime*, Visit visit) {
    visit("name", &Runtime::name);
    visit("repository", &Runtime::repository);
    visit("version", &Runtime::version);
    visit("commit", &Runtime::commit);
    visit("copy", &Runtime::copy);
    visit("objects", &Runtime::objects);
    visit("base", &Runtime::base);
    visit("share", &Runtime::share);
    visit("scalings", &Runtime::scalings);
    visit("other_scalings", &Runtime::other_scalings);
    visit("untyped_scaling", &Runtime::untyped_scaling);
}

namespace {

constexpr const char* kRuntimesFile = "assets/runtimes.json";

/// The same with every source named as another repository's: "owner/name version, file".
TableJson in_library(TableJson value, const std::string& library) {
    if (value.is_object() && value.contains("file")) {
        value["file"] = fmt::format("{}, {}", library, value["file"].get<std::string>());
    } else if (value.is_structured()) {
        for (TableJson& inside : value) {
            inside = in_library(std::move(inside), library);
        }
    }
    return value;
}

/// Rules by type as a list. A rule says what differs from that of the type in `usual`.
TableJson listed_rules(const TableJson& rules, const TableJson& usual) {
    TableJson list = TableJson::array();
    for (const auto& [type, rule] : rules.items()) {
        TableJson& whole = list.emplace_back(
            differing({{"method", type}}, usual.value(type, TableJson::object())));
        whole = differing(std::move(whole), rule);
        whole["type"] = type;
    }
    return list;
}

/// A runtime as the table has it, and as it is with what it takes from another.
struct Described {
    TableJson own, whole;
    const Described* from = nullptr;

    std::string name() const { return whole.value("name", ""); }
    /// "owner/name version", of the copy if a column was read there.
    std::string library(bool of_copy = false) const {
        const TableJson& read = of_copy ? whole.at("copy") : whole;
        return fmt::format("{} {}", read.value("repository", ""), read.value("version", ""));
    }
    bool is_elsewhere() const {
        return from != nullptr && from->whole["repository"] != whole["repository"];
    }
    /// What it takes from the other one, with the sources of that one.
    TableJson taken(TableJson value) const {
        const std::string library = from->library(value.value("of_copy", false));
        return is_elsewhere() ? in_library(std::move(value), library) : value;
    }
};

const Described* described(const std::list<Described>& earlier, const std::string& name) {
    const auto found = std::ranges::find(earlier, name, &Described::name);
    if (found == earlier.end()) {
        throw InputError(
            fmt::format("{}: {} is not an earlier runtime", kRuntimesFile, in_quotes(name)));
    }
    return &*found;
}

std::list<Described> describe(const TableJson& table) {
    std::list<Described> all;
    for (const TableJson& row : table.at("runtimes")) {
        Described one{.own = row, .whole = row};
        if (row.contains("from")) {
            one.from = described(all, row["from"].get<std::string>());
            one.whole["repository"] =
                row.value("repository", one.from->whole.value("repository", ""));
            one.whole = differing(one.taken(one.from->whole), row);
        }
        for (const char* apart : {"from", "usual", "by_library"}) {
            one.whole.erase(apart);
        }
        all.push_back(std::move(one));
    }
    return all;
}

/// What a runtime does with a family: as the one that it takes from, then what it does with every
/// family, then the family's own column.
TableJson column_of(const Described& runtime, const TableJson& columns,
                    const std::list<Described>& all) {
    TableJson own = columns.value(runtime.name(), TableJson::object());
    const std::string usual = own.value("usual", "usual");
    own.erase("usual");
    TableJson column = runtime.from == nullptr
                           ? TableJson::object()
                           : runtime.taken(column_of(*runtime.from, columns, all));
    column = differing(std::move(column), runtime.own.value(usual, TableJson::object()));
    if (column.contains("scalings_of")) {
        const Described& library = *described(all, column["scalings_of"].get<std::string>());
        column["scalings"] =
            differing(in_library(library.whole["scalings"], library.library()), column["scalings"]);
        column.erase("scalings_of");
    }
    return differing(std::move(column), own);
}

NoRope layers_without(const ModelFamily& family) {
    return !family.no_rope_list_key.empty()      ? NoRope::listed
           : family.still_type != kFullAttention ? NoRope::none
           : family.still_with_window            ? NoRope::full_beside_window
                                                 : NoRope::full_attention;
}

/// The family as its row has it, before any column.
Family family_by_row(const ModelFamily& row) {
    return {.model_type = row.model_type,
            .row = &row,
            .layout = row.layout,
            .base = row.base,
            .head_dim = row.head_dim,
            .share = row.factor,
            .original = row.original_positions,
            .head_dim_key = row.head_dim_key,
            .layout_key = row.layout_key,
            .usual_object = row.default_parameters,
            .no_rope = layers_without(row),
            .folder = row.model_type};
}

void replace(std::string& text, std::string_view mark, std::string_view name) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += name.size()) {
        text.replace(at, mark.size(), name);
    }
}

/// Puts what the column calls the family into the sources that hold for all of them.
void name_sources(Family& family) {
    for (Source* source : {&family.config, &family.model}) {
        for (std::string* text : {&source->file, &source->function}) {
            for (const auto& [mark, name] :
                 {std::pair<std::string_view, std::string_view>{"{folder}", family.folder},
                  {"{class}", family.class_name},
                  {"{path}", family.path},
                  {"{converter}", family.converter}}) {
                replace(*text, mark, name);
            }
        }
    }
}

Runtime read_runtime(const Described& described, const std::list<Described>& all,
                     std::span<const ModelFamily> families, std::list<TableJson>& kept) {
    TableJson& row = kept.emplace_back(described.whole);
    const TableJson rules = row.value("scalings", TableJson::object());
    row["scalings"] = listed_rules(rules, TableJson::object());
    Runtime runtime;
    read_value({row, fmt::format("{}: {}", kRuntimesFile, described.name())}, runtime);
    for (const ModelFamily& family : families) {
        if (family.runtimes == nullptr || !family.runtimes->contains(runtime.name)) {
            continue;
        }
        TableJson& column = kept.emplace_back(column_of(described, *family.runtimes, all));
        if (column.contains("scalings")) {
            const bool only_own = column.value("only_own_scalings", false);
            column["scalings"] =
                listed_rules(column["scalings"], only_own ? TableJson::object() : rules);
        }
        Family& read = runtime.families.emplace_back(family_by_row(family));
        read_value({column, fmt::format("{}: {}.runtimes.{}", kFamiliesFile, family.model_type,
                                        runtime.name)},
                   read);
        name_sources(read);
    }
    return runtime;
}

}  // namespace

RuntimeTable read_runtimes(const TableJson& table, std::span<const ModelFamily> families) {
    RuntimeTable read;
    const std::list<Described> all = describe(table);
    for (const Described& described : all) {
        read.runtimes.push_back(read_runtime(described, all, families, read.kept));
    }
    return read;
}

std::span<const Runtime> all_runtimes() {
    return made_once([] {
               return read_runtimes(
                   parse_json_object(embedded_file(kRuntimesFile).value_or("{}"), kRuntimesFile),
                   model_families());
           })
        .runtimes;
}

}  // namespace ropescope::runtimes
