// Reads single keys of a parsed config.json and refuses values of the wrong type.
#include "core/formats/config_object.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace ropescope {
namespace {

/// Deeper nesting than any configuration has, so code that walks a tree may recurse.
constexpr int kMaxDepth = 64;

/// The value in a few words.
std::string found_text(const nlohmann::json& value) {
    return value.is_object() ? "an object"
           : value.is_array()
               ? fmt::format("an array of {}", value.size())
               : in_quotes(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// JSON with Python's tokens in quotes, and where the quotes stand in it.
struct Quoted {
    std::string text;
    std::vector<std::size_t> quotes;

    /// The place in the original of a place in `text`.
    std::size_t original(std::size_t byte) const {
        return byte -
               static_cast<std::size_t>(std::ranges::lower_bound(quotes, byte) - quotes.begin());
    }
};

/// Python's json module writes NaN, Infinity and -Infinity for numbers, which JSON does not have.
/// Each becomes a string, so that it is refused only where its key is needed.
Quoted quote_python_numbers(std::string_view text) {
    Quoted quoted;
    quoted.text.reserve(text.size());
    bool in_string = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        constexpr std::array kTokens = {std::string_view("NaN"), std::string_view("Infinity"),
                                        std::string_view("-Infinity")};
        const auto* const token = std::ranges::find_if(
            kTokens, [&](std::string_view word) { return !in_string && rest.starts_with(word); });
        if (token != kTokens.end()) {
            quoted.quotes.push_back(quoted.text.size());
            quoted.text += fmt::format("\"{}", *token);
            quoted.quotes.push_back(quoted.text.size());
            quoted.text += '"';
            at += token->size();
            continue;
        }
        const std::size_t length = in_string && rest.front() == '\\' && rest.size() > 1 ? 2 : 1;
        in_string = in_string != (rest.front() == '"');
        quoted.text += rest.substr(0, length);
        at += length;
    }
    return quoted;
}

/// The reason in a message of the library, "[<exception>] <line and column>: <reason>".
std::string text_after(std::string_view mark, std::string_view message) {
    constexpr std::size_t kShown = 160;
    const std::size_t at = message.find(mark);
    return printable(at == std::string_view::npos ? message : message.substr(at + mark.size()),
                     kShown);
}

}  // namespace

nlohmann::json parse_config_json(std::string_view text, const std::string& origin) {
    using Event = nlohmann::json::parse_event_t;
    const std::string file = printable(origin);
    std::vector<std::set<std::string>> keys;  // of the objects around
    const auto check = [&](int depth, Event event, nlohmann::json& parsed) {
        if (depth > kMaxDepth) {
            throw InputError(fmt::format("{}: nested more than {} deep", file, kMaxDepth));
        }
        if (event == Event::object_start) {
            keys.emplace_back();
        } else if (event == Event::object_end) {
            keys.pop_back();
        } else if (event == Event::key) {
            const std::string key = parsed.get<std::string>();
            if (!keys.back().insert(key).second) {
                throw InputError(
                    fmt::format("{}: {}: is there twice; give it once", file, printable(key)));
            }
        }
        return true;
    };
    // The parser would take a NUL for the end of the text.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        throw InputError(fmt::format("{}: byte {}: is not valid JSON: a NUL byte", file, nul));
    }
    const Quoted quoted = quote_python_numbers(text);
    try {
        nlohmann::json parsed = nlohmann::json::parse(quoted.text, check);
        if (!parsed.is_object()) {
            throw InputError(fmt::format("{}: byte 0: an object {{...}} is expected", file));
        }
        return parsed;
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t byte = error.byte == 0 ? 0 : error.byte - 1;
        throw InputError(fmt::format("{}: byte {}: is not valid JSON: {}", file,
                                     quoted.original(byte), text_after(": ", error.what())));
    } catch (const nlohmann::json::exception& error) {  // a number too large for a double
        throw InputError(
            fmt::format("{}: is not valid JSON: {}", file, text_after("] ", error.what())));
    }
}

const nlohmann::json* ConfigObject::find(std::string_view key) const {
    const auto found = object_->find(key);
    if (found == object_->end() || found->is_null()) {
        return nullptr;
    }
    if (looked_at_ != nullptr) {
        looked_at_->insert(&*found);
    }
    return &*found;
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
    if (!(number > 0 && number <= most)) {  // also a NaN
        fail_type(key, fmt::format("a number > 0 and <= {}", most));
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
