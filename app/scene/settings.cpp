// Parameters as text: --set name=value.
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "app/scene/assignments.h"
#include "app/scene/parameters.h"
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

Assignment parse_assignment(std::string_view name, std::string_view text) {
    Assignment given{
        .parameter = &parameter_by_name(name), .value = {}, .text = std::string(trimmed(text))};
    if (!std::visit(Parser{given.text, given.value}, given.parameter->member)) {
        refuse_value(*given.parameter, given.text);
    }
    return given;
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
    const Assignment given = parse_assignment(name, text);
    return with_value(std::move(scene), *given.parameter, given.value, given.text);
}

Scene apply_settings(Scene scene, const std::vector<std::string>& settings) {
    std::vector<Assignment> assignments;
    for (const std::string& setting : settings) {
        const auto [name, text] = split_setting(setting);
        assignments.push_back(parse_assignment(name, text));
    }
    return with_assignments(std::move(scene), assignments);
}

}  // namespace ropescope
