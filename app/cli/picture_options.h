// The scene that the options of the commands that make pictures stand for.
#pragma once

#include <filesystem>

#include "app/cli/command.h"
#include "app/scene/scene.h"

namespace ropescope::cli {

/// The scene that --scene and --set describe. Tells what a model's file left open.
Scene scene_from(const GlobalOptions& options);

// The names of files that hold a page.

bool is_page(const std::filesystem::path& path);
/// Throws InputError unless the name ends in .html.
void require_page_ending(const std::filesystem::path& path);

}  // namespace ropescope::cli
