// Checks values, and turns them into text and back.
#include "app/scene/values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>
#include <vector>

#include "app/scene/parameters.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/names.h"
#include "core/base/parse_list.h"

namespace ropescope {
namespace {

bool in_range(const Parameter& parameter, double value) {
    return value >= parameter.lowest() && value <= parameter.highest();  // false for NaN
}

/// The choice of that name, where '-' counts as '_'; empty if there is none.
std::string matching_choice(const Parameter& parameter, std::string text) {
    std::ranges::replace(text, '-', '_');
    const bool known = std::ranges::find(parameter.choices, text) != parameter.choices.end();
    return known ? text : "";
}

std::string check_string(const Parameter& parameter, const std::string& value,
                         const std::string& text) {
    std::string meant = parameter.choices.empty() ? value : matching_choice(parameter, value);
    if (meant.empty() && parameter.choices.empty()) {
        throw InputError(
            fmt::format("{}: the text is empty; give one character or more, or leave "
                        "the setting out",
                        parameter.name));
    }
    if (meant.empty()) {
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

void check_numbers(const Parameter& parameter, const std::vector<double>& numbers,
                   const std::string& text) {
    if (!std::ranges::all_of(numbers,
                             [](double value) { return std::isfinite(value) && value > 0.0; })) {
        refuse_value(parameter, text);
    }
}

struct Setter {
    Scene& scene;
    const Parameter& parameter;
    ParameterValue& value;
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
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
            check_numbers(parameter, given, text);
        } else {
            check_list(parameter, given, text);
        }
        scene.*member = std::move(given);
    }
    template <Named T>
    void operator()(T Scene::*member) const {
        const std::string& given = std::get<std::string>(value);
        scene.*member = enum_value<T>(check_string(parameter, usual_name<T>(given), text)).value();
    }

  private:
    /// A layout has names beside those of its values: neox, gptj.
    template <typename T>
    static std::string usual_name(const std::string& given) {
        if constexpr (std::is_same_v<T, Layout>) {
            try {
                return std::string(to_string(parse_layout(given)));
            } catch (const InputError&) {
                return given;  // refused with the parameter's name
            }
        } else {
            return given;
        }
    }
};

/// Text as a value of the member's type.
struct Parser {
    std::string_view text;

    template <typename T>
    std::optional<ParameterValue> operator()(T Scene::*) const {
        return parse_number<T>(text);
    }
    std::optional<ParameterValue> operator()(std::string Scene::*) const {
        return std::string(text);
    }
    template <Named T>
    std::optional<ParameterValue> operator()(T Scene::*) const {
        return std::string(text);
    }
    std::optional<ParameterValue> operator()(std::vector<std::int64_t> Scene::*) const {
        return parse_list<std::int64_t>(text);
    }
    std::optional<ParameterValue> operator()(std::vector<double> Scene::*) const {
        return text.empty() ? std::vector<double>{} : parse_list<double>(text);
    }
};

struct Text {
    std::string operator()(const std::string& value) const { return value; }
    template <typename T>
    std::string operator()(const T& number) const {
        return fmt::format("{}", number);
    }
    template <typename T>
    std::string operator()(const std::vector<T>& values) const {
        return fmt::format("{}", fmt::join(values, ","));
    }
};

std::string range_text(const Parameter& parameter) {
    if (parameter.highest() == std::numeric_limits<double>::max()) {
        return "above 0";  // the only range that is open at one end
    }
    return fmt::format("from {} to {}", parameter.lowest(), parameter.highest());
}

std::string choices_text(const std::vector<std::string>& choices) {
    std::string text;
    for (Index i = 0; i < std::ssize(choices); ++i) {
        text += (i == 0 ? "" : i + 1 == std::ssize(choices) ? " or " : ", ") + choices[i];
    }
    return text;
}

struct Getter {
    const Scene& scene;
    template <typename T>
    ParameterValue operator()(T Scene::*member) const {
        return scene.*member;
    }
    template <Named T>
    ParameterValue operator()(T Scene::*member) const {
        return std::string(to_string(scene.*member));
    }
};

struct Form {
    const Parameter& parameter;
    std::string operator()(std::int64_t Scene::*) const {
        return "a whole number " + range_text(parameter);
    }
    std::string operator()(double Scene::*) const {
        return "a finite number " + range_text(parameter);
    }
    std::string operator()(std::string Scene::*) const {
        return parameter.choices.empty() ? "a name" : choices_text(parameter.choices);
    }
    std::string operator()(std::vector<std::int64_t> Scene::*) const {
        return fmt::format("1 to {} whole numbers {}, like 0,4,8", kMostPairs,
                           range_text(parameter));
    }
    std::string operator()(std::vector<double> Scene::*) const {
        return "numbers above 0, separated by commas";
    }
    template <Named T>
    std::string operator()(T Scene::*) const {
        return choices_text(parameter.choices);
    }
};

}  // namespace

ParameterValue get_value(const Scene& scene, const Parameter& parameter) {
    return std::visit(Getter{scene}, parameter.member);
}

Scene with_value(Scene scene, const Parameter& parameter, ParameterValue value,
                 const std::string& text) {
    std::visit(Setter{scene, parameter, value, text}, parameter.member);
    return scene;
}

std::optional<ParameterValue> parse_value(const Parameter& parameter, std::string_view text) {
    return std::visit(Parser{text}, parameter.member);
}

std::string parameter_text(const Scene& scene, const Parameter& parameter) {
    return std::visit(Text{}, get_value(scene, parameter));
}

std::string spoken(std::string_view name, char between) {
    std::string text(name);
    if (!text.ends_with("_dim") && !text.ends_with("_freq")) {
        std::ranges::replace(text, '_', between);
    }
    return text;
}

std::string expected_form(const Parameter& parameter) {
    return std::visit(Form{parameter}, parameter.member);
}

bool is_number(const Parameter& parameter) {
    return std::holds_alternative<std::int64_t Scene::*>(parameter.member) ||
           std::holds_alternative<double Scene::*>(parameter.member);
}

double number(const Scene& scene, const Parameter& parameter) {
    const ParameterValue value = get_value(scene, parameter);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return to_double(*whole);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return *real;
    }
    throw InputError(parameter.name + ": not a number; only numbers have sliders");
}

