// Writes the table of parameters as a Markdown page.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "app/scene/parameters.h"
#include "app/scene/values.h"

namespace ropescope {
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
