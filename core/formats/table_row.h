// Rows of our own tables (assets/families.json, assets/runtimes.json): from a JSON object to a
// struct. The struct has a function each_field(const Row*, visit), found beside it, that calls
// visit(key, member) for every key that a row may have. Any other key, and a value of another type,
// is refused.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/characters.h"
#include "core/base/enum_names.h"
#include "core/base/error.h"
#include "core/base/names.h"

namespace ropescope {

/// A key for readers of the table, which the program passes over.
inline constexpr std::string_view kAbout = "about";

/// One value of a table, and what messages call it: "assets/families.json: llama.base".
struct TableValue {
    const nlohmann::json& json;
    std::string where;

    [[noreturn]] void refuse(std::string_view expected) const {
        throw InputError(fmt::format("{}: {} is expected; {} is found", where, expected,
                                     in_quotes(json.dump())));
    }
    TableValue at(std::string_view key) const {
        return {json.at(key), fmt::format("{}.{}", where, key)};
    }
};

// Texts and objects are seen where they stand, so the JSON must outlive what is read.
inline void read_value(const TableValue& from, std::string_view& text) {
    if (!from.json.is_string()) {
        from.refuse("a string");
    }
    text = from.json.get_ref<const std::string&>();
}
inline void read_value(const TableValue& from, std::string& text) {
    std::string_view seen;
    read_value(from, seen);
    text = seen;
}
inline void read_value(const TableValue& from, const nlohmann::json*& object) {
    object = &from.json;
}
inline void read_value(const TableValue& from, bool& value) {
    if (!from.json.is_boolean()) {
        from.refuse("true or false");
    }
    value = from.json.get<bool>();
}
inline void read_value(const TableValue& from, double& number) {
    if (!from.json.is_number()) {
        from.refuse("a number");
    }
    number = from.json.get<double>();
}
/// Whole numbers, also as 1e6.
template <std::signed_integral Integer>
void read_value(const TableValue& from, Integer& integer) {
    constexpr double kMost = 1 << 30;
    double number = -1;
    read_value(from, number);
    if (!(number >= 0 && number <= kMost) ||
        number != static_cast<double>(static_cast<int>(number))) {
        from.refuse("a whole number from 0 to 2^30");
    }
    integer = static_cast<Integer>(number);
}
template <Named Enum>
requires std::is_enum_v<Enum>
void read_value(const TableValue& from, Enum& value) {
    std::string_view text;
    read_value(from, text);
    const auto known = enum_value<Enum>(text);
    if (!known) {
        from.refuse(fmt::format("{}", fmt::join(kEnumNames<Enum>, ", ")));
    }
    value = *known;
}
template <typename Value>
void read_value(const TableValue& from, std::vector<Value>& values) {
    if (!from.json.is_array()) {
        from.refuse("a list");
    }
    values.clear();
    for (std::size_t i = 0; i < from.json.size(); ++i) {
        read_value(TableValue{from.json[i], fmt::format("{}[{}]", from.where, i)},
                   values.emplace_back());
    }
}

/// Changes the members of `row` that the object names.
template <typename Row>
requires std::is_class_v<Row>
void read_value(const TableValue& from, Row& row) {
    if (!from.json.is_object()) {
        from.refuse("an object");
    }
    std::vector<std::string> known = {std::string(kAbout)};
    each_field(&row, [&](std::string_view key, auto member) {
        known.emplace_back(key);
        if (from.json.contains(key)) {
            read_value(from.at(key), row.*member);
        }
    });
    for (const auto& [key, value] : from.json.items()) {
        if (std::ranges::find(known, key) == known.end()) {
            throw InputError(fmt::format("{}: {} is not a key of a row{}", from.where,
                                         in_quotes(key), did_you_mean(key, known)));
        }
    }
}

/// The rows of a list of a table; a row is called by the text under `name`.
template <typename Row>
std::vector<Row> read_rows(const nlohmann::json& table, const char* list, const char* name,
                           const std::string& origin) {
    std::vector<Row> rows;
    for (const nlohmann::json& row : table.at(list)) {
        const bool named = row.is_object() && row.contains(name) && row[name].is_string();
        const std::string which = named ? row[name].template get<std::string>() : list;
        read_value(TableValue{row, fmt::format("{}: {}", origin, which)}, rows.emplace_back());
    }
    return rows;
}

/// An object without null, in which `more` goes before `base` key by key, in nested objects, too;
/// null takes a key of `base` away.
inline nlohmann::json differing(nlohmann::json base, const nlohmann::json& more) {
    base.merge_patch(more);
    return base;
}

}  // namespace ropescope
