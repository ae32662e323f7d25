// Puts a scene into words: its model, its encoding, and the shortest command that makes its figure.
#include "app/gui/state/scene_text.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "app/figures/shared/describe.h"
#include "app/figures/view.h"
#include "app/plot/number_text.h"
#include "app/scene/settings.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/base/error.h"
#include "core/formats/presets.h"
#include "core/scaling/method.h"

namespace ropescope::gui {

std::string model_title(const Scene& scene) {
    const std::vector<Preset>& presets = one_axis_presets();
    const auto preset = std::ranges::find(presets, scene.model, &Preset::name);
    if (preset != presets.end()) {
        return preset->title;
    }
    const std::filesystem::path path(scene.model);
    const std::filesystem::path folder =
        path.filename() == "config.json" ? path.parent_path().filename() : path.filename();
    return folder.empty() ? scene.model : folder.string();
}

std::string encoding_facts(const RopeSpec& rope) {
    const std::string scaled = std::holds_alternative<NoScaling>(rope.scaling)
                                   ? ""
                                   : fmt::format(" · {} ×{}", scaling_type(rope.scaling),
                                                 plot::number_text(extension_factor(rope.scaling)));
    return fmt::format("{} · {}{}", figures::encoding_sizes(rope, " · "),
                       spoken(to_string(rope.layout)), scaled);
}

std::string encoding_facts(const Scene& scene) {
    return encoding_facts(unchecked_rope_spec(scene));
}

bool differs_from_preset(const Scene& scene) {
    const std::vector<ModelConfig>& presets = model_presets();
    const auto preset = std::ranges::find(presets, scene.model, &ModelConfig::id);
    return preset != presets.end() && encoding_facts(scene) != encoding_facts(preset->rope);
}

std::vector<std::string> settings_for(const Scene& scene) {
    std::vector<std::string> settings;
    for (const Assignment& given : assignments_to(scene)) {
        if (given.parameter->name != "view") {
            settings.push_back(given.parameter->name + "=" + given.text);
        }
    }
    return settings;
}

std::vector<std::string> settings_of_figure(const Scene& scene) {
    const figures::View& view = figures::view_by_id(scene.view);
    const auto gives_the_figure = [&](const std::vector<std::string>& settings) {
        try {
            Scene start;
            start.view = scene.view;
            const Scene made = apply_settings(start, settings);
            validate(made);
            return std::ranges::all_of(parameters(), [&](const Parameter& parameter) {
                return !view.reads(parameter.name) ||
                       parameter_text(made, parameter) == parameter_text(scene, parameter);
            });
        } catch (const InputError&) {
            return false;
        }
    };
    std::vector<std::string> settings = settings_for(scene);
    for (std::size_t left = settings.size(); left > 0; --left) {
        const std::size_t at = left - 1;
        if (view.reads(settings[at].substr(0, settings[at].find('=')))) {
            continue;
        }
        // What the view does not read may still set what it reads, as a model does.
        std::vector<std::string> fewer = settings;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
        if (gives_the_figure(fewer)) {
            settings = std::move(fewer);
        }
    }
    return settings;
}

std::string shell_quoted(std::string_view word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,./:@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
        return std::string(word);
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

namespace {

/// The program's name with the settings.
std::string command_with(const std::vector<std::string>& settings) {
    std::string command = "ropescope";
    for (const std::string& setting : settings) {
        command += " --set " + shell_quoted(setting);
    }
    return command;
}

}  // namespace

std::string recorded_range(const Scene& scene, const Parameter& parameter) {
    const SliderRange range = slider_range(scene, parameter);
    constexpr int kFrames = 61;  // four seconds at the usual rate
    return fmt::format("{}={}:{}:{}", parameter.name, range.min, range.max, kFrames);
}

std::string record_command(const Scene& scene, const Parameter& parameter) {
    return fmt::format("{} record {} --vary {} -o {}.apng", command_with(settings_for(scene)),
                       scene.view, recorded_range(scene, parameter), scene.view);
}

std::string figure_command(const Scene& scene, const CommandOptions& options) {
    std::string command =
        command_with(settings_of_figure(scene)) + " figure " + scene.view +
        plot::said_in_a_command(options.values, options.format == "png", shell_quoted);
    if (!options.look.panel.empty()) {
        command += " --panel " + shell_quoted(options.look.panel);
    }
    for (const auto& [panel, range] : options.look.ranges) {
        command += " --range " + shell_quoted(plot::range_text(panel, range));
    }
    for (const std::string& name : options.look.hidden) {
        command += " --hide " + shell_quoted(name);
    }
    return command + " -o " + scene.view + "." + options.format;
}

std::string figure_python(const Scene& scene, const CommandOptions& options) {
    std::string literal;
    for (const char c : figure_command(scene, options)) {
        literal += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return fmt::format(
        "import shlex, subprocess\n\nsubprocess.run(shlex.split(\"{}\"), check=True)\n", literal);
}

// Compares a scene with its model's own values.

namespace {

bool is_kept(const Parameter& parameter) {
    return parameter.name == "view" || parameter.name == "model";
}

}  // namespace

Scene unchanged_scene(const Scene& scene) {
    Scene own;
    try {
        own = apply_settings({}, {"model=" + scene.model});
    } catch (const InputError&) {
        own.model = scene.model;  // its file is gone
    }
    own.view = scene.view;
    return own;
}

std::vector<SceneChange> scene_changes(const Scene& scene) {
    const Scene own = unchanged_scene(scene);
    std::vector<SceneChange> changes;
    for (const Parameter& parameter : parameters()) {
        const std::string from = parameter_text(own, parameter);
        const std::string to = parameter_text(scene, parameter);
        if (!is_kept(parameter) && from != to) {
            changes.push_back({&parameter, from, to});
        }
    }
    return changes;
}

std::string changes_text(const Scene& scene) {
    std::string text;
    for (const SceneChange& change : scene_changes(scene)) {
        text += fmt::format("{}{} {}, was {}", text.empty() ? "" : "; ", change.parameter->name,
                            change.to.empty() ? "empty" : change.to,
                            change.from.empty() ? "empty" : change.from);
    }
    return text;
}

std::string default_text(const Scene& scene, const Parameter& parameter) {
    return parameter_text(unchanged_scene(scene), parameter);
}

}  // namespace ropescope::gui
