// Makes the scene of --scene and --set, and reads how a picture is written.
#include "app/cli/picture_options.h"

#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/output.h"
#include "app/figures/view.h"
#include "app/plot/picture_layout.h"
#include "app/scene/axes_grid.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace ropescope::cli {

Scene scene_from(const GlobalOptions& options) {
    Scene scene;
    if (!options.scene_file.empty()) {
        scene = scene_from_json(read_file(options.scene_file, kMostSceneBytes), options.scene_file);
    }
    scene = apply_settings(std::move(scene), options.settings);
    figures::view_by_id(scene.view);  // a mistyped view is refused, whether or not it is drawn
    if (const Model found = open_scene_model(scene.model); found.text) {
        tell_assumptions(*found.text);
    }
    return scene;
}

GivenSettings no_settings() {
    return GivenSettings(plot::export_settings().size());
}

std::vector<Option> setting_options(GivenSettings& given) {
    std::vector<Option> options;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const plot::ExportSetting& setting = plot::export_settings()[i];
        options.push_back(
            {.names = setting.option,
             .target = setting.is_switch() ? OptionTarget(&given[i].on) : &given[i].value,
             .type = setting.type,
             .text = setting.text,
             .choices = setting.values});
    }
    return options;
}

plot::ExportValues values_of(std::string_view command, const GivenSettings& given) {
    plot::ExportValues values;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i].on || given[i].value) {
            values[plot::export_settings()[i].option] = given[i].value.value_or("");
        }
    }
    if (values.contains("--scale") && values.contains("--dpi")) {
        throw InputError(fmt::format(
            "{}: --scale and --dpi both say how many pixels a PNG has; give one of them", command));
    }
    return values;
}

void tell_what_is_left_out(std::string_view command, const plot::Figure& figure,
                           const plot::ExportOptions& picture, const GivenSettings& given) {
    const std::vector<std::string> parts = plot::left_out(figure, picture);
    if (parts.empty()) {
        return;
    }
    const plot::ExportValues values = values_of(command, given);
    const auto size = values.find("--size");
    const bool panels = parts.front().starts_with(plot::kPanelLeftOut) && command == "figure";
    fmt::print(stderr, "{}: at {} there is no room for {}; a larger --size shows it{}\n", command,
               size == values.end() ? "the usual size" : size->second, fmt::join(parts, ", "),
               panels ? fmt::format(", or --panel {} that panel alone",
                                    parts.front().substr(plot::kPanelLeftOut.size()))
                      : "");
}

// Tells pages by the ending of their names.

bool is_page(const std::filesystem::path& path) {
    return lower_case(path.extension().string()) == ".html";
}

void require_page_ending(const std::filesystem::path& path) {
    if (!is_page(path)) {
        throw InputError(path.string() + " is not the name of a page; end it in .html");
    }
}

}  // namespace ropescope::cli
