// Writes records as JSON and as text.
#include "core/base/record.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/text_table.h"

namespace ropescope {

using Json = nlohmann::ordered_json;

Json json_of(const Record& record) {
    Json json = Json::object();
    for (const Entry& field : record) {
        if (!field.key.empty()) {
            json[field.key] = field.value;
        }
    }
    return json;
}

Json json_of(const Records& rows) {
    Json json = Json::array();
    for (const Record& row : rows) {
        json.push_back(json_of(row));
    }
    return json;
}

Json column_of(const Records& rows, std::string_view key) {
    Json column = Json::array();
    for (const Record& row : rows) {
        column.push_back(std::ranges::find(row, key, &Entry::key)->value);
    }
    return column;
}

std::string text_of(const Record& record) {
    std::string text;
    for (const Entry& field : record) {
        if (!field.label.empty()) {
            text += fmt::format("  {:<18} {}\n", field.label, field.text);
        }
    }
    return text;
}

std::string text_of(const Records& rows) {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> cells;
    for (const Record& row : rows) {
        cells.emplace_back();
        header.clear();
        for (const Entry& field : row) {
            if (!field.label.empty()) {
                header.push_back(field.label);
                cells.back().push_back(field.text);
            }
        }
    }
    return rows.empty() ? "" : text_table(header, cells);
}

Record with_keys(const Record& record, const std::vector<std::string_view>& keys) {
    Record chosen;
    std::ranges::copy_if(record, std::back_inserter(chosen), [&](const Entry& field) {
        return std::ranges::find(keys, field.key) != keys.end();
    });
    return chosen;
}

}  // namespace ropescope
