// Parameters as text: --set name=value.
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "app/scene/parameters.h"
#include "app/scene/values.h"
#include "core/base/error.h"

namespace ropescope {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == text.npos ? std::string_view{}
                              : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The whole text as a number, in any locale; a leading '+' is allowed.
template <typename T>
bool parse_number(std::string_view text, T& number) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stopped == end && !text.empty();
}

/// Text -> value of the parameter's type; false when it does not have that form.
struct Parser {
    std::string_view text;
    Value& value;

    bool operator()(std::int64_t Scene::*) const {
        return parse_number(text, value.emplace<std::int64_t>());
    }
    bool operator()(double Scene::*) const { return parse_number(text, value.emplace<double>()); }
    bool operator()(std::string Scene::*) const {
        value = std::string(text);
        return true;
    }
    bool operator()(std::vector<std::int64_t> Scene::*) const {
        auto& list = value.emplace<std::vector<std::int64_t>>();
        for (std::string_view rest = text;;) {
            const auto comma = rest.find(',');
            if (!parse_number(trimmed(rest.substr(0, comma)), list.emplace_back())) {
                return false;
            }
            if (comma == rest.npos) {
                return true;
            }
            rest.remove_prefix(comma + 1);
        }
    }
};

std::pair<std::string, std::string> split_setting(const std::string& setting) {
    const auto equals = setting.find('=');
    if (equals == setting.npos || equals == 0) {
        throw InputError(fmt::format("setting '{}' has no {}; give name=value", setting,
                                     equals == 0 ? "name" : "'='"));
    }
    return {std::string(trimmed(setting.substr(0, equals))), setting.substr(equals + 1)};
}

/// A preset's id, unless the text looks like a path or names something that is there.
ModelConfig load_model(const std::string& text) {
    std::error_code ignored;
    const bool is_path = text.find('/') != text.npos || text.ends_with(".json") ||
                         std::filesystem::exists(text, ignored);
    return is_path ? read_model_config(text) : model_preset(text);
}

}  // namespace

std::string parameter_text(const Scene& scene, const Parameter& parameter) {
    struct Text {
        std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
        std::string operator()(double value) const { return fmt::format("{}", value); }
        std::string operator()(const std::string& value) const { return value; }
        std::string operator()(const std::vector<std::int64_t>& values) const {
            return fmt::format("{}", fmt::join(values, ","));
        }
    };
    return std::visit(Text{}, get_value(scene, parameter));
}

Scene set_parameter(Scene scene, std::string_view name, std::string_view text) {
    const Parameter& parameter = parameter_by_name(name);
    const std::string given(trimmed(text));
    Value value;
    if (!std::visit(Parser{given, value}, parameter.member)) {
        refuse_value(parameter, given);
    }
    return with_value(std::move(scene), parameter, std::move(value), given);
}

Scene apply_settings(Scene scene, const std::vector<std::string>& settings) {
    std::vector<std::pair<std::string, std::string>> named;
    bool names_pairs = false;
    bool changes_encoding = false;
    for (const std::string& setting : settings) {
        auto [name, text] = split_setting(setting);
        if (name == "model") {
            scene = with_model(std::move(scene), load_model(text));
            continue;
        }
        names_pairs = names_pairs || name == "pairs";
        changes_encoding = changes_encoding || name == "head_dim" || name == "rotary_dim";
        named.emplace_back(std::move(name), std::move(text));
    }
    for (const auto& [name, text] : named) {
        scene = set_parameter(std::move(scene), name, text);
    }
    return changes_encoding && !names_pairs ? with_existing_pairs(std::move(scene)) : scene;
}

}  // namespace ropescope
