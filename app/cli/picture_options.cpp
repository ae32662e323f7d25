// Makes the scene of --scene and --set, and parses --size.
#include "app/cli/picture_options.h"

#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/figures/view.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parse_list.h"
#include "core/formats/inspection.h"

namespace ropescope::cli {

Scene scene_from(const GlobalOptions& options) {
    Scene scene;
    if (!options.scene_file.empty()) {
        scene = scene_from_json(read_file(options.scene_file, kMostSceneBytes), options.scene_file);
    }
    scene = apply_settings(std::move(scene), options.settings);
    figures::view_by_id(scene.view);  // a mistyped view is refused, whether or not it is drawn
    if (const Inspection found = open_model(scene.model); found.model) {
        tell_assumptions(*found.model);
    }
    return scene;
}

PictureSize parse_size(std::string_view text) {
    const std::vector<std::string_view> sides = split_list(text, 'x');
    const PictureSize size{parse_number<int>(sides.front()).value_or(0),
                           parse_number<int>(sides.back()).value_or(0)};
    if (sides.size() != 2 || size.width < 1 || size.height < 1) {
        throw InputError(fmt::format(
            "--size: '{}' is not a size; give WIDTHxHEIGHT, for example 1600x1000", text));
    }
    return size;
}

}  // namespace ropescope::cli
