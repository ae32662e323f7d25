// What the options of the commands that make pictures stand for: the scene, and the size.
#pragma once

#include <string_view>

#include "app/cli/command.h"
#include "app/scene/scene.h"

namespace ropescope::cli {

/// The scene that --scene and --set describe. Tells what a model's file left open.
Scene scene_from(const GlobalOptions& options);

struct PictureSize {
    int width = 0, height = 0;
};

/// --size, for example "1600x1000". Throws InputError that shows the form.
PictureSize parse_size(std::string_view text);

}  // namespace ropescope::cli
