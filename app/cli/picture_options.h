// What the commands that make pictures share: the scene that their options stand for, and how the
// picture is written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "app/plot/export_settings.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"

namespace ropescope::cli {

/// The scene that --scene and --set describe. Tells what a model's file left open.
Scene scene_from(const GlobalOptions& options);

// How a picture is written: --theme, --size and the like.

/// What was given of a setting.
struct GivenSetting {
    std::optional<std::string> value = {};
    bool on = false;  ///< of a switch
};
/// Of each of plot::export_settings(), in their order.
using GivenSettings = std::vector<GivenSetting>;

GivenSettings no_settings();
/// The options that write to `given`, which must live until the command has run.
std::vector<Option> setting_options(GivenSettings& given);
/// Throws InputError that begins with the command for two that contradict each other.
plot::ExportValues values_of(std::string_view command, const GivenSettings& given);
/// A small picture leaves parts out; it never does so without a word.
void tell_what_is_left_out(std::string_view command, const plot::Figure& figure,
                           const plot::ExportOptions& picture, const GivenSettings& given);

// The names of files that hold a page.

bool is_page(const std::filesystem::path& path);
/// Throws InputError unless the name ends in .html.
void require_page_ending(const std::filesystem::path& path);

}  // namespace ropescope::cli
