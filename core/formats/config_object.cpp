// Reads single keys of a parsed config.json and refuses values of the wrong type.
#include "core/formats/config_object.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/formats/limits.h"

namespace ropescope {
namespace {

/// The value in a few words.
std::string found_text(const nlohmann::json& value) {
    return value.is_object() ? "an object"
           : value.is_array()
               ? fmt::format("an array of {}", value.size())
               : in_quotes(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

const nlohmann::json* ConfigObject::find(std::string_view key) const {
    const auto found = object_->find(key);
    if (key.empty() || found == object_->end() || found->is_null()) {
        return nullptr;
    }
    if (looked_at_ != nullptr) {
        looked_at_->insert(path_of(key));
    }
    return &*found;
}

bool ConfigObject::is_null(std::string_view key) const {
    const auto found = object_->find(key);
    return found != object_->end() && found->is_null();
}

std::optional<std::int64_t> ConfigObject::integer(std::string_view key, std::int64_t least,
                                                  std::int64_t most) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    // Beyond 2^63 - 1 the parser keeps unsigned or real numbers; both are out of any range here.
    const bool fits = value->is_number_integer() &&
                      !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX);
    if (!fits || value->get<std::int64_t>() < least || value->get<std::int64_t>() > most) {
        fail_type(key, fmt::format("an integer from {} to {}", least, most));
    }
    return value->get<std::int64_t>();
}

std::optional<std::int64_t> ConfigObject::integer(std::initializer_list<std::string_view> keys,
                                                  std::int64_t least, std::int64_t most) const {
    for (const std::string_view key : keys) {
        if (const auto value = integer(key, least, most)) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<double> ConfigObject::positive(std::string_view key, double most) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    const double number = value->is_number() ? value->get<double>() : 0;
    if (!(number >= kMinPositive && number <= most)) {  // also a NaN
        fail_type(key, fmt::format("a number from {} to {}", kMinPositive, most));
    }
    return number;
}

std::optional<double> ConfigObject::number(std::string_view key) const {
    const nlohmann::json* value = find(key);
    if (value != nullptr && !value->is_number()) {
        fail_type(key, "a number");
    }
    return value == nullptr ? std::nullopt : std::optional(value->get<double>());
}

std::optional<std::vector<double>> ConfigObject::numbers(std::string_view key,
                                                         std::size_t most) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_array() || value->size() > most) {
        fail_type(key, fmt::format("a list of at most {} numbers", most));
    }
    const auto other = std::find_if(value->begin(), value->end(),
                                    [](const nlohmann::json& entry) { return !entry.is_number(); });
    if (other != value->end()) {
        fail(fmt::format("{}[{}]", key, other - value->begin()),
             fmt::format("a number is expected; {} is found", found_text(*other)));
    }
    return value->get<std::vector<double>>();
}

std::optional<std::string> ConfigObject::text(std::string_view key) const {
    const nlohmann::json* value = find(key);
    if (value != nullptr && !value->is_string()) {
        fail_type(key, "a string");
    }
    return value == nullptr ? std::nullopt : std::optional(value->get<std::string>());
}

std::optional<bool> ConfigObject::boolean(std::string_view key) const {
    const nlohmann::json* value = find(key);
    if (value != nullptr && !value->is_boolean()) {
        fail_type(key, "true or false");
    }
    return value == nullptr ? std::nullopt : std::optional(value->get<bool>());
}

std::optional<ConfigObject> ConfigObject::object(std::string_view key) const {
    const nlohmann::json* value = find(key);
    if (value != nullptr && !value->is_object()) {
        fail_type(key, "an object");
    }
    return value == nullptr ? std::nullopt
                            : std::optional(ConfigObject(*value, path_of(key), true, looked_at_));
}

std::string ConfigObject::path_of(std::string_view key) const {
    return fmt::format("{}{}{}", where_, nested_ ? "." : ": ", key);
}

void ConfigObject::fail(std::string_view key, std::string_view what) const {
    throw InputError(fmt::format("{}: {}", path_of(key), what));
}

void ConfigObject::fail_type(std::string_view key, std::string_view expected) const {
    fail(key, fmt::format("{} is expected; {} is found", expected, found_text(*find(key))));
}

}  // namespace ropescope
