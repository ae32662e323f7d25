// What a report says, once: each fact has a key and a value for programs, a label and a text for
// people. JSON and text are written from one list.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

struct Entry {
    std::string key;    ///< in JSON; empty if only people read it
    std::string label;  ///< in text; empty if only programs read it
    nlohmann::ordered_json value = {};
    std::string text = {};
};
using Record = std::vector<Entry>;
/// Records of a table: records with the same keys and labels.
using Records = std::vector<Record>;

/// {"key": value, ...}
nlohmann::ordered_json json_of(const Record& record);
/// [{"key": value, ...}, ...]
nlohmann::ordered_json json_of(const Records& rows);
/// [value, ...] of the fields with this key.
nlohmann::ordered_json column_of(const Records& rows, std::string_view key);

/// "  label              text\n" for each field that people read.
std::string text_of(const Record& record);
/// The texts in columns under their labels; empty without rows.
std::string text_of(const Records& rows);

/// Fields that a caller chooses, in the order of the record.
Record with_keys(const Record& record, const std::vector<std::string_view>& keys);

}  // namespace ropescope
