// The scene that the options of the commands that make pictures stand for.
#pragma once

#include "app/cli/command.h"
#include "app/scene/scene.h"

namespace ropescope::cli {

/// The scene that --scene and --set describe. Tells what a model's file left open.
Scene scene_from(const GlobalOptions& options);

}  // namespace ropescope::cli