namespace {

/// What misread() says of a value, or of an element of a list.
std::string misread_value(const Parameter& parameter, const std::string& text) {
    const bool list =
        std::holds_alternative<std::vector<std::int64_t> Scene::*>(parameter.member) ||
        std::holds_alternative<std::vector<double> Scene::*>(parameter.member);
    return is_number(parameter) ? misread(text) : list ? misread(split_list(text)) : "";
}

}  // namespace

void refuse_value(const Parameter& parameter, const std::string& text) {
    if (const std::string wrong = misread_value(parameter, text); !wrong.empty()) {
        throw InputError(parameter.name + ": " + wrong);
    }
    std::string quoted = text;  // on one line
    std::ranges::replace_if(
        quoted, [](unsigned char c) { return c < ' '; }, ' ');
    throw InputError(fmt::format("{}: '{}' is not {}{}", parameter.name, quoted,
                                 expected_form(parameter), did_you_mean(text, parameter.choices)));
}

// Writes the table of parameters as a Markdown page.

namespace {

constexpr std::string_view kIntroduction = R"(# Scene parameters

Everything that a figure depends on. The sliders of the app, `--set name=value` and the keys of a scene
file are these. A scene file is a JSON object with those that differ from their default, for example
`{"ropescope_scene": 1, "view": "spectrum", "base": 500000}`. This page is what `ropescope --parameters`
prints.
)";

/// The groups, each once, in the order in which they first appear.
std::vector<std::string> groups() {
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters()) {
        if (std::ranges::find(names, parameter.group) == names.end()) {
            names.push_back(parameter.group);
        }
    }
    return names;
}

/// " Read if scaling is yarn." for each condition of the parameter.
std::string reading_sentences(const Parameter& parameter) {
    std::string text;
    for (const ReadWhen& when : parameter.read_when) {
        text += fmt::format(" Read {} `{}` is {}.", when.unless ? "unless" : "if", when.parameter,
                            fmt::join(when.values, ", "));
    }
    return text;
}

}  // namespace

std::string parameters_markdown() {
    const Scene defaults;
    std::string page(kIntroduction);
    for (const std::string& group : groups()) {
        page += fmt::format(
            "\n## {}\n| name | in the window | default | accepts | unit | what it is |\n"
            "|---|---|---|---|---|---|\n",
            group);
        for (const Parameter& parameter : parameters()) {
            if (parameter.group == group) {
                page += fmt::format("| `{}` | {} | {} | {} | {} | {}{} |\n", parameter.name,
                                    parameter.label.empty() ? "by its name" : parameter.label,
                                    parameter_text(defaults, parameter), expected_form(parameter),
                                    parameter.unit, parameter.help, reading_sentences(parameter));
            }
        }
    }
    return page;
}

}  // namespace ropescope
