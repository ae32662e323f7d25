// Walks a config.json and names the rotary keys that no rule has read.
#include "core/formats/unread_keys.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/index.h"

namespace ropescope {
namespace {

using Json = nlohmann::json;

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
}

bool speaks_of_rotation(std::string_view key) {
    constexpr std::array kWords = {"rope",
                                   "rotary",
                                   "rotat",
                                   "theta",
                                   "alibi",
                                   "yarn",
                                   "ntk",
                                   "freq_base",
                                   "pos_emb",
                                   "position_embedding",
                                   "position_encoding"};
    // Words with other meanings, and lengths of tables, which change no frequency.
    constexpr std::array kOthers = {"prope", "europe", "max_position_embeddings",
                                    "num_position_embeddings", "max_seq_len"};
    const std::string name = lower(key);
    const auto is_in = [&](const char* word) { return name.find(word) != std::string::npos; };
    return std::ranges::any_of(kWords, is_in) && std::ranges::none_of(kOthers, is_in);
}

/// A switch that is off and a key that is null say nothing about what turns.
bool says_something(std::string_view key, const Json& value) {
    const bool off = value.is_boolean() && !value.get<bool>();
    return !value.is_null() && !(off && lower(key).find("alibi") != std::string::npos);
}

void collect(const ConfigObject& object, const std::string& path, const LookedAt& looked_at,
             std::vector<std::string>& unread) {
    for (const auto& [key, value] : object.json().items()) {
        const bool looked = looked_at.contains(object.path_of(key));
        const std::string name = path + printable(key);
        if (speaks_of_rotation(key)) {
            // What an object of rotary parameters holds is its reader's to judge.
            if (!looked && says_something(key, value)) {
                unread.push_back(
                    fmt::format("this key was not read: {}{}", name,
                                value.is_structured() ? "" : " " + printable(value.dump(), 40)));
            }
        } else if (value.is_object()) {
            collect(ConfigObject(value, object.path_of(key), true), name + ".", looked_at, unread);
        }
    }
}

}  // namespace

std::vector<std::string> unread_rope_keys(const ConfigObject& whole, const LookedAt& looked_at) {
    constexpr Index kMost = 12;
    std::vector<std::string> unread;
    collect(whole, "", looked_at, unread);
    if (const Index more = std::ssize(unread) - kMost; more > 0) {
        unread.resize(kMost);
        unread.push_back(fmt::format("and {} more keys were not read", more));
    }
    return unread;
}

}  // namespace ropescope
