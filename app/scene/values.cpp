#include "app/scene/values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

#include "core/base/error.h"
#include "core/base/suggest.h"

namespace ropescope {
namespace {

bool in_range(const Parameter& parameter, double value) {
    return value >= parameter.lowest() && value <= parameter.highest();  // false for NaN
}

/// The choice that is meant, with '-' as good as '_'; empty when there is none.
std::string matching_choice(const Parameter& parameter, std::string text) {
    std::ranges::replace(text, '-', '_');
    const bool known = std::ranges::find(parameter.choices, text) != parameter.choices.end();
    return known ? text : "";
}

std::string check_string(const Parameter& parameter, const std::string& value,
                         const std::string& text) {
    std::string meant = parameter.choices.empty() ? value : matching_choice(parameter, value);
    if (meant.empty() && parameter.form.empty()) {
        refuse_value(parameter, text);
    }
    return meant;
}

void check_list(const Parameter& parameter, const std::vector<std::int64_t>& list,
                const std::string& text) {
    std::set<std::int64_t> seen;
    for (const std::int64_t element : list) {
        if (!in_range(parameter, static_cast<double>(element))) {
            refuse_value(parameter, text);
        }
        if (!seen.insert(element).second) {
            throw InputError(fmt::format("{}: '{}' names {} twice; give each once", parameter.name,
                                         text, element));
        }
    }
    if (list.empty() || list.size() > kMostPairs) {
        refuse_value(parameter, text);
    }
}

struct Setter {
    Scene& scene;
    const Parameter& parameter;
    Value& value;
    const std::string& text;

    template <typename T>
    void operator()(T Scene::*member) const {
        T& given = std::get<T>(value);
        if constexpr (std::is_arithmetic_v<T>) {
            if (!in_range(parameter, static_cast<double>(given))) {
                refuse_value(parameter, text);
            }
        } else if constexpr (std::is_same_v<T, std::string>) {
            given = check_string(parameter, given, text);
        } else {
            check_list(parameter, given, text);
        }
        scene.*member = std::move(given);
    }
};

std::string range_text(const Parameter& parameter) {
    if (parameter.highest() == std::numeric_limits<double>::max()) {
        return "above 0";  // the one open range there is
    }
    return fmt::format("from {} to {}", parameter.lowest(), parameter.highest());
}

std::string choices_text(const std::vector<std::string>& choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
    }
    return text;
}

}  // namespace

Value get_value(const Scene& scene, const Parameter& parameter) {
    return std::visit([&](auto member) { return Value(scene.*member); }, parameter.member);
}

Scene with_value(Scene scene, const Parameter& parameter, Value value, const std::string& text) {
    std::visit(Setter{scene, parameter, value, text}, parameter.member);
    return scene;
}

std::string expected_form(const Parameter& parameter) {
    struct Form {
        const Parameter& parameter;
        std::string operator()(std::int64_t Scene::*) const {
            return "a whole number " + range_text(parameter);
        }
        std::string operator()(double Scene::*) const {
            return "a finite number " + range_text(parameter);
        }
        std::string operator()(std::string Scene::*) const {
            if (!parameter.form.empty()) {
                return parameter.form;
            }
            return parameter.choices.empty() ? "a name" : choices_text(parameter.choices);
        }
        std::string operator()(std::vector<std::int64_t> Scene::*) const {
            return fmt::format("1 to {} whole numbers {}, like 0,4,8", kMostPairs,
                               range_text(parameter));
        }
    };
    return std::visit(Form{parameter}, parameter.member);
}

void refuse_value(const Parameter& parameter, const std::string& text) {
    std::string quoted = text;  // on one line
    std::ranges::replace_if(
        quoted, [](unsigned char c) { return c < ' '; }, ' ');
    throw InputError(fmt::format("{}: '{}' is not {}{}", parameter.name, quoted,
                                 expected_form(parameter), did_you_mean(text, parameter.choices)));
}

}  // namespace ropescope
